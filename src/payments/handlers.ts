import type { RawBuilder } from 'kysely';
import type { components } from '../../generated/api.ts';
import { after, MINUTE_MS } from '../lib/clock.ts';
import { parseRange } from '../lib/dates.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError, invalidField } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { parseFiat } from '../lib/money.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { parseReason } from '../lib/remarks.ts';
import {
  type CollectsBy,
  mayCollect,
  requireCollects,
  requireMayCollect,
  requireMayCreate,
} from '../merchants/guard.ts';
import type { Chains } from '../ports/chain-kind.ts';
import { admitting, type Call, type HandlersOf, wantingCode } from '../ports/operation.ts';
import { listCredits } from './credits.ts';
import { type InstructionDeps, readInstructions } from './instructions.ts';
import { parseItems } from './items.ts';
import { type PaymentFilter, readPayments } from './list-queries.ts';
import { requireListed, requireOpen, requirePaymentUri, requireQuoted } from './options.ts';
import { chosenOption, presentPayment, presentSummary, TRANSACTIONS_SHOWN } from './present.ts';
import { presentPublic, readPublicPayment } from './public.ts';
import { qrPng, qrSvg } from './qr.ts';
import { getPayment, getPaymentAlso } from './queries.ts';
import { parseSearch } from './search.ts';
import { applyInput, createPayment, type PaymentDeps, type PaymentDraft } from './service.ts';
import type { PaymentStream } from './stream.ts';
import { readTimeline, type TimelineEntry } from './timeline.ts';
import type { Payment } from './types.ts';

export type PaymentHandlerDeps = PaymentDeps &
  InstructionDeps & {
    readonly stream: PaymentStream;
    readonly chains: Pick<Chains, 'keysOf'>;
    /**
     * What was given back of a payment, newest first; whether there is any, as a condition on a row of `payments`; and
     * its steps for the timeline.
     */
    readonly refundsOf: {
      readonly any: RawBuilder<boolean>;
      readonly list: (db: Db | Trx, paymentId: string) => Promise<components['schemas']['Refund'][]>;
      readonly story: (db: Db, paymentId: string) => Promise<TimelineEntry[]>;
      /** Gives back what waits, and what the audit entry says of it. */
      readonly giveBack: (
        trx: Trx,
        resolution: GiveBack,
      ) => Promise<{ readonly made: Created[]; readonly note: JsonObject }>;
    };
  };

type Created = components['schemas']['CreatedRefund'];

/** A merchant's decision to give back what waits; `byKey`: its server signed. */
export type GiveBack = {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly reason: string;
  readonly byKey: boolean;
  readonly otp: string | undefined;
  readonly now: Date;
  readonly real: Date;
};

type PayerOperations =
  | 'getPublicPayment'
  | 'selectPaymentOption'
  | 'streamPublicPayment'
  | 'getPaymentInstructions'
  | 'getPaymentQrSvg'
  | 'getPaymentQrPng';

type Operations =
  | 'listPayments'
  | 'createPayment'
  | 'getPayment'
  | 'cancelPayment'
  | 'resolvePayment'
  | 'getPaymentTimeline'
  | PayerOperations;

/** What a merchant reads of its payment. */
const detailFor =
  (deps: PaymentHandlerDeps) =>
  async (payment: Payment, db: Db | Trx, merchant: CollectsBy): Promise<components['schemas']['Payment']> => {
    const credits = payment.creditCount > 0 ? await listCredits(db, payment.id, TRANSACTIONS_SHOWN) : [];
    return presentPayment(payment, credits, { ...deps, collects: mayCollect(merchant, deps.settings.latest()) });
  };

/** The operations of the tag `payments`. */
export function paymentHandlers(deps: PaymentHandlerDeps): HandlersOf<Operations> {
  const detail = detailFor(deps);
  const command = async (
    { principal, params, now, trx, audit }: Call<'cancelPayment'> | Call<'resolvePayment'>,
    kind: 'cancel' | 'resolve',
  ): Promise<components['schemas']['Payment']> => {
    const payment = await applyInput(trx, deps, { id: params.id, merchantId: principal.merchantId }, { kind }, now);
    audit.note({ metadata: { status: payment.status } });
    return detail(payment, trx, principal);
  };

  return {
    listPayments: async ({ principal, query }) => {
      const filter = parseFilter(query, principal.merchantId, deps.chains);
      const { payments, total } = await readPayments(deps.db, filter, windowOf(query));
      return {
        status: 200,
        body: { payments: payments.rows.map(presentSummary), pagination: presentPagination(query, total, payments) },
      };
    },
    createPayment: async ({ principal, body, now, trx }) => {
      requireMayCreate(principal.status);
      requireMayCollect(principal, await deps.settings.current());
      const { merchantId, toleranceBps: merchantToleranceBps } = principal;
      const draft = { ...parseDraft(body, now), merchantId, merchantToleranceBps };
      const payment = await createPayment(trx, deps, draft, now);
      return { status: 201, body: await detail(payment, trx, principal) };
    },
    getPayment: async ({ principal, params }) => {
      const ref = { id: params.id, merchantId: principal.merchantId };
      const { payment, also: isRefunded } = await getPaymentAlso(deps.db, ref, deps.refundsOf.any);
      const [body, refunds] = await Promise.all([
        detail(payment, deps.db, principal),
        isRefunded ? deps.refundsOf.list(deps.db, payment.id) : [],
      ]);
      return { status: 200, body: { ...body, refunds } };
    },
    cancelPayment: async (call) => ({ status: 200, body: await command(call, 'cancel') }),
    resolvePayment: wantingCode(
      admitting<'resolvePayment'>(requireMayResolve, async (call) => {
        if (call.body.action === 'accept') {
          return { status: 200, body: { ...(await command(call, 'resolve')), refundsMade: [] } };
        }
        const { payment, made } = await giveBack(deps, call);
        return { status: 200, body: { ...(await detail(payment, call.trx, call.principal)), refundsMade: made } };
      }),
    ),
    getPaymentTimeline: async ({ principal, params }) => {
      const payment = await getPayment(deps.db, { id: params.id, merchantId: principal.merchantId });
      const story = await deps.refundsOf.story(deps.db, payment.id);
      return { status: 200, body: { data: await readTimeline(deps.db, payment.id, story) } };
    },
    ...payerHandlers(deps),
  };
}

