import type { components } from '../../generated/api.ts';
import { nodeAnswers } from '../chains/node-answers.ts';
import { listTransactions, type OperatorTransactionId } from '../chains/operator/queries.ts';
import type { Reach } from '../chains/reach.ts';
import { inTransaction } from '../db/transaction.ts';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { conflict, invalidField } from '../lib/errors.ts';
import { inTime } from '../lib/in-time.ts';
import { formatFixed } from '../lib/money.ts';
import { mayCollect, requireCollects } from '../merchants/guard.ts';
import { getCollectsBy } from '../merchants/queries.ts';
import { requireOpen } from '../payments/options.ts';
import { getPayment, lockPayment } from '../payments/queries.ts';
import type { Payment } from '../payments/types.ts';
import type { AuditTrail } from '../ports/operation.ts';
import type { Signatures, SignedPermit, Standing } from '../ports/signed-transfers.ts';
import type { Settings, SettingsReader } from '../settings/settings.ts';
import { countSent, countSigned, findRelay, hasReverted, lockRelay, saveSigned } from './queries.ts';
import { isOnItsWay, type Relay, type SignedTerms } from './relay.ts';
import {
  findWayOf,
  type PriceDeps,
  type RelayChoice,
  requirePriced,
  type TermsDeps,
  termsOf,
  transferOf,
  type Way,
} from './terms.ts';

export type RelayDeps = TermsDeps &
  PriceDeps & {
    readonly db: Db;
    readonly settings: Pick<SettingsReader, 'current'>;
    readonly reach: Pick<Reach, 'isClosed'>;
  };

type View = components['schemas']['SignedTransfer'];

/** Signatures that a wallet may bring within 24 hours, whatever became of them. */
const PAYER_DAILY_MAX = 10;
/** Longest wait for an answer of a node that only spares a wallet a signature for nothing. */
const HINT_WITHIN_MS = 2000;

/**
 * What a wallet signs for a payment, and what became of that. Throws NOT_FOUND, CONFLICT when the payment can't be paid
 * so, and SERVICE_UNAVAILABLE while its network is closed.
 */
export async function readSignedTransfer(
  deps: RelayDeps,
  paymentId: string,
  choice: RelayChoice,
  now: Date,
): Promise<View> {
  const [payment, relay] = [await getPayment(deps.db, { id: paymentId }), await findRelay(deps.db, paymentId)];
  const own = relay && ownWay(deps, relay, choice);
  if (relay && own && relay.status !== 'refused') return present(deps, own, paymentId, relay, relay);
  requireFree(relay, choice);
  const { way, terms } = await askNow(deps, payment, choice, now);
  // What was refused says why itself.
  if (!own) await requireNoneReverted(deps.db, terms.payer, now);
  const standing = await findStanding(way, terms);
  if (standing.kind === 'contract' && !own) throw hasCode();
  const view = await present(deps, way, paymentId, terms, own ? relay : undefined);
  return { ...view, ...askFor(way, terms, standing, view.status) };
}

/**
 * Whether the wallet can pay by a signature. Throws SERVICE_UNAVAILABLE without an answer that the way to sign depends
 * on; else the trial will tell.
 */
async function findStanding(way: Way, terms: SignedTerms): Promise<Standing> {
  const { network, transfers, method } = way;
  const asked = transfers.findStanding(transferOf(way, terms));
  if (method === 'permit2') return nodeAnswers(network.name, asked, 'nobody knows whether this wallet can sign');
  return inTime(asked, HINT_WITHIN_MS).catch((): Standing => ({ kind: 'ready' }));
}

/** What the wallet has to do besides signing `typedData`. What was refused stays so until it signs again. */
const askFor = (way: Way, terms: SignedTerms, standing: Standing, status: View['status']) => ({
  ...(standing.kind === 'to_approve' && status === 'to_sign' && { status: 'to_approve' as const }),
  ...(standing.kind === 'to_permit' && {
    permit: {
      nonce: String(standing.nonce),
      typedData: way.transfers.permitTypedData(transferOf(way, terms), standing.nonce),
    },
  }),
});

/** How the relay was signed, if this is its wallet's choice. */
function ownWay(deps: RelayDeps, relay: Relay, { network, payer, token, method }: RelayChoice): Way | undefined {
  const way = findWayOf(deps, relay);
  if (!way || relay.network !== network || way.token.symbol !== token) return undefined;
  if (method !== undefined && method !== relay.method) return undefined;
  return deps.chains.kindOf(way.network).addresses.canonical(payer) === relay.payer ? way : undefined;
}

