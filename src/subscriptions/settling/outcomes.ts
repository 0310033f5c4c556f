import { reasonOf } from '../../chains/collector.ts';
import { after, MINUTE_MS } from '../../lib/clock.ts';
import type { Trx } from '../../lib/db-types.ts';
import { type Id, newId } from '../../lib/ids.ts';
import { E12, MICRO_DECIMALS, rescale } from '../../lib/money.ts';
import { addCollectedCredit, type Collected } from '../../payments/collected.ts';
import { orphanCredit } from '../../payments/credits.ts';
import type { CreditedTransfer } from '../../payments/types.ts';
import type { Network, Token } from '../../ports/chain.ts';
import type { LockedRate } from '../../rates/quote.ts';
import type { Batch } from '../batch.ts';
import type { Charge, StoredMandate, Subscription } from '../records.ts';
import { VERDICTS } from '../schedule/charge.ts';
import { standingKey, type ToldEvent, wasFailedBefore } from './queries.ts';

/** The bytes that a reorg took out of their block are sent again by themselves; so long we wait for that. */
const RESEND_MS = MINUTE_MS;

/** What applying what the contract said has to know, and what it leaves to be written. */
export type Outcomes = {
  readonly batch: Batch;
  readonly networks: readonly Network[];
  readonly planNames: ReadonlyMap<string, string>;
  readonly standing: ReadonlySet<string>;
  /** Which of our transactions a hash names, of those in which something failed. */
  readonly senders: ReadonlyMap<string, string>;
  /** By id; changed as events are applied. */
  readonly mandates: Map<string, StoredMandate>;
  readonly changedMandates: Set<string>;
  readonly collected: Collected[];
};

/** Applies one thing that the contract said, or takes it back where a reorg did. In the order in which it was seen. */
export async function applyTold(trx: Trx, outcomes: Outcomes, event: ToldEvent): Promise<void> {
  switch (event.kind) {
    case 'authorized':
    case 'revoked':
      return applyMandate(outcomes, event);
    case 'collected':
      return event.canonical ? applyCollected(trx, outcomes, event) : revertCollected(trx, outcomes, event);
    default:
      // What failed in a block that is gone is asked of the chain again by the retries.
      return event.canonical ? applyFailed(trx, outcomes, event) : undefined;
  }
}

/** Only the newest mandate counts for the subscription; the row of each tells what the chain says of it. */
function applyMandate(outcomes: Outcomes, { kind, mandateId, subscriptionId, canonical, blockTime }: ToldEvent): void {
  const { batch, mandates, standing, changedMandates } = outcomes;
  const mandate = mandates.get(mandateId);
  if (!mandate) throw new Error(`there is no mandate ${mandateId}`);
  if (!canonical && standing.has(standingKey(kind, mandateId, 0))) return; // It is in another block by now.
  const at = canonical ? blockTime : null;
  const changed = kind === 'authorized' ? { ...mandate, authorizedAt: at } : { ...mandate, revokedAt: at };
  mandates.set(mandateId, changed);
  changedMandates.add(mandateId);
  const subscription = batch.subscription(subscriptionId);
  if (subscription?.mandateId !== mandateId) return;
  if (changed.revokedAt) batch.move(subscriptionId, { kind: 'mandate_revoked' });
  else if (!changed.authorizedAt) batch.move(subscriptionId, { kind: 'mandate_reverted' });
  else if (subscription.mandateStatus !== 'active') batch.move(subscriptionId, { kind: 'mandate_authorized' });
}

async function applyCollected(trx: Trx, outcomes: Outcomes, event: ToldEvent): Promise<void> {
  const { batch } = outcomes;
  const known = batch.chargeOf(event.subscriptionId, event.number) ?? batch.addLost(event.subscriptionId, event.number);
  const transfer = toTransfer(outcomes, event);
  const open = known.status !== 'confirming' && known.status !== 'succeeded';
  if (open) batch.note({ chargeId: known.id, outcome: 'collected', failureCode: null, txHash: event.txHash });
  if (known.paymentId !== null) {
    batch.moveCharge(known.id, { kind: 'collected' }, { txHash: event.txHash });
    return addCollectedCredit(trx, known.paymentId, transfer, batch.now);
  }
  const paymentId = newId('payment', batch.now);
  batch.moveCharge(known.id, { kind: 'collected' }, { paymentId, txHash: event.txHash, mandateId: event.mandateId });
  outcomes.collected.push(toCollected(outcomes, known, paymentId, transfer));
}

