import type { Trx } from '../../lib/db-types.ts';
import { AppError } from '../../lib/errors.ts';
import { MICRO_DECIMALS, rescaleUp } from '../../lib/money.ts';
import type { Network } from '../../ports/chain.ts';
import type { RateReader } from '../../rates/quote.ts';
import type { SettingsReader } from '../../settings/settings.ts';
import type { Batch } from '../batch.ts';
import { type CollectingToken, findCollecting } from '../plans/plan-network.ts';
import type { Subscription } from '../records.ts';
import { type MandateTerms, mandateTerms } from '../schedule/mandate-window.ts';
import { numberAt, orderOf } from '../schedule/moves.ts';
import { shownStatus } from '../schedule/outlook.ts';
import { newMandate } from './mandate.ts';
import { findMandates, insertMandate } from './queries.ts';

export type AskDeps = {
  readonly networks: readonly Network[];
  readonly rates: RateReader;
  readonly settings: SettingsReader;
};

/**
 * Asks the customers of these subscriptions for another mandate, because theirs will never be charged again: it was revoked, its time is over,
 * or it allows less than is asked now. Its windows begin with the period that is charged next. The locks are held; what is over is left
 * alone, and so is what can not be collected any more.
 */
export async function askAnew(trx: Trx, deps: AskDeps, batch: Batch, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const subscription = batch.subscription(id);
    const collecting = subscription && isLive(subscription) && findCollecting(deps.networks, subscription);
    if (!collecting) continue;
    const terms = await termsOf(trx, deps, subscription, collecting, batch.now);
    const start = await freshStart(trx, id, terms);
    const mandate = newMandate(subscription, collecting, { ...terms, start }, batch.now);
    await insertMandate(trx, mandate);
    batch.ask(id, mandate.id);
  }
}

const isLive = (subscription: Subscription): boolean =>
  ['active', 'trialing', 'past_due'].includes(shownStatus(subscription));

async function termsOf(
  trx: Trx,
  deps: AskDeps,
  subscription: Subscription,
  { token }: CollectingToken,
  now: Date,
): Promise<MandateTerms> {
  const number = Math.max(subscription.nextNumber, numberAt(subscription, now));
  const firstDue = orderOf(subscription, number).periodStart;
  const { manualRates } = await deps.settings.current();
  try {
    const { amountMicro } = await deps.rates.toMicro(subscription.amountMinor, subscription.currency, manualRates);
    const tokenAmount = rescaleUp(amountMicro, MICRO_DECIMALS, token.decimals);
    return mandateTerms({ ...subscription, tokenAmount, firstDue });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RATE_UNAVAILABLE') throw error;
    // To agree to what was agreed to before is better than to wait for the rates.
    const [before] = await findMandates(trx, subscription.mandateId === null ? [] : [subscription.mandateId]);
    if (!before) throw error;
    return { ...mandateTerms({ ...subscription, tokenAmount: 1n, firstDue }), maxPerPeriod: before.maxPerPeriod };
  }
}

/**
 * The contract knows mandates by their terms, and takes none that it has seen revoked: each begins a second before the earliest of the same
 * terms. Asked for at once, because it costs a payer little to revoke a thousand times.
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
