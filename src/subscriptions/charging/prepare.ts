import { after, MINUTE_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db-types.ts';
import { AppError } from '../../lib/errors.ts';
import { MICRO_DECIMALS, rescale, rescaleUp } from '../../lib/money.ts';
import type { Network } from '../../ports/chain.ts';
import type { ChainCharge, Collector, CollectReason } from '../../ports/collector.ts';
import type { OperatorAccount } from '../../ports/operator.ts';
import type { Quote, RateReader } from '../../rates/quote.ts';
import type { Settings } from '../../settings/settings.ts';
import { isCurrent, onChain, type StoredMandate } from '../mandates/mandate.ts';
import { findCurrentMandates } from '../mandates/queries.ts';
import { type Charge, type ChargeQuote, COLLECT_OUTCOMES, type WaitCode } from '../schedule/charge.ts';
import { nextLookAt } from '../schedule/hold.ts';
import { earliestChargeAt } from '../schedule/mandate-window.ts';
import type { CustomerFailure } from '../schedule/subscription-state.ts';
import { listPaidOtherwise } from './claims.ts';
import { findBlockedCharges } from './earlier-mandates.ts';
import { openUnexplainedIncident } from './incidents.ts';

/** Where and as which account charges are collected. */
export type CollectingPlace = {
  readonly collector: Collector;
  /** The account that may collect. */
  readonly operator: OperatorAccount;
};

/** What to do with a charge, as far as can be told without its lock. */
type AttemptDecision =
  | { readonly kind: 'send' }
  /** `replace`: only another mandate helps; the input tells the subscription what became of its current one. */
  | { readonly kind: 'fail'; readonly code: CustomerFailure; readonly replace?: 'mandate_reverted' | 'mandate_expired' }
  | { readonly kind: 'wait'; readonly until: Date; readonly code: WaitCode | null };

/** An attempt to collect a charge: the amount by today's rates, the mandate, and the decision. */
export type Attempt = {
  readonly charge: Charge;
  readonly mandate: StoredMandate | null;
  readonly quote: ChargeQuote | null;
  readonly decision: AttemptDecision;
};

/** How long a charge waits for an unreachable network, a missing rate or cheaper gas. */
const UNAVAILABLE_MS = 5 * MINUTE_MS;
/** How long a charge waits for the watcher to see its event, or for the outcome under an earlier mandate. */
const CHARGED_MS = MINUTE_MS;

/**
 * The mandate is active but does not allow the current price.
 * See decision subscriptions/outgrown-mandates-stay-on-the-chain.
 */
const OUTGROWN: AttemptDecision = { kind: 'fail', code: 'mandate_missing', replace: 'mandate_reverted' };
/** The mandate has ended, or ends before its windows allow the price. */
const OVER: AttemptDecision = { kind: 'fail', code: 'mandate_revoked', replace: 'mandate_expired' };

type Deps = { readonly db: Db; readonly rates: RateReader };

/** Defers charges because their network is unavailable. */
export const postpone = (charges: readonly Charge[], now: Date): Attempt[] =>
  charges.map((charge) => ({ charge, mandate: null, quote: null, decision: unavailable(now) }));

/** Defers what costs less than it takes to collect it; asked again soon, because gas falls within minutes. */
export const holdDear = (attempts: readonly Attempt[], leastMicro: bigint, now: Date): Attempt[] =>
  attempts.map((each) =>
    each.decision.kind === 'send' && each.quote !== null && each.quote.amountMicro < leastMicro
      ? { ...each, decision: { kind: 'wait', until: after(now, UNAVAILABLE_MS), code: 'gas_too_dear' } }
      : each,
  );

/** The same on a network that has no collector: the longer a charge has waited, the less often, as that may last. */
export const postponeUncollected = (charges: readonly Charge[], now: Date): Attempt[] =>
  postpone(charges, now).map((attempt) => {
    const { createdAt, lastAttemptAt, reversedAt } = attempt.charge;
    const since = Math.max(...[createdAt, lastAttemptAt, reversedAt].map((time) => time?.getTime() ?? 0));
    const until = nextLookAt(new Date(since), now);
    return { ...attempt, decision: { kind: 'wait', until, code: 'network_unavailable' } };
  });

const unavailable = (now: Date): AttemptDecision => ({
  kind: 'wait',
  until: after(now, UNAVAILABLE_MS),
  code: 'network_unavailable',
});

const waitForChain = (now: Date): AttemptDecision => ({ kind: 'wait', until: after(now, CHARGED_MS), code: null });

/**
 * Quotes charges and previews at the newest block what would become of them if sent together. Calls the node, so no
 * transaction may be open. Throws CollectorClosedError when the collector accepts no charges at all; rejects when the
 * node does not answer.
 */
export async function prepareAttempts(
  deps: Deps,
  place: CollectingPlace,
  settings: Settings,
  charges: readonly Charge[],
  now: Date,
): Promise<Attempt[]> {
  const mandates = await findCurrentMandates(
    deps.db,
    charges.map(({ subscriptionId }) => subscriptionId),
  );
  const quote = createQuoter(deps.rates, settings);
  const attempts = await Promise.all(
    charges.map(async (charge): Promise<Attempt> => {
      const mandate = mandates.get(charge.subscriptionId) ?? null;
      const quoted = await quote(place.collector.network, charge);
      return { charge, mandate, quote: quoted, decision: judge(place, charge, mandate, quoted, now) };
    }),
  );
  const candidates = attempts.filter(({ decision }) => decision.kind === 'send');
  const asked = candidates.map(({ charge }) => charge);
  const blocked = new Set([
    ...(await listPaidOtherwise(deps.db, asked)),
    ...(await findBlockedCharges(deps.db, place.collector, place.operator.address, asked, now)),
  ]);
  const sendable = candidates.filter(({ charge }) => !blocked.has(charge.id));
  const reasons = await preview(place, sendable);
  const decisions = await Promise.all(sendable.map((each, i) => explain(deps.db, place, each, reasons[i]!, now)));
  const decided = new Map(sendable.map((each, i) => [each.charge.id, decisions[i]!]));
  for (const id of blocked) decided.set(id, waitForChain(now));
  return attempts.map((each) => ({ ...each, decision: decided.get(each.charge.id) ?? each.decision }));
}

async function preview(
  { collector, operator }: CollectingPlace,
  attempts: readonly Attempt[],
): Promise<readonly CollectReason[]> {
  return attempts.length === 0 ? [] : collector.preview(operator.address, attempts.map(toChain));
}

/** An attempt as the contract takes it. Throws for one without a mandate or a quote. */
export function toChain({ charge, mandate, quote }: Attempt): ChainCharge {
  if (!mandate || !quote) throw new Error(`charge ${charge.id} has nothing to be sent with`);
  return { mandate: onChain(mandate), amount: quote.units, number: charge.number };
}

type Quoter = (network: Network, charge: Charge) => Promise<ChargeQuote | null>;

/**
 * Quotes charges, reading the rate once per price; null without a usable rate, or when the token is not collected any
 * more. A charge that a reorg reverted keeps its quote, because its payment has that amount; in units of its token as
 * it is listed by now, with other decimals perhaps.
 */
export function createQuoter(rates: RateReader, settings: Settings): Quoter {
  const quotes = new Map<string, Promise<Quote | null>>();
  return async (network, { amountMinor, currency, token: symbol, paymentId, quote: before }) => {
    const token = network.tokens.find((listed) => listed.symbol === symbol);
    if (!token) return null;
    if (paymentId !== null && before !== null) return inDecimals(before, token.decimals);
    const key = `${currency} ${amountMinor}`;
    const pending = quotes.get(key) ?? rates.toMicro(amountMinor, currency, settings.manualRates).catch(withoutRate);
    quotes.set(key, pending);
    const quoted = await pending;
    return quoted && { ...quoted, units: rescaleUp(quoted.amountMicro, MICRO_DECIMALS, token.decimals) };
  };
}

/**
 * Whether a quote's units are worth its amount in a token of these decimals: either is rounded from the other, since
 * what has arrived may be a little more than its micro-dollars.
 */
export const isInDecimals = ({ amountMicro, units }: ChargeQuote, decimals: number): boolean =>
  rescale(units, decimals, MICRO_DECIMALS) === amountMicro ||
  rescaleUp(amountMicro, MICRO_DECIMALS, decimals) === units;

const inDecimals = (quote: ChargeQuote, decimals: number): ChargeQuote =>
  isInDecimals(quote, decimals) ? quote : { ...quote, units: rescaleUp(quote.amountMicro, MICRO_DECIMALS, decimals) };

function withoutRate(error: unknown): null {
  if (error instanceof AppError && error.code === 'RATE_UNAVAILABLE') return null;
  throw error;
}

/** What can be decided without asking the chain. A price above the mandate's limit needs a replacement mandate. */
function judge(
  { collector }: CollectingPlace,
  charge: Charge,
  mandate: StoredMandate | null,
  quote: ChargeQuote | null,
  now: Date,
): AttemptDecision {
  if (!quote) return unavailable(now);
  const token = collector.network.tokens.find(({ symbol }) => symbol === charge.token);
  const usable = mandate && token && isCurrent(mandate, { collector, token });
  if (!usable || quote.units > mandate.maxPerPeriod) return OUTGROWN;
  return { kind: 'send' };
}

/** Turns the contract's answer to an attempt into a decision. */
async function explain(
  db: Db,
  place: CollectingPlace,
  attempt: Attempt,
  reason: CollectReason,
  now: Date,
): Promise<AttemptDecision> {
  const outcome = COLLECT_OUTCOMES[reason];
  switch (outcome) {
    case 'collected':
      return { kind: 'send' };
    case 'charged_before':
      if (attempt.mandate) await openUnexplainedIncident(db, place.collector, attempt.charge, attempt.mandate, now);
      return waitForChain(now);
    case 'not_yet':
      return waitForWindow(place, attempt, now);
    default:
      return reason === 'Ended' ? OVER : { kind: 'fail', code: outcome };
  }
}

/** Waits until the windows of the mandate allow the amount. */
async function waitForWindow(
  { collector }: CollectingPlace,
  { mandate, quote }: Attempt,
  now: Date,
): Promise<AttemptDecision> {
  if (!mandate || !quote) return unavailable(now);
  const state = await collector.readMandateState(mandate);
  const until = earliestChargeAt(mandate, state, quote.units, now);
  if (!until) return OVER;
  // Our clock is ahead of the newest block, so asking again at once would ask the same block.
  return until > now ? { kind: 'wait', until, code: null } : waitForChain(now);
}
