import type { Db } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { mayCollect, requireMayCreate } from '../merchants/guard.ts';
import { requireAccepted } from '../payments/options.ts';
import { presentPublicPayment } from '../payments/present.ts';
import type { PaymentDeps } from '../payments/service.ts';
import type { HandlersOf } from '../ports/operation.ts';
import type { LimitRules } from '../ports/security.ts';
import type { LockedRate } from '../rates/quote.ts';
import { SHOWN_CURRENCY } from './display-amount.ts';
import { parseChange, parseDraft } from './parse.ts';
import { findPlaces } from './places.ts';
import { presentLink, presentLinkSummary, presentPublicLink } from './present.ts';
import { countLinks, findLink, findOfferedLink, type LinkFilter, listLinks } from './queries.ts';
import { createLink, deleteLink, requireOffered, startPayment, updateLink } from './service.ts';

export type LinkHandlerDeps = PaymentDeps & {
  readonly db: Db;
  readonly livemode: boolean;
  /** Those in force. */
  readonly limits: LimitRules;
};

type Operation =
  | 'createPaymentLink'
  | 'listPaymentLinks'
  | 'getPaymentLink'
  | 'updatePaymentLink'
  | 'deletePaymentLink'
  | 'getPublicPaymentLink'
  | 'startPaymentLinkPayment';

/** Rupees for a dollar, to show prices by; null without a usable rate. */
async function readShownRate({ rates, settings }: PaymentDeps): Promise<LockedRate | null> {
  return rates.fiatRate(SHOWN_CURRENCY, (await settings.current()).manualRates);
}

/** The operations of the tag `payment-links`. */
export function paymentLinkHandlers(deps: LinkHandlerDeps): HandlersOf<Operation> {
  return {
    createPaymentLink: async ({ principal, body, now, trx }) => {
      requireMayCreate(principal.status);
      const draft = parseDraft(body, principal.merchantId, now);
      requireAccepted(deps.networks, draft.acceptedTokens);
      const created = await createLink(trx, deps, draft, now);
      return { status: 201, body: presentLink(created, deps, now) };
    },
    listPaymentLinks: async ({ principal, query, now }) => {
      const { status } = query;
      const filter: LinkFilter = { merchantId: principal.merchantId, now, ...(status && { status }) };
      const [links, total] = await Promise.all([
        listLinks(deps.db, filter, windowOf(query)),
        countLinks(deps.db, filter),
      ]);
      const data = links.rows.map((link) => presentLinkSummary(link, deps, now));
      return { status: 200, body: { data, pagination: presentPagination(query, total, links) } };
    },
    getPaymentLink: async ({ principal, params, now }) => {
      const found = await findLink(deps.db, { id: params.id, merchantId: principal.merchantId });
      if (!found) throw notFound('payment link');
      return { status: 200, body: presentLink(found, deps, now) };
    },
    updatePaymentLink: async ({ principal, params, body, now, trx, audit }) => {
      const ref = { id: params.id, merchantId: principal.merchantId };
      const updated = await updateLink(trx, deps, ref, parseChange(body, now), now);
      audit.note({ metadata: { ...body } });
      return { status: 200, body: presentLink(updated, deps, now) };
    },
    deletePaymentLink: async ({ principal, params, now, trx, audit }) => {
      await deleteLink(trx, { id: params.id, merchantId: principal.merchantId }, now);
      audit.note({ resourceId: params.id });
      return { status: 200, body: { message: 'Payment link deleted.' } };
    },
    getPublicPaymentLink: async ({ params, now }) => {
      const offered = requireOffered(await findOfferedLink(deps.db, params.slug, deps), now);
      const [places, rate] = await Promise.all([findPlaces(deps.db, offered.link), readShownRate(deps)]);
      const collects = mayCollect(offered.merchant, await deps.settings.current());
      return { status: 200, body: presentPublicLink(offered, { ...deps, places, rate, collects }, now) };
    },
    startPaymentLinkPayment: async ({ params, body, origin, now, real, trx, audit }) => {
      const { amount = null, customerEmail = null, customFields: answers = {} } = body ?? {};
      const starter = { ip: origin.ip, real, limits: deps.limits };
      const request = { slug: params.slug, amount, customerEmail, answers, starter };
      const { payment, face } = await startPayment(trx, deps, request, now);
      audit.note({
        actor: { type: 'system', id: 'payer' },
        merchantId: payment.merchantId,
        metadata: { paymentLinkId: payment.linkId },
      });
      return {
        status: 201,
        body: presentPublicPayment(payment, [], { ...deps, face, collects: true, replaced: [], refundOffer: null }),
      };
    },
  };
}
