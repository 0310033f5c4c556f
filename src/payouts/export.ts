import type { components } from '../../generated/api.ts';
import { inTransaction, isUnavailable } from '../db/transaction.ts';
import { listDebtors } from '../ledger/accounts.ts';
import type { Clock } from '../lib/clock.ts';
import { lineOf } from '../lib/csv.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError, conflict, invalidField, notFound } from '../lib/errors.ts';
import { MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import { lockMerchantShared } from '../merchants/queries.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import { listHeldOutputs } from '../payments/swept.ts';
import { isToken } from '../ports/assets.ts';
import type { Asset, Network } from '../ports/chain.ts';
import type { Chains, PayoutFile, PayoutOrder } from '../ports/chain-kind.ts';
import type { AuditTrail } from '../ports/operation.ts';
import type { AdminPrincipal, AsAdmin } from '../ports/security.ts';
import { forEachPayout, type Refused } from './batch.ts';
import { leastPayable } from './least.ts';
import { findPaidIn, findPayable, listedFor } from './listed.ts';
import { requireLostGone } from './lost.ts';
import { requireMayBePaid } from './may-be-paid.ts';
import { type ExportAgainInput, paidInOf } from './payout.ts';
import { listPayouts, listUnbegun, listUnbegunMerchants, type QueuedPayout } from './queue.ts';

const MOST = 100;
const ATTEMPTS_MAX = 3;
const LEFT_OUT =
  'The account holds too little for this one now, beside those before it. Send coins to its first address, and export again.';
const UNANSWERED =
  'The database did not say whether this one is processing now. It is in no file of this call: export it by its id.';
const COLUMNS = ['id', 'kind', 'network', 'token', 'contract', 'destination', 'amount', 'units'];

/** Marks a payout as being paid. Throws as `process` of a withdrawal or a refund. */
export type BeginPayout = (
  trx: Trx,
  begin: { readonly id: string; readonly by: string; readonly notes: null },
  now: Date,
) => Promise<{ readonly merchantId: string }>;

/** Ends a request to fail a payout that is processing, and notes what it is in. Throws where it is not processing. */
export type ExportAgain = (trx: Trx, again: { readonly id: string } & ExportAgainInput, now: Date) => Promise<unknown>;

export type ExportDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'writePayouts' | 'leastPayout' | 'presentAddress'>;
  readonly asAdmin: AsAdmin;
  readonly beginWithdrawal: BeginPayout;
  readonly beginRefund: BeginPayout;
  readonly exportWithdrawalAgain: ExportAgain;
  readonly exportRefundAgain: ExportAgain;
};

type Choosing = Pick<ExportDeps, 'db'> & { readonly chains: Pick<Chains, 'leastPayout'> };

export type Export = {
  readonly network: string;
  /** Those to take, whether or not somebody has begun to pay them; null: what nobody has. */
  readonly ids: readonly string[] | null;
  readonly feeRate: number | null;
  readonly principal: AdminPrincipal;
  readonly audit: AuditTrail;
};

export type Exported = Pick<components['schemas']['PayoutExport'], 'csv' | 'safe' | 'psbt'> & {
  readonly payouts: readonly QueuedPayout[];
  readonly refused: readonly Refused[];
};

/**
 * Begins to pay payouts of a network, each in a transaction of its own, and writes the files by which they are signed
 * elsewhere. Throws VALIDATION_ERROR for a network that is not listed. See decision payouts/exported-is-begun.
 */
