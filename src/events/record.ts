import { type RawBuilder, sql } from 'kysely';
import type { webhooks } from '../../generated/api.ts';
import { insertOnce, type Once } from '../db/once.ts';
import type { WakeChannel } from '../lib/channels.ts';
import type { Trx } from '../lib/db-types.ts';
import { type Id, newId } from '../lib/ids.ts';

/** Every type of event that the contract's `webhooks` section names. */
export type EventType = keyof webhooks;

export type EventDraft = {
  readonly merchantId: string;
  readonly type: EventType;
  readonly resourceId: string;
  /** Counts the events of this resource from 1. The caller knows it because it has the resource's row locked. */
  readonly sequence: number;
  /** The detail view of the resource, as the contract defines it. */
  readonly data: object;
};

/**
 * Where events go besides the feed. It comes from the composition (`webhooks/fan-out.ts`), because this folder does not
 * know what a delivery is.
 */
export type FanOut = {
  /** Woken after the commit when the statement affected any row. */
  readonly channel: WakeChannel;
  /** A statement of its own for one event. */
  readonly one: (event: Pick<EventDraft, 'merchantId' | 'type'> & { readonly id: string }, now: Date) => Once;
  /**
   * The end of the statement that records many: reads them from
   * `draft (id, delivery_id, merchant_id, type, resource_id, sequence, body, place)`.
   */
  readonly many: (now: Date) => RawBuilder<unknown>;
};

export type Events = {
  /**
   * Announces what happened, in the transaction that made it happen: the event's bytes, and its delivery when the
   * merchant's endpoint wants it. There is no other way to announce anything, and no way to do it after a commit.
   */
  readonly record: (trx: Trx, draft: EventDraft, now: Date) => Promise<Id<'event'>>;
  /** The same for many events at once, in their order. */
  readonly recordMany: (trx: Trx, drafts: readonly EventDraft[], now: Date) => Promise<void>;
  /** Records an event without a delivery, for a test call, which sends `body` itself. */
  readonly recordOnly: (trx: Trx, draft: EventDraft, now: Date) => Promise<{ id: Id<'event'>; body: Buffer }>;
};

type EventOptions = {
  /** What every event of this installation says of itself. */
  readonly livemode: boolean;
  readonly fanOut: FanOut;
};

/** The outbox of this installation. */
export function createEvents(options: EventOptions): Events {
  return {
    record: (trx, draft, now) => record(trx, draft, options, now),
    recordMany: (trx, drafts, now) => recordMany(trx, drafts, options, now),
    recordOnly: (trx, draft, now) => recordOnly(trx, draft, options, now),
  };
}

/** The text that every attempt sends as UTF-8, made once. */
function textOf(id: Id<'event'>, draft: EventDraft, livemode: boolean, now: Date): string {
  const { merchantId, type, sequence, data } = draft;
  return JSON.stringify({ id, type, timestamp: now.toISOString(), livemode, merchantId, sequence, data });
}

const bodyOf = (id: Id<'event'>, draft: EventDraft, livemode: boolean, now: Date): Buffer =>
  Buffer.from(textOf(id, draft, livemode, now), 'utf8');

async function recordOnly(trx: Trx, draft: EventDraft, { livemode }: EventOptions, now: Date) {
  const id = newId('event', now);
  const body = bodyOf(id, draft, livemode, now);
  const { merchantId, type, resourceId, sequence } = draft;
  await trx
    .insertInto('events')
    .values({ id, merchant_id: merchantId, type, resource_id: resourceId, sequence, body, created_at: now })
    .execute();
  return { id, body };
}

const insertEvent = insertOnce('events');

// See decision events/deliveries-in-the-same-transaction.
async function record(
  trx: Trx,
  draft: EventDraft,
  { livemode, fanOut }: EventOptions,
  now: Date,
): Promise<Id<'event'>> {
  const id = newId('event', now);
  const { merchantId, type, resourceId, sequence } = draft;
  const body = bodyOf(id, draft, livemode, now);
  trx.later(
    insertEvent({ id, merchant_id: merchantId, type, resource_id: resourceId, sequence, body, created_at: now }),
  );
  deliverLater(trx, fanOut.one({ id, merchantId, type }, now), fanOut);
  return id;
}

async function recordMany(
  trx: Trx,
  drafts: readonly EventDraft[],
  { livemode, fanOut }: EventOptions,
  now: Date,
): Promise<void> {
  if (drafts.length === 0) return;
  const ids = drafts.map(() => newId('event', now));
  // A line each, since no line of JSON has a break in it: pg escapes every quote of what it puts into an array.
  const bodies = drafts.map((draft, i) => textOf(ids[i]!, draft, livemode, now)).join('\n');
  const insertion = sql`
    with draft as (
      select *
        from unnest(${ids}::text[], ${drafts.map(() => newId('delivery', now))}::text[],
                    ${drafts.map(({ merchantId }) => merchantId)}::text[], ${drafts.map(({ type }) => type)}::text[],
                    ${drafts.map(({ resourceId }) => resourceId)}::text[],
                    ${drafts.map(({ sequence }) => sequence)}::integer[],
                    string_to_array(${bodies}::text, E'\\n'))
        with ordinality as draft (id, delivery_id, merchant_id, type, resource_id, sequence, body, place)
    ), event as (
      insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
      select id, merchant_id, type, resource_id, sequence, convert_to(body, 'UTF8'), ${now} from draft order by place
    )${fanOut.many(now)}`;
  deliverLater(trx, insertion, fanOut);
}

/** Wakes those who deliver if the statement has stored anything for them. */
const deliverLater = (trx: Trx, insertion: Once | RawBuilder<unknown>, { channel }: FanOut): void =>
  trx.later(insertion, ({ numAffectedRows }) => {
    if (numAffectedRows) trx.wake(channel);
  });

/**
 * The sequence of a resource's next event, for resources that don't store it. The caller has the resource's row locked.
 */
export async function nextSequence(trx: Trx, resourceId: string): Promise<number> {
  const row = await trx
    .selectFrom('events')
    .select((eb) => eb.fn.max('sequence').as('last'))
    .where('resource_id', '=', resourceId)
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}
