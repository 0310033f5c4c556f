import { enqueue, prepareFees } from '../chains/operator/operator.ts';
import type { OperatorListener } from '../chains/operator/pass.ts';
import type { Reach } from '../chains/reach.ts';
import { inTransaction } from '../db/transaction.ts';
import { after, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { messageOf } from '../lib/errors.ts';
import { MICRO_DECIMALS, rescale } from '../lib/money.ts';
import { leastWorthCollecting } from '../payments/gas-share.ts';
import { lockPayment } from '../payments/queries.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { JobRun } from '../ports/job.ts';
import type { OperatorAccount } from '../ports/operator.ts';
import type { Prospect, SignedTransfer } from '../ports/signed-transfers.ts';
import type { CoinPrice } from '../rates/quote.ts';
import type { Settings, SettingsReader } from '../settings/settings.ts';
import { findObstacle } from './limits.ts';
import { listDue, lockRelay, lockSending, putOff, saveOutcome, saveSent, saveState } from './queries.ts';
import { follow, RELAY_PURPOSE, type Relay, type RelayReason } from './relay.ts';
import { findChange, findWayOf, type TermsDeps, transferOf, type Way } from './terms.ts';

export type SendDeps = Omit<TermsDeps, 'chains'> & {
  readonly db: Db;
  readonly chains: TermsDeps['chains'] & Pick<Chains, 'openOperatorNode'>;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly reach: Pick<Reach, 'isClosed'>;
  readonly coinPrice: CoinPrice;
  readonly livemode: boolean;
  /** The account that pays for sweeps, and for this; null: this process sends nothing. */
  readonly sweeper: OperatorAccount | null;
  readonly log: (error: unknown, message: string) => void;
};

const BATCH_MAX = 50;
/** When one is tried again: while its gas is dear, and after a trial that a node did not answer. */
const DEAR_MS = MINUTE_MS;
const FAILED_MS = 10 * SECOND_MS;
/** A node that fails so many trials of a run gets no more of them. Those wait, so that the next run tries others. */
const FAILURES_MAX = 3;

/** What it costs to send now. */
type Market = Awaited<ReturnType<typeof prepareFees>>;

/**
 * Brings signed transfers to the chain, each once, and again when its transaction is lost. What is no longer asked for,
 * or what the token would refuse, is not sent. No network waits for another one, and no transfer for one that has to
 * wait.
 */
export async function sendSigned(deps: SendDeps, run: JobRun): Promise<void> {
  const { sweeper } = deps;
  if (sweeper === null) return;
  const open = deps.networks.filter(({ name }) => !deps.reach.isClosed(name));
  await Promise.all(open.map((network) => sendOn(deps, network, sweeper, run)));
}

async function sendOn(deps: SendDeps, network: Network, sweeper: OperatorAccount, run: JobRun): Promise<void> {
  try {
    const due = await listDue(deps.db, network.name, BATCH_MAX, run.now);
    if (due.length === 0) return;
    const market = await prepareFees({ ...deps, operator: sweeper }, network);
    const route = { network, sweeper, market, settings: await deps.settings.current() };
    let failures = 0;
    for (const relay of due) {
      if (run.signal.aborted || failures === FAILURES_MAX) return;
      if (!(await trySending(deps, route, relay, run.now))) failures += 1;
    }
  } catch (error) {
    deps.log(error, `${network.name}: signed transfers can not be sent; they wait: ${messageOf(error)}`);
  }
}

type Route = {
  readonly network: Network;
  readonly sweeper: OperatorAccount;
  readonly market: Market;
  readonly settings: Settings;
};

/** Whether it could be decided about one; another time is set when not. */
async function trySending(deps: SendDeps, route: Route, relay: Relay, now: Date): Promise<boolean> {
  try {
    await sendOne(deps, route, relay, now);
    return true;
  } catch (error) {
    const { paymentId, network } = relay;
    deps.log(error, `${network}: what was signed for ${paymentId} can not be tried; it waits: ${messageOf(error)}`);
    await putOff(deps.db, relay, after(now, FAILED_MS));
    return false;
  }
}

async function sendOne(deps: SendDeps, route: Route, relay: Relay, now: Date): Promise<void> {
  const { paymentId, signature, permit } = relay;
  const { network, sweeper, market } = route;
  const way = findWayOf(deps, relay);
  const transfer = way && transferOf(way, relay);
  const call = way && transfer && way.transfers.encode(transfer, relay);
  const worth = way ? rescale(relay.units, way.token.decimals, MICRO_DECIMALS) : 0n;
  // Judged first: what is dear must cost no node anything.
  const isDear = call !== undefined && (market.kind !== 'quoted' || (await isTooDear(deps, route, call.gas, worth)));
  const limits = { gas: call?.gas ?? 0n, settings: route.settings, now };
  const isStopped = isDear || (await findObstacle(deps.db, relay, limits)) !== null;
  const prospect = isStopped ? null : await tryAt(way, transfer, relay, sweeper);
  await inTransaction(deps.db, async (trx) => {
    const payment = await lockPayment(trx, { id: paymentId });
    const current = await lockRelay(trx, paymentId);
    if (current?.status !== 'signed' || current.signature !== signature) return;
    // A key signs the same terms the same way again, now perhaps with an allowance.
    if (current.permit?.signature !== permit?.signature) return;
    await lockSending(trx);
    const obstacle = await findObstacle(trx, relay, limits);
    const refused = obstacle?.kind === 'refused' ? obstacle.reason : null;
    const reason = findChange(payment, current, now) ?? refused ?? (prospect && REASONS[prospect]);
    if (reason) return saveState(trx, paymentId, { status: 'refused', reason, sentBy: null }, now);
    if (obstacle?.kind === 'waits') return putOff(trx, relay, after(now, obstacle.forMs));
    // It waits for cheaper gas until its deadline; what was in the way until now, for a trial.
    if (!call || isDear || prospect === 'dear' || market.kind !== 'quoted')
      return putOff(trx, relay, after(now, DEAR_MS));
    if (prospect === null) return;
    const order = { ...call, network, purpose: RELAY_PURPOSE, subject: paymentId, fees: market.fees };
    const { id } = await enqueue(trx, { operator: sweeper }, order, now);
    await saveSent(trx, paymentId, { sentBy: id, gas: call.gas }, now);
  });
}

/** What would become of it now. Rejects when the node does not answer. */
const tryAt = async (
  way: Way | undefined,
  transfer: SignedTransfer | undefined,
  relay: Relay,
  { address }: OperatorAccount,
): Promise<Prospect> => (way && transfer ? way.transfers.simulate(transfer, relay, address) : 'refused');

const REASONS: Readonly<Record<Prospect, RelayReason | null>> = {
  passes: null,
  dear: null,
  balance: 'balance',
  spent: 'spent',
  allowance: 'allowance',
  wallet: 'wallet',
  refused: 'token',
};

/** Whether gas costs more than its share of the payment, or nobody knows what it costs in real money. */
async function isTooDear(
  { coinPrice, livemode }: SendDeps,
  { network, market, settings }: Route,
  gas: bigint,
  worthMicro: bigint,
): Promise<boolean> {
  const least = await leastWorthCollecting(network, gas, market.priceWei, coinPrice, settings);
  return least === null ? livemode : worthMicro < least;
}

/** Notes what became of our transactions that carry signed transfers. */
export const followRelays: OperatorListener = async (trx, moved, now) => {
  for (const transaction of moved) {
    if (transaction.purpose !== RELAY_PURPOSE) continue;
    const state = follow(transaction);
    await saveOutcome(trx, transaction.id, state, now);
    if (state.status === 'signed') trx.wake('kasi_relays');
  }
};
