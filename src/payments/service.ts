import type { Events } from '../events/record.ts';
import { openIncident, resolveIncidents } from '../incidents/incidents.ts';
import { lockAccounts } from '../ledger/accounts.ts';
import { postJournals } from '../ledger/post.ts';
import { after, type Clock, HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { AppError, invalidField } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { BPS, type Currency, formatMicro, MICRO_DECIMALS, min, parseUnits } from '../lib/money.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { RateReader } from '../rates/quote.ts';
import type { Settings, SettingsReader } from '../settings/settings.ts';
import { requireAskable } from './amount.ts';
import { announce, notifyOfMoves, type PaymentListener } from './announce.ts';
import { moveOn, takeCredits } from './arrival.ts';
import { listCredits } from './credits.ts';
import { firmOf } from './firm.ts';
import type { LineItem } from './items.ts';
import { journalsOf, keptOf, movePayment, numberEvents, type PaymentMove, spendableAccounts } from './move.ts';
import { type Closures, coinsOf, makeOptions, openNetworks } from './options.ts';
import { type Command, type Input, step } from './payment.ts';
import { TRANSACTIONS_SHOWN } from './present.ts';
import { followRevival } from './prune.ts';
import { insertPayments, lockPayment, type PaymentRef, savePayment, scannedTo } from './queries.ts';
import { readCoinRates } from './quotes.ts';
import { type CustomFieldAnswer, type Locale, type Payment, type Totals, UNMOVED } from './types.ts';

export type PaymentDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly events: Events;
  readonly settings: SettingsReader;
  readonly rates: RateReader;
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'kindOf' | 'paymentUri'>;
  readonly reach: Closures;
  readonly listeners: readonly PaymentListener[];
  readonly checkoutUrl: string;
  readonly publicUrl: string;
};

export type PaymentSource =
  | { readonly kind: 'direct' }
  | {
      readonly kind: 'link';
      readonly linkId: string;
      readonly snapshot: JsonObject;
      /** What the payer answered to the link's questions. */
      readonly customFields: readonly CustomFieldAnswer[] | null;
    }
  | { readonly kind: 'session'; readonly sessionId: string; readonly successUrl: string; readonly cancelUrl: string };

export type PaymentDraft = {
  readonly merchantId: string;
  /** The merchant's own tolerance; null means the platform's. */
  readonly merchantToleranceBps: number | null;
  readonly source: PaymentSource;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  /** null accepts every enabled token. */
  readonly acceptedTokens: readonly string[] | null;
  readonly description: string | null;
  readonly items: readonly LineItem[] | null;
  readonly customerEmail: string | null;
  readonly locale: Locale | null;
  readonly metadata: JsonObject;
  /** null means the lifetime in the platform's settings. */
  readonly expiresAt: Date | null;
};

/** A limit on all metadata and lines together, in UTF-8, which JSON Schema cannot express: an event shows both. */
const ATTACHED_MAX_BYTES = 8192;

/**
 * Quotes, stores and announces a payment. Throws VALIDATION_ERROR or RATE_UNAVAILABLE when it cannot be asked for, and
 * SERVICE_UNAVAILABLE while none of the networks that could take it can be reached.
 */
export async function createPayment(trx: Trx, deps: PaymentDeps, draft: PaymentDraft, now: Date): Promise<Payment> {
  requireAskable(draft.amountMinor, draft.currency);
  requireShort(draft);
  const settings = await deps.settings.current();
  const { rate, amountMicro } = await deps.rates.toMicro(draft.amountMinor, draft.currency, settings.manualRates);
  const id = newId('payment', now);
  const networks = openNetworks(deps.networks, deps.reach, draft.acceptedTokens);
  const rates = await readCoinRates(deps.rates, coinsOf(networks, draft.acceptedTokens), settings);
  const asked = { paymentId: id, amountMicro, accepted: draft.acceptedTokens, rates, now };
  const { options, keys, factory } = await makeOptions(trx, { ...deps, networks }, asked);
  const draftPayment: Payment = {
    ...UNMOVED,
    id,
    merchantId: draft.merchantId,
    source: draft.source.kind,
    ...originOf(draft.source),
    amountMinor: draft.amountMinor,
    currency: draft.currency,
    amountMicro,
    toleranceMicro: toleranceOf(amountMicro, draft.merchantToleranceBps, settings),
    feeBps: settings.paymentFeeBps,
    lateWindowMs: BigInt(settings.lateWindowHours * HOUR_MS),
    rate,
    description: draft.description,
    items: draft.items,
    customerEmail: draft.customerEmail,
    locale: draft.locale,
    metadata: draft.metadata,
    options,
    factoryAddress: factory,
    createdAt: now,
    updatedAt: now,
    expiresAt: draft.expiresAt ?? after(now, settings.paymentExpiryMinutes * MINUTE_MS),
  };
  const { payment, events } = numberEvents(draftPayment, ['payment.created']);
  insertPayments(trx, [{ payment, keys }]);
  await announce(trx, deps, [{ payment, events, credits: [] }], now);
  return payment;
}

/** Throws VALIDATION_ERROR for more metadata and lines than a payment keeps. */
export function requireShort({ metadata, items }: Pick<PaymentDraft, 'metadata' | 'items'>): void {
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  if (bytes(metadata) > ATTACHED_MAX_BYTES) throw invalidField('metadata', 'must be at most 8 KiB as JSON');
  if (items !== null && bytes(metadata) + bytes(items) > ATTACHED_MAX_BYTES) {
    throw invalidField('items', 'must be, together with metadata, at most 8 KiB as JSON');
  }
}

