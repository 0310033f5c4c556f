import type { components } from '../../generated/api.ts';
import { inTransaction } from '../db/transaction.ts';
import { parseRange } from '../lib/dates.ts';
import type { Db } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import { parseFiat } from '../lib/money.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { parseReason } from '../lib/remarks.ts';
import { getMerchantFace } from '../merchants/queries.ts';
import { getPayment } from '../payments/queries.ts';
import { type HandlersOf, wantingCode } from '../ports/operation.ts';
import { cancelRefund } from './cancel.ts';
import { hashOf } from './claim-secret.ts';
import { takeOffer } from './offer.ts';
import type { Ask } from './plan.ts';
import { claimUrlOf, describeRefund, presentCreated, presentPublicRefund, presentRefund } from './present.ts';
import { findWallet, requireProof } from './proof.ts';
import { countRefunds, findRefund, listRefunds, type RefundFilter } from './queries.ts';
import type { Refund } from './refund.ts';
import { claimRefund, createRefund, type RefundRequestDeps, renewClaim } from './service.ts';

export type RefundHandlerDeps = RefundRequestDeps & { readonly db: Db; readonly livemode: boolean };

type Operation =
  | 'createRefund'
  | 'listRefunds'
  | 'getRefund'
  | 'cancelRefund'
  | 'renewRefundClaim'
  | 'getPublicRefund'
  | 'claimRefund'
  | 'takeRefundOffer';

/** The operations of the tag `refunds`. */
export function refundHandlers(deps: RefundHandlerDeps): HandlersOf<Operation> {
  return {
    createRefund: wantingCode<'createRefund'>(async ({ principal, params, body, now, real, trx, audit }) => {
      const { merchantId, via } = principal;
      const asker = { byKey: via === 'api_key', otp: body.otp };
      const draft = { merchantId, paymentId: params.id, ...asker, ...parseDraft(body) };
      const { refund, secret, secondFactor } = await createRefund(trx, deps, draft, { now, real });
      audit.note({ resourceId: refund.id, metadata: { ...describeRefund(refund), ...secondFactor } });
      return { status: 201, body: presentCreated(refund, secret && claimUrlOf(deps, secret)) };
    }),
    listRefunds: async ({ principal, query }) => {
      const { status, paymentId } = query;
      const filter: RefundFilter = {
        merchantId: principal.merchantId,
        ...(status && { status }),
        ...(paymentId !== undefined && { paymentId }),
        ...parseRange(query),
      };
      const [refunds, total] = await Promise.all([
        listRefunds(deps.db, filter, windowOf(query)),
        countRefunds(deps.db, filter),
      ]);
      return {
        status: 200,
        body: { refunds: refunds.rows.map(presentRefund), pagination: presentPagination(query, total, refunds) },
      };
    },
    getRefund: async ({ principal, params }) => {
      const refund = await findRefund(deps.db, { id: params.id, merchantId: principal.merchantId });
      if (!refund) throw notFound('refund');
      return { status: 200, body: presentRefund(refund) };
    },
    cancelRefund: async ({ principal, params, now, trx }) => {
      const ref = { id: params.id, merchantId: principal.merchantId };
      return { status: 200, body: presentRefund(await cancelRefund(trx, deps, ref, now)) };
    },
    renewRefundClaim: wantingCode<'renewRefundClaim'>(
      async ({ principal: { merchantId, via }, params, body, now, real, trx, audit }) => {
        const asker = { byKey: via === 'api_key', otp: body?.otp };
        const made = await renewClaim(trx, deps, { id: params.id, merchantId }, asker, { now, real });
        const { refund, secret, secondFactor } = made;
        audit.note({ metadata: secondFactor });
        return { status: 200, body: presentCreated(refund, secret && claimUrlOf(deps, secret)) };
      },
    ),
    ...payerHandlers(deps),
  };
}

/** The operations of payers, who have no credentials but a claim link. */
function payerHandlers(deps: RefundHandlerDeps): HandlersOf<'getPublicRefund' | 'claimRefund' | 'takeRefundOffer'> {
  return {
    takeRefundOffer: async ({ params, now, trx, audit }) => {
      const { refund, secret } = await takeOffer(trx, deps, params.id, now);
      audit.note({
        actor: { type: 'system', id: 'payer' },
        resourceId: refund.id,
        merchantId: refund.merchantId,
        metadata: describeRefund(refund),
      });
      return { status: 201, body: { claimUrl: claimUrlOf(deps, secret) } };
    },
    getPublicRefund: async ({ params }) => {
      const refund = await findRefund(deps.db, { claimHash: hashOf(params.token) });
      if (!refund) throw notFound('refund');
      return { status: 200, body: await presentPublic(deps, refund) };
    },
    claimRefund: async ({ params, body: { destinationAddress: address, signature }, audit }) => {
      const claimHash = hashOf(params.token);
      const proven = signature !== undefined;
      if (proven) await requireProof(deps.db, deps, claimHash, { address, signature });
      const refund = await inTransaction(deps.db, async (trx) => {
        const claimed = await claimRefund(trx, deps, claimHash, { address, proven }, deps.clock.now());
        await audit.record(trx, {
          actor: { type: 'system', id: 'payer' },
          resourceId: claimed.id,
          merchantId: claimed.merchantId,
          metadata: { destinationAddress: address, proven },
        });
        return claimed;
      });
      return { status: 200, body: await presentPublic(deps, refund) };
    },
  };
}

const parseDraft = (body: components['schemas']['CreateRefundRequest']) => ({
  ask: {
    amount: typeof body.amount === 'number' ? parseFiat(body.amount) : body.amount,
    token: body.token ?? null,
    network: body.network ?? null,
  } satisfies Ask,
  reason: parseReason(body.reason),
  destinationAddress: body.destinationAddress ?? null,
});

async function presentPublic(deps: RefundHandlerDeps, refund: Refund) {
  const { db, livemode } = deps;
  const [payment, face, wallet] = await Promise.all([
    getPayment(db, { id: refund.paymentId }),
    getMerchantFace(db, refund.merchantId, deps),
    findWallet(db, deps, refund),
  ]);
  return presentPublicRefund(refund, payment, { face, livemode, wallet });
}