export async function exportPayouts(deps: ExportDeps, { ids: named, ...asked }: Export): Promise<Exported> {
  const { db, clock } = deps;
  const network = deps.networks.find(({ name }) => name === asked.network);
  if (!network) throw invalidField('network', 'is no network that is listed');
  const ids = named ?? (await chooseUnbegun(deps, network));
  const waiting = new Map((await listAll(db, network, ids)).map((each) => [each.id, each]));
  const write = (payouts: readonly QueuedPayout[], isTrial: boolean, feeRate: number | null) =>
    writeFile(deps, network, payouts, { feeRate, isTrial, mayLeaveOut: named === null, at: clock.now() });
  // Nothing is begun where no file can be written.
  const { psbt: trial, leftOut = [] } = await write(
    ids.flatMap((id) => waiting.get(id) ?? []).filter((each) => findProblem(deps, network, each) === null),
    true,
    asked.feeRate,
  );
  const beginOne = async (id: string): Promise<void> => {
    const payout = waiting.get(id);
    if (!payout) throw notFound(`payout that waits on ${network.name}`);
    const problem = findProblem(deps, network, payout);
    if (problem) throw problem;
    if (leftOut.includes(id)) throw conflict(LEFT_OUT, 'coins_short');
    // What was not named is begun here or not at all: somebody else may have taken it a moment ago.
    const isBegun = named !== null && payout.status === 'processing';
    await (isBegun ? exportAgain(deps, asked, payout) : begin(deps, asked, id));
  };
  const { done, refused } = await forEachPayout(ids, beginOne, asUnanswered);
  const metadata = { payouts: done, refused: refused.length };
  await insisting(() => inTransaction(db, (trx) => asked.audit.record(trx, { resourceId: network.name, metadata })));
  // What they are by now: nobody changes where they go any more.
  const payouts = await insisting(() => listAll(db, network, done));
  const lines = payouts.map((each) => toLine(deps, network, each));
  // By the fee of the trial: for what a node advises by now the coins may not suffice.
  const files = await insisting(() => write(payouts, false, trial?.feeRate ?? asked.feeRate));
  return { payouts, refused, csv: [COLUMNS, ...lines].map(lineOf).join(''), ...files };
}

/** Retries work that lost its connection: without it, payouts that are `processing` would be in no file. */
async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isUnavailable(error)) throw error;
    }
  }
}

/**
 * What nobody has begun to pay, and as much again of what can't be sent, so that it is named. However much of that
 * waits before, it takes no place of the others.
 */
export async function chooseUnbegun({ db, chains }: Choosing, network: Network): Promise<string[]> {
  const { name, tokens, native } = network;
  const coin = native === undefined ? null : { symbol: native.symbol, least: chains.leastPayout(network) };
  const sendable = { tokens, coin };
  // As far as can be told without a lock.
  const debtors = await listDebtors(db, await listUnbegunMerchants(db, name));
  const [fit, unfit] = await Promise.all(
    [true, false].map((isFit) => listUnbegun(db, name, { sendable, debtors, isFit }, MOST)),
  );
  return [...(fit ?? []), ...(unfit ?? [])];
}

/**
 * Ends a request to fail what is handed out again: it said that nothing was sent. Throws CONFLICT for what must not be:
 * its merchant is not active by now, it may have been paid by a transaction that the chain took back, or it has ended.
 */
const exportAgain = (deps: ExportDeps, { principal }: Pick<Export, 'principal'>, payout: QueuedPayout): Promise<void> =>
  deps.asAdmin(principal, async (trx) => {
    const now = deps.clock.now();
    requireMayBePaid(await lockMerchantShared(trx, payout.merchantId));
    const begunIn = listedFor(deps, { ...payout, decimals: unitDecimals(payout) });
    const again = { id: payout.id, kind: 'export_again', begunIn } as const;
    await (payout.kind === 'refund' ? deps.exportRefundAgain : deps.exportWithdrawalAgain)(trx, again, now);
    await requireLostGone(trx, deps, payout, null, now);
  });

/** Its state is unknown, and the others of the export still have to get into the file. */
const asUnanswered = (error: unknown): unknown =>
  isUnavailable(error) ? new AppError('SERVICE_UNAVAILABLE', UNANSWERED) : error;

