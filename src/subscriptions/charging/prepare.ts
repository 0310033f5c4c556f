import type { Reader } from '../../chains/evm/client.ts';
import type { Charge as ChainCharge } from '../../chains/evm/collector.ts';
import { previewCollectMany, readMandateState } from '../../chains/evm/collector-reader.ts';
import { after, MINUTE_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db-types.ts';
import { AppError } from '../../lib/errors.ts';
import { MICRO_DECIMALS, rescaleUp } from '../../lib/money.ts';
import type { Network } from '../../ports/chain.ts';
import type { CollectReason as Reason } from '../../ports/collector.ts';
import type { Quote, RateReader } from '../../rates/quote.ts';
import type { Settings } from '../../settings/settings.ts';
import { onChain } from '../mandates/mandate.ts';
import { findCurrentMandates } from '../mandates/queries.ts';
import type { Charge, ChargeQuote, StoredMandate } from '../records.ts';
import { VERDICTS } from '../schedule/charge.ts';
import { earliestChargeAt } from '../schedule/mandate-window.ts';
import type { CustomerFailure } from '../schedule/types.ts';
import { listBound } from './earlier-mandates.ts';
import { tellUnexplained } from './incidents.ts';

/** Where and as whom charges are collected. */
export type CollectingPlace = {
  readonly network: Network;
  readonly collector: string;
  readonly reader: Reader;
  /** The account that may collect, in lower-case hex. */
  readonly operator: string;
};

/** What is to be done with a charge, as far as can be told without its lock. */
export type Verdict =
  | { readonly kind: 'send' }
  /** `anew`: no time mends it, the customer has to agree to another mandate; told the subscription as what became of this one. */
  | { readonly kind: 'fail'; readonly code: CustomerFailure; readonly anew?: 'mandate_reverted' | 'mandate_expired' }
  | { readonly kind: 'wait'; readonly until: Date; readonly code: 'network_unavailable' | null };

/** A try to collect a charge: what it asks by today's rates, by which mandate, and what would come of it. */
export type Try = {
  readonly charge: Charge;
  readonly mandate: StoredMandate | null;
  readonly quote: ChargeQuote | null;
  readonly verdict: Verdict;
};

/** How long a charge waits that the network, or the rates, are in the way of. */
const UNAVAILABLE_MS = 5 * MINUTE_MS;
/** The money was taken, and the watcher has not said so yet; or an earlier mandate may still bring it. */
const CHARGED_MS = MINUTE_MS;

/** The mandate stands, and does not allow what is asked now. */
const OUTGROWN: Verdict = { kind: 'fail', code: 'mandate_missing', anew: 'mandate_reverted' };
/** Its time is over, or over before its windows allow what is asked. */
const OVER: Verdict = { kind: 'fail', code: 'mandate_revoked', anew: 'mandate_expired' };

type Deps = { readonly db: Db; readonly rates: RateReader };

/** Charges that can not be sent now because the network is not there. */
export const postpone = (charges: readonly Charge[], now: Date): Try[] =>
  charges.map((charge) => ({ charge, mandate: null, quote: null, verdict: unavailable(now) }));

const unavailable = (now: Date): Verdict => ({
  kind: 'wait',
  until: after(now, UNAVAILABLE_MS),
  code: 'network_unavailable',
});

const waitForChain = (now: Date): Verdict => ({ kind: 'wait', until: after(now, CHARGED_MS), code: null });

/**
 * Quotes charges and asks the chain, at its newest block, what would become of them together. Asks the network, so no transaction may be
 * open. Throws CollectorClosedError when the collector takes none at all; rejects when the node does not answer.
 */
export async function prepareTries(
  deps: Deps,
  place: CollectingPlace,
  settings: Settings,
  charges: readonly Charge[],
  now: Date,
): Promise<Try[]> {
  const mandates = await findCurrentMandates(
    deps.db,
    charges.map(({ subscriptionId }) => subscriptionId),
  );
  const quote = createQuoter(deps.rates, settings);
  const tries = await Promise.all(
    charges.map(async (charge): Promise<Try> => {
      const mandate = mandates.get(charge.subscriptionId) ?? null;
      const quoted = await quote(place.network, charge);
      return { charge, mandate, quote: quoted, verdict: judge(place, charge, mandate, quoted, now) };
    }),
  );
  const { reader, collector, operator } = place;
  const asked = tries.filter(({ verdict }) => verdict.kind === 'send');
  const bound = await listBound(
    deps.db,
    place,
    asked.map(({ charge }) => charge),
    now,
  );
  const sendable = asked.filter(({ charge }) => !bound.has(charge.id));
  const reasons =
    sendable.length === 0 ? [] : await previewCollectMany(reader, hex(collector), hex(operator), sendable.map(toChain));
  const verdicts = await Promise.all(sendable.map((each, i) => explain(deps.db, place, each, reasons[i]!, now)));
  const known = new Map(sendable.map((each, i) => [each.charge.id, verdicts[i]!]));
  for (const id of bound) known.set(id, waitForChain(now));
  return tries.map((each) => ({ ...each, verdict: known.get(each.charge.id) ?? each.verdict }));
}

/** A try as the contract takes it; one that has a mandate and a quote. */
export function toChain({ charge, mandate, quote }: Try): ChainCharge {
  if (!mandate || !quote) throw new Error(`charge ${charge.id} has nothing to be sent with`);
  return { mandate: onChain(mandate), amount: quote.units, number: charge.number };
}

type Quoter = (network: Network, charge: Charge) => Promise<ChargeQuote | null>;

/**
 * Quotes by rates that are read once for each price; null where no rate is good enough, or the token is not collected any more. What was
 * collected before, and is again because a reorg took it, asks for the same, because its payment does.
 */
function createQuoter(rates: RateReader, settings: Settings): Quoter {
  const quotes = new Map<string, Promise<Quote | null>>();
  return async (network, { amountMinor, currency, token: symbol, paymentId, quote: before }) => {
    const token = network.tokens.find((listed) => listed.symbol === symbol);
    if (!token) return null;
    if (paymentId !== null && before !== null) return before;
    const key = `${currency} ${amountMinor}`;
    const pending = quotes.get(key) ?? rates.toMicro(amountMinor, currency, settings.manualRates).catch(withoutRate);
    quotes.set(key, pending);
    const quoted = await pending;
    return quoted && { ...quoted, units: rescaleUp(quoted.amountMicro, MICRO_DECIMALS, token.decimals) };
  };
}

function withoutRate(error: unknown): null {
  if (error instanceof AppError && error.code === 'RATE_UNAVAILABLE') return null;
  throw error;
}

/** What can be told without asking the chain. A price above what the customer agreed to needs another agreement. */
function judge(
  { network, collector }: CollectingPlace,
  charge: Charge,
  mandate: StoredMandate | null,
  quote: ChargeQuote | null,
  now: Date,
): Verdict {
  if (!quote) return unavailable(now);
  const token = network.tokens.find(({ symbol }) => symbol === charge.token);
  const usable = mandate && mandate.collector === collector && mandate.tokenContract === token?.contract;
  if (!usable || quote.units > mandate.maxPerPeriod) return OUTGROWN;
  return { kind: 'send' };
}

/** What the contract's answer to a try means. */
async function explain(db: Db, place: CollectingPlace, tried: Try, reason: Reason, now: Date): Promise<Verdict> {
  const verdict = VERDICTS[reason];
  switch (verdict) {
    case 'collected':
      return { kind: 'send' };
    case 'charged_before':
      if (tried.mandate) await tellUnexplained(db, place.reader, tried.charge, tried.mandate, now);
      return waitForChain(now);
    case 'not_yet':
      return askWindows(place, tried, now);
    default:
      return reason === 'Ended' ? OVER : { kind: 'fail', code: verdict };
  }
}

/** When the windows of a mandate allow what they do not allow now. */
async function askWindows({ reader, collector }: CollectingPlace, tried: Try, now: Date): Promise<Verdict> {
  const { mandate, quote } = tried;
  if (!mandate || !quote) return unavailable(now);
  const state = await readMandateState(reader, hex(collector), hex(mandate.payer), hex(mandate.id));
  const until = earliestChargeAt(mandate, state, quote.units, now);
  if (!until) return OVER;
  // Our clock is ahead of the newest block: to ask again at once would be to ask the same block.
  return until > now ? { kind: 'wait', until, code: null } : waitForChain(now);
}

const hex = (text: string): `0x${string}` => text as `0x${string}`;