function parseFilter(
  query: NonNullable<Call<'listPayments'>['query']>,
  merchantId: string,
  chains: Pick<Chains, 'keysOf'>,
): PaymentFilter {
  const { status, exception, waiting, source, linkId, customerEmail, currency, metadata } = query;
  const { minAmount, maxAmount, search } = query;
  return {
    merchantId,
    ...(status && { status }),
    ...(exception && { exception }),
    ...(waiting !== undefined && { waiting }),
    ...(source && { source }),
    ...(linkId && { linkId }),
    ...(customerEmail && { customerEmail }),
    ...(currency && { currency }),
    ...(metadata && { metadata }),
    ...(minAmount !== undefined && { minAmountMinor: parseFiat(minAmount) }),
    ...(maxAmount !== undefined && { maxAmountMinor: parseFiat(maxAmount) }),
    ...(search !== undefined && { search: parseSearch(search, chains) }),
    ...parseRange(query),
  };
}

/** Gives back what waits on a payment. */
async function giveBack(deps: PaymentHandlerDeps, call: Call<'resolvePayment'>) {
  const { principal, params, body, now, real, trx, audit } = call;
  const { merchantId, via } = principal;
  const who = { merchantId, byKey: via === 'api_key', otp: body.otp, now, real };
  const decision = { ...who, paymentId: params.id, reason: parseRefundReason(body.reason) };
  const { made, note } = await deps.refundsOf.giveBack(trx, decision);
  const payment = await getPayment(trx, { id: params.id, merchantId });
  audit.note({ metadata: { status: payment.status, ...note } });
  return { payment, made };
}

/**
 * The contract's scope is enough to accept money; giving it away needs the scope of refunds. So does the answer of
 * another key's request, which shows its claim links.
 */
function requireMayResolve({ principal, body: { action } }: Pick<Call<'resolvePayment'>, 'principal' | 'body'>): void {
  if (action === 'accept' || principal.via === 'session' || principal.scopes.includes('settlements:write')) return;
  const message = 'This API key lacks the scope settlements:write, which giving money back needs.';
  throw new AppError('FORBIDDEN', message, { reason: 'scope_missing' });
}

function parseRefundReason(reason: string | undefined): string {
  if (reason !== undefined) return parseReason(reason);
  throw invalidField('reason', 'is needed to give money back: your payer reads it');
}

const parseDraft = (
  body: components['schemas']['CreatePaymentRequest'],
  now: Date,
): Omit<PaymentDraft, 'merchantId' | 'merchantToleranceBps'> => ({
  source: { kind: 'direct' },
  amountMinor: parseFiat(body.amount),
  currency: body.currency,
  items: parseItems(body.items, { amountMinor: parseFiat(body.amount), currency: body.currency }),
  acceptedTokens: body.acceptedTokens ?? null,
  description: body.description ?? null,
  customerEmail: body.customerEmail ?? null,
  locale: body.locale ?? null,
  metadata: (body.metadata ?? {}) as JsonObject,
  expiresAt: body.expiresInMinutes === undefined ? null : after(now, body.expiresInMinutes * MINUTE_MS),
});

/** The operations of payers, who have no credentials but the id of a payment. */
function payerHandlers(deps: PaymentHandlerDeps): HandlersOf<PayerOperations> {
  return {
    getPublicPayment: async ({ params }) => ({ status: 200, body: await readPublicPayment(deps, params.id) }),
    selectPaymentOption: async ({ params, body, now, trx, audit }) => {
      requireOpen(body.network, deps.reach);
      const payment = await applyInput(trx, deps, { id: params.id }, { kind: 'select', ...body }, now);
      requireListed(chosenOption(payment), deps.networks);
      requireQuoted(payment, chosenOption(payment), now);
      const view = await presentPublic(deps, trx, payment);
      requireCollects(view.merchantCollects);
      audit.note({ actor: { type: 'system', id: 'payer' }, merchantId: payment.merchantId, metadata: { ...body } });
      return { status: 200, body: view };
    },
    streamPublicPayment: async ({ params, origin, signal }) => {
      const read = () => readPublicPayment(deps, params.id);
      const follower = { address: origin.ip, read, signal: signal() };
      return { status: 200, body: await deps.stream.open(params.id, follower) };
    },
    getPaymentInstructions: async ({ params, now, real }) => {
      return { status: 200, body: await readInstructions(deps, params.id, { now, real }) };
    },
    getPaymentQrSvg: async ({ params }) => {
      const paymentUri = requirePaymentUri(await readPublicPayment(deps, params.id));
      return { status: 200, body: await qrSvg(paymentUri) };
    },
    getPaymentQrPng: async ({ params }) => {
      const paymentUri = requirePaymentUri(await readPublicPayment(deps, params.id));
      return { status: 200, body: await qrPng(paymentUri) };
    },
  };
}