/** Why a payout can't be sent from here; null when it can. */
function findProblem({ chains }: ExportDeps, network: Network, payout: QueuedPayout): AppError | null {
  if (payout.destination === null) return conflict('A bank pays this one: it goes to no address.', 'no_address');
  const { token } = payout;
  if (!findAsset(network, payout))
    return conflict(
      `${token} is no longer listed on ${network.name}. List it again, or fail it.`,
      'network_not_listed',
    );
  const { units } = sent(network, payout);
  const least = leastPayable({ networks: [network], chains })({ network: network.name, token });
  if (units >= least) return null;
  return conflict(`${network.name} carries no less than ${least} base units. Fail it.`, 'payout_dust');
}

async function listAll(db: Db, { name }: Network, ids: readonly string[]): Promise<readonly QueuedPayout[]> {
  const page = await listPayouts(db, { network: name, ids }, { offset: 0, limit: ids.length });
  return page.rows;
}

async function begin(deps: ExportDeps, { principal, audit }: Omit<Export, 'ids'>, id: string): Promise<void> {
  const beginOne = id.startsWith('wd_') ? deps.beginWithdrawal : deps.beginRefund;
  await deps.asAdmin(principal, async (trx) => {
    const { merchantId } = await beginOne(trx, { id, by: principal.adminId, notes: null }, deps.clock.now());
    const action = id.startsWith('wd_') ? 'withdrawal.process' : 'refund.process';
    await audit.recordOther(trx, action, { resourceId: id, merchantId, metadata: { newStatus: 'processing' } });
  });
}

function writeFile(
  { db, chains }: ExportDeps,
  network: Network,
  payouts: readonly QueuedPayout[],
  order: Pick<PayoutOrder, 'feeRate' | 'isTrial' | 'mayLeaveOut' | 'at'>,
): Promise<PayoutFile> {
  return chains.writePayouts(network, {
    ...{ db, ...order },
    payouts: payouts.map((each) => ({
      ...{ id: each.id, contract: sent(network, each).contract, units: sent(network, each).units },
      destination: each.destination ?? '',
    })),
    listHeld: (limit) => listHeldOutputs(db, network.name, limit),
    listWaiting: async (ids) => {
      const { rows } = await listPayouts(db, { ids }, { offset: 0, limit: ids.length });
      return new Set(rows.map(({ id }) => id));
    },
  });
}

function toLine({ chains }: ExportDeps, network: Network, payout: QueuedPayout): (string | null)[] {
  const { id, kind, token } = payout;
  const { contract, units, decimals } = sent(network, payout);
  const shown = (address: string | null) => (address === null ? null : chains.presentAddress(address));
  const amount = presentUnits(token, units, decimals);
  return [id, kind, network.name, token, shown(contract), shown(payout.destination), amount, String(units)];
}

/** What was begun stays in its contract: the file of before may have been signed. Nothing where none is listed. */
function findAsset(network: Network, payout: QueuedPayout): Asset | undefined {
  const { token } = payout;
  const begunIn = paidInOf(payout.begunContract, payout.begunDecimals);
  if (begunIn && findPayable(network, token, null) === undefined) return undefined;
  return findPaidIn(network, { token, decimals: unitDecimals(payout), begunIn });
}

/** Those of the base units in which a refund is counted; null for a withdrawal, which is of dollars. */
const unitDecimals = ({ units, decimals }: QueuedPayout): number | null => (units === null ? null : decimals);

/** What a wallet sends. A withdrawal is of dollars, in a token of as many decimals as its network says. */
function sent(network: Network, payout: QueuedPayout) {
  const { token, units, micro } = payout;
  const asset = findAsset(network, payout);
  if (!asset) throw new Error(`${network.name} lists no ${token}`);
  const { decimals } = asset;
  return {
    contract: isToken(asset) ? asset.contract : null,
    decimals,
    units: units ?? rescaleUp(micro, MICRO_DECIMALS, decimals),
  };
}
