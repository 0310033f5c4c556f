import { type RawBuilder, sql } from 'kysely';
import { madeBetween } from '../lib/ids.ts';

/** How many payments a text is looked for in, the newest. See decision payments/lists-by-index. */
export const SEARCHED_MAX = 100_000;
/** So few payments are looked through as they are, each perhaps on a page of its own. */
export const FEW_MAX = 2000;

/** A text that one merchant looks for, between moments, the second exclusive. */
export type TextSearch = {
  readonly merchantId: string;
  readonly text: string;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The newest payments that have to be looked at are none from before. */
  readonly since?: Date | undefined;
  /** What else has to hold of a row of `payments`. */
  readonly others?: RawBuilder<unknown> | undefined;
};

const newest = sql`order by created_at desc, id desc`;

/**
 * The newest payments that a text finds, at most so many, as `created_at` and `id`, each once. Only indexes are read:
 * a row of `payments` is as long as twenty entries. What a text finds often is found soon.
 */
export function textMatches(
  { merchantId, text, from, to, since, others }: TextSearch,
  most: number,
): RawBuilder<unknown> {
  const within = sql`merchant_id = ${merchantId}
    ${from ? sql`and created_at >= ${from}` : sql``} ${to ? sql`and created_at < ${to}` : sql``}`;
  const searched = sql`${within} ${since ? sql`and created_at >= ${since}` : sql``}`;
  const lower = sql`lower(${text}::text)`;
  const noted = sql`select created_at, payment_id as id`;
  const texts = sql`payment_texts where ${searched}`;
  const listed = sql`select created_at, id from payments where ${searched} ${others ? sql`and ${others}` : sql``}`;
  const isListed = others
    ? sql`and exists (
        select from (${listed}) as listed where listed.created_at = searched.created_at and listed.id = searched.id)`
    : sql``;
  const made = madeBetween('payment', text.toLowerCase());
  const matching = (rows: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
    (select created_at, id from (${rows} ${newest} limit ${SEARCHED_MAX}) as searched
      where ${condition} ${newest} limit ${most})`;
  const parts = [
    matching(sql`${noted}, text from ${texts}`, sql`strpos(text, ${lower}) > 0 ${isListed}`),
    matching(sql`${noted}, rest from ${texts} and rest is not null`, sql`strpos(rest, ${lower}) > 0 ${isListed}`),
    ...(made
      ? [matching(sql`${listed} and created_at >= ${made.from} and created_at < ${made.to}`, beginsWith(lower))]
      : []),
  ];
  return sql`
    select distinct created_at, id from (${sql.join(parts, sql` union all `)}) as matching ${newest} limit ${most}`;
}

/** Byte by byte, which is faster than `starts_with`; no id has a tilde. */
const beginsWith = (lower: RawBuilder<unknown>) => sql`id collate "C" >= ${lower} and id collate "C" < ${lower} || '~'`;