export type Submission = RelayChoice & {
  readonly paymentId: string;
  readonly signature: string;
  readonly permit?: GivenPermit;
};

/** An allowance as a wallet brings it, with its number as digits; without a deadline it has that of the transfer. */
export type GivenPermit = { readonly nonce: string; readonly signature: string; readonly deadline?: number };

/**
 * Verifies a wallet's signature over what a payment asks for and stores it, for a job to bring to the chain. Asks no
 * node. Idempotent for the same signature. Throws NOT_FOUND, VALIDATION_ERROR for a signature that the token would
 * refuse, and CONFLICT when the payment can't be paid so or a limit of the day is reached.
 */
export async function submitAuthorization(
  deps: RelayDeps,
  { paymentId, signature: given, permit: allowance, ...choice }: Submission,
  { now, audit }: { readonly now: Date; readonly audit: Pick<AuditTrail, 'record'> },
): Promise<View> {
  const before = await findRelay(deps.db, paymentId);
  const way = before && isOnItsWay(before) ? ownWay(deps, before, choice) : undefined;
  const payment = await getPayment(deps.db, { id: paymentId });
  const asked = way && before ? { way, terms: before } : await askNow(deps, payment, choice, now);
  const { transfers } = asked.way;
  const signature = transfers.normalizeSignature(given.toLowerCase());
  if (!(await transfers.isSigned(transferOf(asked.way, asked.terms), signature))) {
    throw invalidField(
      'signature',
      'must be a signature of `payer` over `typedData` as it is now; read it again and sign that',
    );
  }
  const permit = allowance ? await readPermit(asked.way, asked.terms, allowance) : null;
  const relay = await inTransaction(deps.db, async (trx) => {
    const stored = await store(trx, deps, { paymentId, choice, terms: asked.terms, signature, permit }, now);
    await audit.record(trx, {
      actor: { type: 'system', id: 'payer' },
      resourceId: paymentId,
      merchantId: stored.merchantId,
      metadata: { payer: deps.chains.presentAddress(stored.payer), network: stored.network },
    });
    return stored;
  });
  return present(deps, asked.way, paymentId, relay, relay);
}

/** The allowance as it is stored. Throws VALIDATION_ERROR unless the wallet has signed just what the transfer moves. */
async function readPermit(way: Way, terms: SignedTerms, given: GivenPermit): Promise<SignedPermit> {
  const { transfers, token, method } = way;
  if (method !== 'permit2' || !token.permit) {
    throw invalidField(
      'permit',
      `is for transfers by Permit2 of tokens with ERC-2612; leave it out for ${token.symbol}`,
    );
  }
  const permit = {
    deadline: given.deadline ?? terms.validBefore - 1,
    signature: transfers.normalizeSignature(given.signature.toLowerCase()),
  };
  if (await transfers.isPermitSigned(transferOf(way, terms), permit, BigInt(given.nonce))) return permit;
  throw invalidField('permit', 'must be a signature of `payer` over its `typedData` as it is now; read it again');
}

async function askNow(deps: RelayDeps, payment: Payment, choice: RelayChoice, now: Date) {
  requireOpen(choice.network, deps.reach);
  const settings = await deps.settings.current();
  await requireStillCollects(deps.db, payment, settings);
  const asked = termsOf(deps, payment, choice, settings, now);
  await requirePriced(deps, asked.way.network, settings);
  return asked;
}

/** Throws CONFLICT (`merchant_not_active`) while the merchant may not collect: a payer then signs nothing. */
export async function requireStillCollects(db: Db, { merchantId }: Payment, settings: Settings): Promise<void> {
  requireCollects(mayCollect(await getCollectsBy(db, merchantId), settings));
}

type Signed = {
  readonly paymentId: string;
  readonly choice: RelayChoice;
  readonly terms: SignedTerms;
} & Signatures;

