import { reasonOf } from '../../chains/collector.ts';
import { after, MINUTE_MS } from '../../lib/clock.ts';
import type { Trx } from '../../lib/db-types.ts';
import { type Id, newId } from '../../lib/ids.ts';
import { E12, MICRO_DECIMALS, rescale } from '../../lib/money.ts';
import { addCollectedCredit, type Collected } from '../../payments/collected.ts';
import { orphanCredit } from '../../payments/credits.ts';
import type { CreditedTokens } from '../../payments/types.ts';
import type { Network, Token } from '../../ports/chain.ts';
import type { LockedRate } from '../../rates/quote.ts';
import type { Batch } from '../batch.ts';
import { isInDecimals } from '../charging/prepare.ts';
import type { StoredMandate } from '../mandates/mandate.ts';
import type { Subscription } from '../queries.ts';
import { type Charge, type ChargeQuote, COLLECT_OUTCOMES } from '../schedule/charge.ts';
import { canonicalKey, type StoredCollectorEvent, wasFailedBefore } from './queries.ts';

/**
 * How long a charge waits for its removed transaction to be included again.
 * See decision subscriptions/wait-after-a-reorg.
 */
const RESEND_MS = MINUTE_MS;

/** What applying collector events reads, and collects for `saveBatch` to write. */
export type Outcomes = {
  readonly batch: Batch;
  /** With tokens that are no longer listed, too: their charges may have been on their way. */
  readonly networks: readonly Network[];
  readonly planNames: ReadonlyMap<string, string>;
  /** What removed events say and a canonical block says as well. */
  readonly canonical: ReadonlySet<string>;
  /** The operator's transactions behind failed collections and first ones: transaction hash → id. */
  readonly senders: ReadonlyMap<string, string>;
  /** By id; updated as events are applied. */
  readonly mandates: Map<string, StoredMandate>;
  readonly changedMandates: Set<string>;
  readonly collected: Collected[];
};

/**
 * Applies one collector event, or reverses it if a reorg removed it. Call in the order of observation.
 * See decision subscriptions/only-events-move-money.
 */
export async function applyCollectorEvent(trx: Trx, outcomes: Outcomes, event: StoredCollectorEvent): Promise<void> {
  switch (event.kind) {
    case 'authorized':
    case 'revoked':
      return applyMandate(outcomes, event);
    case 'collected':
      return event.canonical ? applyCollected(trx, outcomes, event) : revertCollected(trx, outcomes, event);
    default:
      // A failure in a removed block needs nothing: the retries ask the chain again.
      return event.canonical ? applyFailed(trx, outcomes, event) : undefined;
  }
}

/** Updates the mandate's row, and the subscription if the mandate is its current one. */
function applyMandate(outcomes: Outcomes, event: StoredCollectorEvent): void {
  const { kind, mandateId, subscriptionId, canonical, blockTime } = event;
  const { batch, mandates, changedMandates } = outcomes;
  const mandate = mandates.get(mandateId);
  if (!mandate) throw new Error(`there is no mandate ${mandateId}`);
  if (!canonical && outcomes.canonical.has(canonicalKey(kind, mandateId, 0))) return; // Another block has it.
  const at = canonical ? blockTime : null;
  const changed = kind === 'authorized' ? { ...mandate, authorizedAt: at } : { ...mandate, revokedAt: at };
  mandates.set(mandateId, changed);
  changedMandates.add(mandateId);
  const subscription = batch.subscription(subscriptionId);
  if (subscription?.mandateId !== mandateId) return;
  if (changed.revokedAt) batch.step(subscriptionId, { kind: 'mandate_revoked' });
  else if (!changed.authorizedAt) batch.step(subscriptionId, { kind: 'mandate_reverted' });
  else if (subscription.mandateStatus !== 'active') {
    const { confirming } = batch.lookAt(subscriptionId);
    batch.step(subscriptionId, { kind: 'mandate_authorized', at: changed.authorizedAt, confirming });
  }
}

async function applyCollected(trx: Trx, outcomes: Outcomes, event: StoredCollectorEvent): Promise<void> {
  const { batch } = outcomes;
  const known = batch.chargeOf(event.subscriptionId, event.number) ?? batch.addLost(event.subscriptionId, event.number);
  const isOurs = outcomes.senders.has(event.txHash) && known.status !== 'void';
  if (!isOurs) batch.collectedApart(known.id, event.blockTime);
  const transfer = toTransfer(outcomes, event);
  const open = known.status !== 'confirming' && known.status !== 'succeeded';
  if (open) batch.note({ chargeId: known.id, outcome: 'collected', failureCode: null, txHash: event.txHash });
  if (known.paymentId !== null) {
    batch.stepCharge(known.id, { kind: 'collected' }, { txHash: event.txHash });
    return addCollectedCredit(trx, known.paymentId, transfer, batch.now);
  }
  const paymentId = newId('payment', batch.now);
  const quote = quoteOf(known, transfer);
  const { txHash, mandateId } = event;
  batch.stepCharge(known.id, { kind: 'collected' }, { paymentId, txHash, mandateId, quote });
  outcomes.collected.push(toCollected(outcomes, { ...known, quote }, paymentId, transfer));
}

