import type { Db } from '../lib/db-types.ts';

const COLUMNS = [
  'feed.position',
  'feed.previous_hash',
  'feed.hash',
  'event.id',
  'event.type',
  'event.created_at',
  'event.body',
] as const;

/** A merchant's sealed events after a position, in the order of the feed. */
export function listSealedEvents(db: Db, merchantId: string, page: { readonly after: bigint; readonly limit: number }) {
  return db
    .selectFrom('event_feed as feed')
    .innerJoin('events as event', 'event.id', 'feed.event_id')
    .select(COLUMNS)
    .where('feed.merchant_id', '=', merchantId)
    .where('feed.position', '>', page.after)
    .orderBy('feed.position')
    .limit(page.limit)
    .execute();
}

/** One event of a merchant. Its position and hashes are null until it is sealed. */
export function findEvent(db: Db, merchantId: string, id: string) {
  return db
    .selectFrom('events as event')
    .leftJoin('event_feed as feed', 'feed.event_id', 'event.id')
    .select(COLUMNS)
    .where('event.merchant_id', '=', merchantId)
    .where('event.id', '=', id)
    .executeTakeFirst();
}

export type SealedRow = Awaited<ReturnType<typeof listSealedEvents>>[number];
export type EventRow = NonNullable<Awaited<ReturnType<typeof findEvent>>>;