/** How much may be missing or too much without an exception: a share of the amount, capped. Micro-dollars. */
function toleranceOf(amountMicro: bigint, merchantBps: number | null, settings: Settings): bigint {
  const share = (amountMicro * BigInt(merchantBps ?? settings.paymentToleranceBps)) / BPS;
  return min(share, parseUnits(settings.paymentToleranceMax, MICRO_DECIMALS));
}

function originOf(source: PaymentSource) {
  return {
    subscriptionId: null,
    chargeId: null,
    linkId: source.kind === 'link' ? source.linkId : null,
    linkSnapshot: source.kind === 'link' ? source.snapshot : null,
    customFields: source.kind === 'link' ? source.customFields : null,
    sessionId: source.kind === 'session' ? source.sessionId : null,
    successUrl: source.kind === 'session' ? source.successUrl : null,
    cancelUrl: source.kind === 'session' ? source.cancelUrl : null,
  };
}

/**
 * Applies to a payment all that the chain has brought, then a command if there is one. Locks the payment, books its due
 * credits, decides, moves the money, saves and announces. Throws NOT_FOUND, or CONFLICT when the state does not allow
 * the command.
 */
export async function applyInput(
  trx: Trx,
  deps: PaymentDeps,
  ref: PaymentRef,
  command: Command | null,
  now: Date,
): Promise<Payment> {
  const before = await lockPayment(trx, ref);
  // Before the credits, so that these include all that is scanned by then.
  const input = command && (await toInput(trx, before, command, now));
  const { payment, totals, complete } = await takeIn(trx, deps, before, now);
  if (!input) return payment;
  const kept = keptOf(totals, payment.returned);
  const known = input.kind === 'resolve' ? { ...kept, inLedger: await firmOf(trx, payment.id, kept.inLedger) } : kept;
  const decided = step(payment, onlyWhenComplete(input, complete), known, now);
  if (decided.next === payment) return payment;
  return storeMove(trx, deps, movePayment(payment, decided, kept.inLedger, now), now);
}

/** A payment with all that the chain has brought, and what that comes to. */
export type Observed = { readonly payment: Payment; readonly totals: Totals; readonly complete: boolean };

/**
 * Takes in what the chain has brought to a locked payment, as a move of its own: what is decided afterwards goes where
 * the state after it allows.
 */
export async function takeIn(trx: Trx, deps: PaymentDeps, before: Payment, now: Date): Promise<Observed> {
  const arrival = await takeCredits(trx, deps, before, now);
  const { totals, complete } = arrival;
  if (!arrival.changed) return { payment: before, totals, complete };
  const moved = await storeMove(trx, deps, moveOn(before, arrival, now), now);
  return { payment: moved, totals, complete };
}

async function toInput(trx: Trx, payment: Payment, command: Command, now: Date): Promise<Input> {
  if (command.kind !== 'clock') return command;
  return {
    kind: 'clock',
    scannedTo: await scannedTo(trx, payment, now),
  };
}

/** While credits wait for another turn nothing is decided: time stands still, and a caller has to retry. */
function onlyWhenComplete(input: Input, complete: boolean): Input {
  if (input.kind !== 'clock') requireComplete(complete);
  return input.kind === 'clock' && !complete ? { kind: 'clock', scannedTo: null } : input;
}

/** Throws CONFLICT while credits wait for another turn. */
export function requireComplete(complete: boolean): void {
  if (complete) return;
  throw new AppError('CONFLICT', 'Transfers to this payment are still being counted. Try again in a moment.', {
    retryAfterSeconds: 1,
  });
}

/** Writes a move: its journal, the payment, its events, and an incident when a reorg took available money. */
export async function storeMove(trx: Trx, deps: PaymentDeps, move: PaymentMove, now: Date): Promise<Payment> {
  const { before, payment, events, from, reversedMicro } = move;
  const changesAvailable = from.available !== payment.booked.available;
  const balances = changesAvailable
    ? await lockAccounts(trx, spendableAccounts(payment.merchantId))
    : new Map<string, bigint>();
  await postJournals(trx, journalsOf([move], balances), now);
  await savePayment(trx, before, payment);
  if (events.length > 0) {
    const credits = payment.creditCount > 0 ? await listCredits(trx, payment.id, TRANSACTIONS_SHOWN) : [];
    await announce(trx, deps, [{ payment, events, credits }], now);
  }
  await followRevival(trx, before, payment, now);
  if (reversedMicro > 0n) await openReversalIncident(trx, payment, reversedMicro, now);
  else if (before.reversedAt && !payment.reversedAt) await resolveIncidents(trx, 'payment.reversed', [payment.id], now);
  await notifyOfMoves(trx, deps.listeners, [move]);
  return payment;
}

/** A reorg went deeper than we wait for and reversed money that the merchant could already spend. */
async function openReversalIncident(trx: Trx, payment: Payment, lostMicro: bigint, now: Date): Promise<void> {
  const lost = formatMicro(lostMicro);
  const message = `A reorg took back ${lost} USD that were available.`;
  await openIncident(trx, { kind: 'payment.reversed', subject: payment.id, message }, now);
}