function toTransfer({ networks, mandates }: Outcomes, event: StoredCollectorEvent): CreditedTokens {
  const mandate = mandates.get(event.mandateId);
  const token = tokenOf(networks, event.network, mandate);
  const what = `${event.txHash} on ${event.network} collected charge ${event.number}`;
  if (!mandate || !token) {
    throw new Error(`${what} in a token that is not listed: list ${mandate?.tokenContract} on ${event.network} again`);
  }
  if (event.transferIndex === null || event.recipient === null) {
    const command = `npx kasi rescan ${event.network} ${event.blockNumber} ${event.blockNumber}`;
    throw new Error(`${what}, and no transfer of it was read; where its token was not listed, ${command} finds it`);
  }
  return {
    network: event.network,
    block: { height: Number(event.blockNumber), hash: event.blockHash, time: event.blockTime },
    txHash: event.txHash,
    index: event.transferIndex,
    token,
    from: mandate.payer,
    to: event.recipient,
    units: event.units,
  };
}

const tokenOf = (networks: readonly Network[], name: string, mandate: StoredMandate | undefined): Token | undefined =>
  networks.find((network) => network.name === name)?.tokens.find(({ contract }) => contract === mandate?.tokenContract);

/** The payment of a collection: it has the amount and rate of the charge's quote. */
function toCollected(
  { batch, planNames }: Outcomes,
  charge: Charge & { readonly quote: ChargeQuote },
  paymentId: Id<'payment'>,
  transfer: CreditedTokens,
): Collected {
  const subscription = batch.subscription(charge.subscriptionId);
  if (!subscription) throw new Error(`charge ${charge.id} has no subscription`);
  return {
    paymentId,
    merchantId: charge.merchantId,
    subscriptionId: charge.subscriptionId,
    chargeId: charge.id,
    amountMinor: charge.amountMinor,
    currency: charge.currency,
    amountMicro: charge.quote.amountMicro,
    rate: charge.quote.rate,
    description: descriptionOf(subscription, planNames),
    customerEmail: subscription.customerEmail,
    locale: subscription.locale,
    transfer,
  };
}

/**
 * The charge's quote if exactly that arrived, else a quote of what arrived: an earlier try may be mined after another
 * was quoted, or in a token of other decimals than the one that is listed by now. The charge shows this quote, and a
 * collection after a reorg repeats it.
 */
export function quoteOf(charge: Charge, { units, token, txHash, network, block }: CreditedTokens): ChargeQuote {
  const arrived = rescale(units, token.decimals, MICRO_DECIMALS);
  if (arrived === 0n) {
    throw new Error(`${txHash} on ${network} collected charge ${charge.id}, and nothing that counts arrived by it`);
  }
  if (charge.quote?.units === units && isInDecimals(charge.quote, token.decimals)) return charge.quote;
  return { rate: rateOf(charge, arrived, block.time), amountMicro: arrived, units };
}

/** The rate that the collection implies, where the quote is unknown or differs. */
const rateOf = ({ currency, amountMinor }: Charge, arrived: bigint, at: Date): LockedRate => ({
  pair: `USD/${currency}`,
  valueE8: ((amountMinor * E12) / arrived).toString(),
  source: 'collected',
  quotedAt: at.toISOString(),
});

const descriptionOf = ({ planId }: Subscription, names: ReadonlyMap<string, string>): string => names.get(planId) ?? '';

/** A reorg gave the money back to the customer, unless the same bytes are mined again. The charge keeps its number. */
async function revertCollected(trx: Trx, { batch, canonical }: Outcomes, event: StoredCollectorEvent): Promise<void> {
  if (event.transferIndex !== null) await orphanCredit(trx, { ...event, index: event.transferIndex });
  const charge = batch.chargeOf(event.subscriptionId, event.number);
  if (!charge || canonical.has(canonicalKey('collected', event.mandateId, event.number))) return;
  if (charge.status !== 'confirming') return;
  batch.note({ chargeId: charge.id, outcome: 'lost', failureCode: null, txHash: event.txHash });
  const reverted = batch.stepCharge(charge.id, { kind: 'reverted' });
  if (reverted.status === 'due') {
    batch.stepCharge(charge.id, { kind: 'ordered' }, { dueAt: after(batch.now, RESEND_MS) });
  }
}

/**
 * Fails the charge in flight. Ignores the event as stale when the charge is not in flight or another transaction
 * carries it by now: a reorg can put an old failure into another block.
 */
async function applyFailed(trx: Trx, { batch, senders }: Outcomes, event: StoredCollectorEvent): Promise<void> {
  const charge = batch.chargeOf(event.subscriptionId, event.number);
  if (charge?.status !== 'sending' || charge.mandateId !== event.mandateId || event.reason === null) return;
  if (charge.transactionId !== senders.get(event.txHash)) return;
  const reason = reasonOf(event.reason);
  const outcome = COLLECT_OUTCOMES[reason];
  const { txHash } = event;
  if (outcome === 'collected') return;
  // Running out of gas looks like a refusal by the token, so the first refusal is asked again.
  const doubtful = reason === 'TokenRefused' && !(await wasFailedBefore(trx, event));
  if (outcome === 'charged_before' || outcome === 'not_yet' || doubtful) {
    // The next attempt's preview tells whether the windows allow it, it was charged before, or the token refuses it.
    batch.note({ chargeId: charge.id, outcome: 'deferred', failureCode: null, txHash });
    batch.stepCharge(charge.id, { kind: 'deferred', until: after(batch.now, RESEND_MS), code: null });
    return;
  }
  batch.note({ chargeId: charge.id, outcome: 'failed', failureCode: outcome, txHash });
  batch.stepCharge(charge.id, { kind: 'failed', code: outcome }, { txHash: null });
}