function toTransfer({ networks, mandates }: Outcomes, event: ToldEvent): CreditedTransfer {
  const mandate = mandates.get(event.mandateId);
  const token = tokenOf(networks, event.network, mandate);
  if (!mandate || !token || event.transferIndex === null || event.recipient === null) {
    throw new Error(
      `${event.txHash} on ${event.network} collected charge ${event.number} in a token that is not listed`,
    );
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

/** What the payment asks is what the charge was quoted at, as far as that is what arrived. */
function toCollected(
  { batch, planNames }: Outcomes,
  charge: Charge,
  paymentId: Id<'payment'>,
  transfer: CreditedTransfer,
): Collected {
  const subscription = batch.subscription(charge.subscriptionId);
  if (!subscription) throw new Error(`charge ${charge.id} has no subscription`);
  const arrived = rescale(transfer.units, transfer.token.decimals, MICRO_DECIMALS);
  if (arrived === 0n) {
    throw new Error(
      `${transfer.txHash} on ${transfer.network} collected charge ${charge.id}, and nothing that counts arrived by it`,
    );
  }
  const { quote } = charge;
  const asQuoted = quote?.units === transfer.units;
  return {
    paymentId,
    merchantId: charge.merchantId,
    subscriptionId: charge.subscriptionId,
    chargeId: charge.id,
    amountMinor: charge.amountMinor,
    currency: charge.currency,
    amountMicro: quote && asQuoted ? quote.amountMicro : arrived,
    rate: quote && asQuoted ? quote.rate : rateOf(charge, arrived, transfer.block.time),
    description: descriptionOf(subscription, planNames),
    customerEmail: subscription.customerEmail,
    transfer,
  };
}

/** The rate that the contract has carried out, where nobody knows any more what was quoted. */
const rateOf = ({ currency, amountMinor }: Charge, arrived: bigint, at: Date): LockedRate => ({
  pair: `USD/${currency}`,
  valueE8: ((amountMinor * E12) / arrived).toString(),
  source: 'collected',
  quotedAt: at.toISOString(),
});

const descriptionOf = ({ planId }: Subscription, names: ReadonlyMap<string, string>): string => names.get(planId) ?? '';

/** The money is back with the customer unless the same bytes are mined again; until then the charge is sent under the same number. */
async function revertCollected(trx: Trx, { batch, standing }: Outcomes, event: ToldEvent): Promise<void> {
  if (event.transferIndex !== null) await orphanCredit(trx, { ...event, index: event.transferIndex });
  const charge = batch.chargeOf(event.subscriptionId, event.number);
  if (!charge || standing.has(standingKey('collected', event.mandateId, event.number))) return;
  if (charge.status !== 'confirming') return;
  batch.note({ chargeId: charge.id, outcome: 'lost', failureCode: null, txHash: event.txHash });
  const reverted = batch.moveCharge(charge.id, { kind: 'reverted' });
  if (reverted.status === 'due') {
    batch.moveCharge(charge.id, { kind: 'ordered' }, { dueAt: after(batch.now, RESEND_MS) });
  }
}

/**
 * A charge that is on its way has come to nothing. For one that is not, or that another transaction brings by now, this is old news: a reorg
 * puts what failed before into another block.
 */
async function applyFailed(trx: Trx, { batch, senders }: Outcomes, event: ToldEvent): Promise<void> {
  const charge = batch.chargeOf(event.subscriptionId, event.number);
  if (charge?.status !== 'sending' || charge.mandateId !== event.mandateId || event.reason === null) return;
  if (charge.transactionId !== senders.get(event.txHash)) return;
  const reason = reasonOf(event.reason);
  const verdict = VERDICTS[reason];
  const { txHash } = event;
  if (verdict === 'collected') return;
  // A token is also said to refuse what only ran out of gas, and a moment before it would not have refused.
  const doubtful = reason === 'TokenRefused' && !(await wasFailedBefore(trx, event));
  if (verdict === 'charged_before' || verdict === 'not_yet' || doubtful) {
    // Before it is sent again, the chain is asked; it knows the day, whether the money was taken before, and whether the token refuses.
    batch.note({ chargeId: charge.id, outcome: 'deferred', failureCode: null, txHash });
    batch.moveCharge(charge.id, { kind: 'deferred', until: after(batch.now, RESEND_MS), code: null });
    return;
  }
  batch.note({ chargeId: charge.id, outcome: 'failed', failureCode: verdict, txHash });
  batch.moveCharge(charge.id, { kind: 'failed', code: verdict }, { txHash: null });
}
