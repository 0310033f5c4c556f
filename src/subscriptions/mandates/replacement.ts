import type { Trx } from '../../lib/db-types.ts';
import { AppError } from '../../lib/errors.ts';
import { MICRO_DECIMALS, max, rescaleUp } from '../../lib/money.ts';
import type { RateReader } from '../../rates/quote.ts';
import type { SettingsReader } from '../../settings/settings.ts';
import type { Batch } from '../batch.ts';
import { type CollectingDeps, type CollectingToken, findCollecting } from '../plans/plan.ts';
import type { Subscription } from '../queries.ts';
import { type MandateTerms, mandateTerms } from '../schedule/mandate-window.ts';
import { numberAt, openNumber, orderOf, shownStatus } from '../schedule/subscription-state.ts';
import { newMandate, type StoredMandate } from './mandate.ts';
import { findMandates, insertMandate } from './queries.ts';

export type ReplacementDeps = CollectingDeps & {
  readonly rates: RateReader;
  readonly settings: SettingsReader;
};

/**
 * Creates a replacement mandate for the customers of these locked subscriptions to sign, because theirs can never be
 * charged again: it was revoked, has ended, or allows less than the price now. Its windows begin with the next charged
 * period. Leaves alone subscriptions that have ended or cannot be collected any more.
 * See decision subscriptions/replace-revoked-mandates-at-once.
 */
export async function requestReplacements(
  trx: Trx,
  deps: ReplacementDeps,
  batch: Batch,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const subscription = batch.subscription(id);
    const collecting = subscription && isLive(subscription) && findCollecting(deps, subscription);
    if (!collecting) continue;
    const first = subscription.recharge ?? Math.max(subscription.nextNumber, numberAt(subscription, batch.now));
    const before = await findFormer(trx, subscription, collecting);
    const priced = await termsOf(deps, subscription, collecting, first, before);
    const owed = before ? owedBy(batch, subscription) : 0n;
    const terms = { ...priced, maxPerPeriod: max(priced.maxPerPeriod, owed) };
    const start = await freshStart(trx, id, terms);
    const mandate = newMandate(subscription, collecting, { ...terms, start }, first, batch.now);
    await insertMandate(trx, mandate);
    batch.replaceMandate(id, mandate.id);
  }
}

/** The mandate in whose place another comes, if that counts in units of the same token. */
async function findFormer(
  trx: Trx,
  { mandateId }: Subscription,
  { token }: CollectingToken,
): Promise<StoredMandate | undefined> {
  const [before] = await findMandates(trx, mandateId === null ? [] : [mandateId]);
  return before?.tokenContract === token.contract ? before : undefined;
}

/** A charge whose collection a reorg took keeps its quote, which may be more than today's price and its headroom. */
function owedBy(batch: Batch, subscription: Subscription): bigint {
  const charge = batch.chargeOf(subscription.id, openNumber(subscription));
  return charge && charge.paymentId !== null && charge.status !== 'succeeded' ? (charge.quote?.units ?? 0n) : 0n;
}

const isLive = (subscription: Subscription): boolean =>
  ['active', 'trialing', 'past_due'].includes(shownStatus(subscription));

async function termsOf(
  deps: ReplacementDeps,
  subscription: Subscription,
  { token }: CollectingToken,
  firstNumber: number,
  before: StoredMandate | undefined,
): Promise<MandateTerms> {
  const firstDue = orderOf(subscription, firstNumber).periodStart;
  const { manualRates } = await deps.settings.current();
  try {
    const { amountMicro } = await deps.rates.toMicro(subscription.amountMinor, subscription.currency, manualRates);
    const tokenAmount = rescaleUp(amountMicro, MICRO_DECIMALS, token.decimals);
    return mandateTerms({ ...subscription, tokenAmount, firstDue });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RATE_UNAVAILABLE') throw error;
    // Without a rate, ask for the former limit rather than wait.
    if (!before) throw error;
    return { ...mandateTerms({ ...subscription, tokenAmount: 1n, firstDue }), maxPerPeriod: before.maxPerPeriod };
  }
}

/**
 * The contract identifies mandates by their terms and never accepts a revoked one again, so each starts a second
 * before the earliest one with the same terms. One query finds it, because revoking a thousand times costs a payer
 * little.
 */
async function freshStart(
  trx: Trx,
  subscriptionId: string,
  { maxPerPeriod, period, start, end, carry }: MandateTerms,
): Promise<number> {
  const { earliest } = await trx
    .selectFrom('mandates')
    .select((eb) => eb.fn.min('starts_at').as('earliest'))
    .where('subscription_id', '=', subscriptionId)
    .where('max_units', '=', maxPerPeriod)
    .where('window_seconds', '=', BigInt(period))
    .where('ends_at', '=', BigInt(end))
    .where('carry', '=', carry)
    .where('starts_at', '<=', BigInt(start))
    .executeTakeFirstOrThrow();
  return earliest === null ? start : Number(earliest) - 1;
}