async function store(
  trx: Trx,
  deps: RelayDeps,
  { paymentId, choice, terms, signature, permit }: Signed,
  now: Date,
): Promise<Relay> {
  const payment = await lockPayment(trx, { id: paymentId });
  const current = await lockRelay(trx, paymentId);
  // Of this wallet's signatures over the same terms one is as good as another: the token executes one of them.
  if (current && isOnItsWay(current) && ownWay(deps, current, choice) && isSame(current, terms)) return current;
  requireFree(current, choice);
  requireNotRefused(current);
  const settings = await deps.settings.current();
  if (!isSame(termsOf(deps, payment, choice, settings, now).terms, terms)) throw changedMeanwhile();
  const { merchantId } = payment;
  await requireNoneReverted(trx, terms.payer, now);
  const since = after(now, -DAY_MS);
  if ((await countSigned(trx, terms.payer, since)) >= PAYER_DAILY_MAX) throw tooMany();
  // What is only signed costs nothing: whoever brings worthless signatures must not use up a shop's day.
  if ((await countSent(trx, merchantId, since)) >= settings.relayDailyMax) throw tooMany();
  const relay: Relay = {
    ...{ paymentId, merchantId, signature, permit, status: 'signed', reason: null, sentBy: null },
    ...{
      network: terms.network,
      contract: terms.contract,
      method: terms.method,
      payer: terms.payer,
      recipient: terms.recipient,
    },
    ...{ units: terms.units, validAfter: terms.validAfter, validBefore: terms.validBefore, nonce: terms.nonce },
  };
  await saveSigned(trx, relay, now);
  trx.wake('kasi_relays');
  return relay;
}

const isSame = (one: SignedTerms, other: SignedTerms): boolean =>
  one.network === other.network &&
  one.contract === other.contract &&
  one.method === other.method &&
  one.payer === other.payer &&
  one.recipient === other.recipient &&
  one.units === other.units &&
  one.validAfter === other.validAfter &&
  one.nonce === other.nonce &&
  one.validBefore === other.validBefore;

/** Throws CONFLICT while another wallet's signature is on its way: both would be taken. */
function requireFree(relay: Relay | undefined, { payer }: RelayChoice): void {
  if (!relay || !isOnItsWay(relay)) return;
  const whose = relay.payer === payer.toLowerCase() ? 'this' : 'another';
  throw conflict(`What ${whose} wallet has signed for this payment is on its way already.`);
}

/** Throws CONFLICT when the chain has refused what was signed before: a payment costs us one transaction. */
export function requireNotRefused(relay: Pick<Relay, 'status'> | undefined): void {
  if (relay?.status !== 'reverted') return;
  throw conflict(
    'The chain refused what was signed for this payment, so nothing more is sent for it. Pay by a transfer that the wallet sends itself.',
  );
}

/** Throws CONFLICT for a wallet one of whose transfers failed on a chain: the next ones would cost us as much. */
async function requireNoneReverted(db: Db | Trx, payer: string, now: Date): Promise<void> {
  if (!(await hasReverted(db, payer, after(now, -DAY_MS)))) return;
  throw conflict(
    'A transfer that this wallet had signed failed on the chain, so nothing is sent for it for 24 hours. Pay by a transfer that the wallet sends itself.',
  );
}

const hasCode = () =>
  conflict(
    'This wallet is a contract, or has handed itself over to one, which would be asked about its signatures at our cost. Pay by a transfer that it sends itself.',
  );

const changedMeanwhile = () =>
  conflict('What this payment asks for has changed meanwhile. Read it again and sign what it shows.');

const tooMany = () =>
  conflict(
    'No more signed transfers are sent today for this wallet or this shop. Pay by a transfer that the wallet sends itself.',
  );

async function present(
  { db, chains }: RelayDeps,
  way: Way,
  paymentId: string,
  terms: SignedTerms,
  relay: Relay | undefined,
): Promise<View> {
  const { network, token, transfers } = way;
  const sentBy = relay?.sentBy;
  const [transaction] = sentBy ? await listTransactions(db, [sentBy as OperatorTransactionId]) : [];
  return {
    paymentId,
    network: network.name,
    token: token.symbol,
    payer: chains.presentAddress(terms.payer),
    recipient: chains.presentAddress(terms.recipient),
    amount: formatFixed(terms.units, token.decimals),
    validBefore: new Date(terms.validBefore * 1000).toISOString(),
    method: terms.method,
    typedData: transfers.typedData(transferOf(way, terms)),
    permit: null,
    status: relay?.status ?? 'to_sign',
    reason: relay?.reason ?? null,
    transactionHash: transaction?.hash ?? null,
  };
}
