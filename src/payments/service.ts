import type { Events } from '../events/record.ts';
import { after, HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { AppError, invalidField, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { type Currency, MICRO_DECIMALS, parseUnits } from '../lib/money.ts';
import type { Network } from '../ports/chain.ts';
import type { RateReader } from '../rates/quote.ts';
import type { Settings, SettingsReader } from '../settings/settings.ts';
import { requireAskable } from './amount.ts';
import { type Arrival, takeCredits } from './arrival.ts';
import { allocate, feeOf, relocate } from './booking.ts';
import { listCredits } from './credits.ts';
import { openReversalIncident } from './incidents.ts';
import { type DepositAddress, makeOptions } from './options.ts';
import { type Command, type Input, type Step, step } from './payment.ts';
import { presentPayment, TRANSACTIONS_SHOWN } from './present.ts';
import { insertPayments, lockPayment, type PaymentRef, savePayment, scannedTo } from './queries.ts';
import type { Payment, PaymentEvent, PaymentStatus, SeenCredit } from './types.ts';

/** What the envelope leaves of 20 kB. */
const EVENT_DATA_BYTES = 19_500;

/** A payment that has come to another state, and the one before. */
export type PaymentMove = { readonly payment: Payment; readonly from: PaymentStatus };

/**
 * Told of moves, in their transaction. A listener only inserts or marks due rows of its own folder and locks no aggregate; that
 * folder's own job goes on from there.
 */
export type PaymentListener = (trx: Trx, moves: readonly PaymentMove[]) => Promise<void>;

export type PaymentDeps = {
  readonly events: Events;
  readonly settings: SettingsReader;
  readonly rates: RateReader;
  readonly networks: readonly Network[];
  readonly depositAddress: DepositAddress;
  readonly listeners: readonly PaymentListener[];
  readonly checkoutUrl: string;
  readonly publicUrl: string;
};

export type PaymentSource =
  | { readonly kind: 'direct' }
  | { readonly kind: 'link'; readonly linkId: string; readonly snapshot: JsonObject }
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
  readonly customerEmail: string | null;
  readonly metadata: JsonObject;
  /** null: as long as the platform's setting says. */
  readonly expiresAt: Date | null;
};

/** What JSON Schema can't say of metadata: all of it together, in UTF-8. */
const METADATA_MAX_BYTES = 8192;

/** Quotes and stores a payment and announces it. Throws VALIDATION_ERROR or RATE_UNAVAILABLE when it can't be asked for. */
export async function createPayment(trx: Trx, deps: PaymentDeps, draft: PaymentDraft, now: Date): Promise<Payment> {
  requireAskable(draft.amountMinor, draft.currency);
  if (Buffer.byteLength(JSON.stringify(draft.metadata)) > METADATA_MAX_BYTES) {
    throw invalidField('metadata', 'must be at most 8 KiB as JSON');
  }
  const settings = await deps.settings.current();
  const { rate, amountMicro } = await deps.rates.toMicro(draft.amountMinor, draft.currency, settings.manualRates);
  const id = newId('payment', now);
  const { options, factory } = makeOptions(deps, id, amountMicro, draft.acceptedTokens);
  const payment: Payment = {
    id,
    merchantId: draft.merchantId,
    status: 'initiated',
    reason: null,
    exception: null,
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
    customerEmail: draft.customerEmail,
    metadata: draft.metadata,
    options,
    chosen: null,
    factoryAddress: factory,
    txHash: null,
    seenE18: 0n,
    confirmedE18: 0n,
    creditCount: 0,
    booked: { suspense: 0n, pending: 0n, available: 0n },
    settledMicro: 0n,
    settledWrongMicro: 0n,
    feeMicro: 0n,
    moves: 0,
    eventSequence: 1,
    createdAt: now,
    updatedAt: now,
    expiresAt: draft.expiresAt ?? after(now, settings.paymentExpiryMinutes * MINUTE_MS),
    confirmingAt: null,
    paidAt: null,
  };
  await insertPayments(trx, [payment]);
  await recordEvent(trx, deps, payment, 'payment.created', 1, now);
  return payment;
}

/** What may be missing or too much without a word: a share of the amount, at most a fixed sum. Micro-dollars. */
function toleranceOf(amountMicro: bigint, merchantBps: number | null, settings: Settings): bigint {
  const share = (amountMicro * BigInt(merchantBps ?? settings.paymentToleranceBps)) / 10_000n;
  const most = parseUnits(settings.paymentToleranceMax, MICRO_DECIMALS);
  return share < most ? share : most;
}

function originOf(source: PaymentSource) {
  return {
    subscriptionId: null,
    chargeId: null,
    linkId: source.kind === 'link' ? source.linkId : null,
    linkSnapshot: source.kind === 'link' ? source.snapshot : null,
    sessionId: source.kind === 'session' ? source.sessionId : null,
    successUrl: source.kind === 'session' ? source.successUrl : null,
    cancelUrl: source.kind === 'session' ? source.cancelUrl : null,
  };
}

/**
 * Applies to a payment everything that the chain has brought since, and then a command if there is one: locks it, books its due
 * credits, decides, moves the money, saves, announces. Throws NOT_FOUND, or CONFLICT when the state does not allow the command.
 */
export async function applyInput(
  trx: Trx,
  deps: PaymentDeps,
  ref: PaymentRef,
  command: Command | null,
  now: Date,
): Promise<Payment> {
  const before = await lockPayment(trx, ref);
  if (!before) throw notFound('payment');
  const input = command && (await toInput(trx, before, command)); // Before the credits: what is scanned by now is then among them.
  const arrival = await takeCredits(trx, before, now);
  // What the chain brought is stored as a move of its own: each of the two goes where the state before it allows.
  const observed = arrival.changed ? await finish(trx, deps, before, observe(arrival, now), arrival, now) : before;
  if (!input) return observed;
  const decided = step(observed, onlyWhenComplete(input, arrival), arrival.totals, now);
  if (decided.next === observed) return observed;
  return finish(trx, deps, observed, decided, { ...arrival, payment: observed }, now);
}

const observe = ({ payment, totals, arrived, arrivedWrong }: Arrival, now: Date): Step =>
  step(payment, { kind: 'observed', arrived, arrivedWrong }, totals, now);

async function toInput(trx: Trx, payment: Payment, command: Command): Promise<Input> {
  if (command.kind !== 'clock') return command;
  return {
    kind: 'clock',
    scannedTo: await scannedTo(trx, [...new Set(payment.options.map((option) => option.network))]),
  };
}

/** While credits wait for another turn nobody can decide on them: time stands still, and people are asked to come back. */
function onlyWhenComplete(input: Input, arrival: Arrival): Input {
  if (arrival.complete) return input;
  if (input.kind === 'clock') return { kind: 'clock', scannedTo: null };
  throw new AppError('CONFLICT', 'Transfers to this payment are still being counted. Try again in a moment.', {
    retryAfterSeconds: 1,
  });
}

async function finish(
  trx: Trx,
  deps: PaymentDeps,
  before: Payment,
  moved: Step,
  arrival: Arrival,
  now: Date,
): Promise<Payment> {
  const moves = before.moves + 1;
  const booked = allocate(moved.next, arrival.totals.standing);
  const reversed = booked.available < before.booked.available;
  const events: PaymentEvent[] = reversed ? [...moved.events, 'payment.reversed'] : [...moved.events];
  const payment: Payment = {
    ...moved.next,
    booked,
    feeMicro: feeOf(moved.next, booked.available),
    moves,
    eventSequence: before.eventSequence + events.length,
    updatedAt: now,
  };
  await relocate(trx, payment, arrival.payment.booked, booked, now);
  await savePayment(trx, before, payment);
  for (const [index, type] of events.entries()) {
    await recordEvent(trx, deps, payment, type, before.eventSequence + index + 1, now);
  }
  if (reversed) await openReversalIncident(trx, payment, before.booked.available - booked.available, now);
  trx.wake('kasi_payment', payment.id); // The open pages look again.
  if (payment.status !== before.status)
    for (const listener of deps.listeners) await listener(trx, [{ payment, from: before.status }]);
  return payment;
}

/** The detail view with as many of the newest transfers as fit: a webhook is at most 20 kB. */
function presentWithin(bytes: number, payment: Payment, credits: readonly SeenCredit[], deps: PaymentDeps) {
  const data = presentPayment(payment, credits, deps);
  if (credits.length === 0 || Buffer.byteLength(JSON.stringify(data)) <= bytes) return data;
  return presentWithin(bytes, payment, credits.slice(0, Math.floor(credits.length / 2)), deps);
}

async function recordEvent(
  trx: Trx,
  deps: PaymentDeps,
  payment: Payment,
  type: PaymentEvent,
  sequence: number,
  now: Date,
) {
  const credits = payment.creditCount > 0 ? await listCredits(trx, payment.id, TRANSACTIONS_SHOWN) : [];
  const data = presentWithin(EVENT_DATA_BYTES, payment, credits, deps);
  await deps.events.record(trx, { merchantId: payment.merchantId, type, resourceId: payment.id, sequence, data }, now);
}
