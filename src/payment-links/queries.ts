import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { PaymentLinks } from '../../generated/db.ts';
import { isAny } from '../db/is-any.ts';
import { newestFirst, windowSql } from '../db/keyset.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import type { LogoDeps } from '../merchants/logo.ts';
import { FACE, type MerchantFace, STANDING, toFace, toStanding } from '../merchants/queries.ts';
import type { LineItem } from '../payments/items.ts';
import type { MerchantStanding } from '../ports/security.ts';
import { skipDays } from '../tallies/skip.ts';
import { readTotal, sumOf, type Tallied } from '../tallies/total.ts';
import type { CustomField } from './custom-fields.ts';
import type { LinkStatus, LinkTotals, PaymentLink } from './link.ts';

/** A link by id; with `merchantId`, only that merchant's. */
export type LinkRef = { readonly id: string; readonly merchantId?: string };
export type TotalledLink = { readonly link: PaymentLink; readonly totals: LinkTotals };

export type LinkFilter = {
  readonly merchantId: string;
  readonly status?: LinkStatus;
  /** The time for which `status` is computed. */
  readonly now: Date;
};

type Row = Selectable<PaymentLinks> & { readonly paid_minor: bigint; readonly paid_count: bigint };

/** Inserts a link; returns false if its slug is taken. The transaction stays usable either way. */
export async function insertLink(trx: Trx, link: PaymentLink): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payment_links')
    .values({
      id: link.id,
      merchant_id: link.merchantId,
      amount_minor: link.amountMinor,
      payer_min_minor: link.payerAmount?.minMinor ?? null,
      payer_max_minor: link.payerAmount?.maxMinor ?? null,
      items: link.items && JSON.stringify(link.items),
      currency: 'USD',
      accepted_tokens: [...link.acceptedTokens],
      slug: link.slug,
      created_at: link.createdAt,
      ...toColumns(link),
    })
    .onConflict((conflict) => conflict.column('slug').where('deleted_at', 'is', null).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

const PAID: Tallied = { list: 'link_payments', owners: sql`array[l.id]` };

const selectLinks = (db: Db | Trx) =>
  db
    .selectFrom('payment_links as l')
    .selectAll('l')
    .select([sumOf('amount', PAID).as('paid_minor'), sumOf('count', PAID).as('paid_count')])
    .where('l.deleted_at', 'is', null);

/** A link with its totals; undefined if it was deleted. */
export async function findLink(db: Db | Trx, ref: LinkRef): Promise<TotalledLink | undefined> {
  const row = await byRef(db, ref).executeTakeFirst();
  return row && toTotalled(row);
}

/**
 * Locks a link's row, which serialises changes to it; `alone` waits, too, for payments that are being started, and they
 * wait for it.
 */
export async function lockLink(trx: Trx, ref: LinkRef, alone = false): Promise<TotalledLink | undefined> {
  const query = byRef(trx, ref);
  const row = await (alone ? query.forUpdate('l') : query.forNoKeyUpdate('l')).executeTakeFirst();
  return row && toTotalled(row);
}

function byRef(db: Db | Trx, ref: LinkRef) {
  const query = selectLinks(db).where('l.id', '=', ref.id);
  return ref.merchantId === undefined ? query : query.where('l.merchant_id', '=', ref.merchantId);
}

/** A link as payers see it, with what they may know about its merchant. */
export type OfferedLink = {
  readonly link: PaymentLink;
  readonly merchant: MerchantStanding & { readonly face: MerchantFace };
};

/** How a payment's start locks its link: beside others that start, or one after the other. */
type StartLock = 'beside' | 'in turn';

/**
 * The link with a slug, whatever its status, and what a payer may know about its merchant; undefined if no link has the
 * slug.
 */
export async function findOfferedLink(
  db: Db | Trx,
  slug: string,
  deps: LogoDeps,
  lock?: StartLock,
): Promise<OfferedLink | undefined> {
  const row = await db
    .selectFrom('payment_links as l')
    .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
    .selectAll('l')
    .select(FACE)
    .select(STANDING)
    .where('l.slug', '=', slug)
    .where('l.deleted_at', 'is', null)
    .$if(lock === 'beside', (query) => query.forKeyShare('l'))
    .$if(lock === 'in turn', (query) => query.forNoKeyUpdate('l'))
    .executeTakeFirst();
  if (!row) return undefined;
  return { link: toLink(row), merchant: { face: toFace(row, deps), ...toStanding(row) } };
}

const LINKS = newestFirst('payment-links', { table: 'l' });

/** Newest first, one page. */
export async function listLinks(db: Db, filter: LinkFilter, page: PageWindow): Promise<Page<TotalledLink>> {
  const at = windowSql(LINKS, await skipDays(db, talliedOf(filter), {}, page, { sparse: filter.status !== undefined }));
  const isOnPage = at.isOnPage('l.id', (condition) =>
    db
      .selectFrom('payment_links as l')
      .select(['l.id', 'l.created_at'])
      .where('l.deleted_at', 'is', null)
      .where(matches(filter))
      .where(condition),
  );
  const rows = await selectLinks(db).select(at.keys).where(isOnPage).modifyEnd(at.sorted).execute();
  return at.pageOf(rows, toTotalled);
}

/** The number of links that match a filter. */
export const countLinks = (db: Db, filter: LinkFilter): Promise<number> =>
  readTotal(db, sumOf('count', talliedOf(filter)));

/** What of the tallies a filter asks for. They know of an expiry when it has been announced. */
function talliedOf({ merchantId, status, now }: LinkFilter): Tallied<'links'> {
  const of = { list: 'links' as const, owners: [merchantId] };
  if (status === undefined) return of;
  if (status === 'disabled') return { ...of, slice: { disabled: status } };
  const unannounced = (count: 1 | -1) => sql`
    select (created_at at time zone 'UTC')::date as day, ${sql.lit(count)} as count from payment_links
     where merchant_id = ${merchantId} and expires_at <= (select ${now}::timestamptz)
       and deleted_at is null and not disabled and expiry_announced_at is null`;
  return status === 'expired'
    ? { ...of, slice: { disabled: '', announced: 'announced' }, corrected: unannounced(1) }
    : { ...of, slice: { disabled: '', announced: '' }, corrected: unannounced(-1) };
}

/** The rule of `statusOf`, in SQL. */
function matches({ merchantId, status, now }: LinkFilter) {
  const state: Record<LinkStatus, RawBuilder<boolean>> = {
    disabled: sql`l.disabled`,
    expired: sql`not l.disabled and l.expires_at <= ${now}`,
    active: sql`not l.disabled and (l.expires_at is null or l.expires_at > ${now})`,
  };
  return sql<boolean>`l.merchant_id = ${merchantId} and ${status ? state[status] : sql`true`}`;
}

/** Saves what can change about a locked link. */
export async function saveLink(trx: Trx, link: PaymentLink): Promise<void> {
  await trx.updateTable('payment_links').set(toColumns(link)).where('id', '=', link.id).execute();
}

const NO_THANKS = { thank_you: null, thank_you_url: null };

/** Empties a link's row, to which payments still point, and frees its slug; returns false if there is no such link. */
export async function emptyLink(trx: Trx, ref: Required<LinkRef>, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('payment_links')
    .set({
      title: '',
      description: null,
      items: null,
      custom_fields: null,
      ...NO_THANKS,
      slug: null,
      expires_at: null,
      updated_at: now,
      deleted_at: now,
    })
    .where('id', '=', ref.id)
    .where('merchant_id', '=', ref.merchantId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Links with an expiry to announce, oldest first. */
export async function listUnannounced(db: Db, now: Date, limit: number): Promise<LinkRef[]> {
  return await unannounced(db).select('id').where('expires_at', '<=', now).orderBy('expires_at').limit(limit).execute();
}

/** Whether there is one. What is compared is not null: to ask for that, too, has the planner think there is none. */
export const isAnyUnannounced = (now: Date): RawBuilder<boolean> =>
  isAny(sql`payment_links where deleted_at is null and expiry_announced_at is null and expires_at <= ${now}
    order by expires_at`);

/** The next expiry to announce, or null. */
export async function nextExpiry(db: Db): Promise<Date | null> {
  const row = await unannounced(db).select('expires_at').orderBy('expires_at').limit(1).executeTakeFirst();
  return row?.expires_at ?? null;
}

const unannounced = (db: Db) =>
  db
    .selectFrom('payment_links')
    .where('deleted_at', 'is', null)
    .where('expires_at', 'is not', null)
    .where('expiry_announced_at', 'is', null);

export type PaidThroughLink = {
  readonly paymentId: string;
  readonly linkId: string;
  readonly amountMinor: bigint;
  readonly paidAt: Date;
};

/** Counts paid payments for their links, in one statement; a repeated call does nothing. */
export async function recordPaid(trx: Trx, paid: readonly PaidThroughLink[]): Promise<void> {
  if (paid.length === 0) return;
  await sql`
    insert into payment_link_totals (payment_id, link_id, amount_minor, paid_at)
    select * from unnest(${paid.map(({ paymentId }) => paymentId)}::text[],
                         ${paid.map(({ linkId }) => linkId)}::text[],
                         ${paid.map(({ amountMinor }) => amountMinor.toString())}::bigint[],
                         ${paid.map(({ paidAt }) => paidAt)}::timestamptz[])
      as paid (payment_id, link_id, amount_minor, paid_at) order by payment_id
    on conflict (payment_id) do nothing`.execute(trx);
}

const toColumns = (link: PaymentLink) => ({
  title: link.title,
  description: link.description,
  disabled: link.disabled,
  max_payments: link.maxPayments,
  custom_fields: link.customFields && JSON.stringify(link.customFields),
  thank_you: link.thankYou,
  thank_you_url: link.thankYouUrl,
  expires_at: link.expiresAt,
  expiry_announced_at: link.expiryAnnouncedAt,
  event_sequence: link.eventSequence,
  updated_at: link.updatedAt,
});

const toTotalled = (row: Row): TotalledLink => ({
  link: toLink(row),
  totals: { paidMinor: row.paid_minor, paidCount: Number(row.paid_count) },
});

function toLink(row: Selectable<PaymentLinks>): PaymentLink {
  if (row.slug === null) throw new Error(`payment link ${row.id} was deleted`);
  return {
    id: row.id,
    merchantId: row.merchant_id,
    title: row.title,
    description: row.description,
    amountMinor: row.amount_minor,
    payerAmount:
      row.payer_min_minor === null || row.payer_max_minor === null
        ? null
        : { minMinor: row.payer_min_minor, maxMinor: row.payer_max_minor },
    items: row.items as unknown as readonly LineItem[] | null,
    acceptedTokens: row.accepted_tokens,
    slug: row.slug,
    maxPayments: row.max_payments,
    customFields: row.custom_fields as unknown as readonly CustomField[] | null,
    thankYou: row.thank_you,
    thankYouUrl: row.thank_you_url,
    disabled: row.disabled,
    expiresAt: row.expires_at,
    expiryAnnouncedAt: row.expiry_announced_at,
    eventSequence: row.event_sequence,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
