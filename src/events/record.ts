import { sql } from 'kysely';
import type { webhooks } from '../../generated/api.ts';
import type { Trx } from '../lib/db-types.ts';
import { type Id, newId } from '../lib/ids.ts';

/** Every type of event that the contract's `webhooks` section names. */
export type EventType = keyof webhooks;

export type EventDraft = {
  readonly merchantId: string;
  readonly type: EventType;
  readonly resourceId: string;
  /** Counts the events of this resource from 1; whoever holds the resource's lock knows it. */
  readonly sequence: number;
  /** The detail view of the resource as the contract defines it. */
  readonly data: object;
};

export type Events = {
  /**
   * Announces what happened, in the transaction that made it happen: the event's bytes, and its delivery when the merchant's endpoint
   * wants it. There is no other way to announce anything, and no way to do it after a commit.
   */
  readonly record: (trx: Trx, draft: EventDraft, now: Date) => Promise<Id<'event'>>;
  /** The same for many at once, in their order. */
  readonly recordMany: (trx: Trx, drafts: readonly EventDraft[], now: Date) => Promise<void>;
  /** Records an event that nobody is told of but by the one who calls: for a test of the endpoint. `body` is what a delivery sends. */
  readonly recordOnly: (trx: Trx, draft: EventDraft, now: Date) => Promise<{ id: Id<'event'>; body: Buffer }>;
};

/** `livemode` is what every event of this installation says of itself. */
export function createEvents(options: { readonly livemode: boolean }): Events {
  return {
    record: (trx, draft, now) => record(trx, draft, options.livemode, now),
    recordMany: (trx, drafts, now) => recordMany(trx, drafts, options.livemode, now),
    recordOnly: (trx, draft, now) => recordOnly(trx, draft, options.livemode, now),
  };
}

/** What is sent, in UTF-8, made once. */
function textOf(id: Id<'event'>, draft: EventDraft, livemode: boolean, now: Date): string {
  const { merchantId, type, sequence, data } = draft;
  return JSON.stringify({ id, type, timestamp: now.toISOString(), livemode, merchantId, sequence, data });
}

const bodyOf = (id: Id<'event'>, draft: EventDraft, livemode: boolean, now: Date): Buffer =>
  Buffer.from(textOf(id, draft, livemode, now), 'utf8');

async function recordOnly(trx: Trx, draft: EventDraft, livemode: boolean, now: Date) {
  const id = newId('event', now);
  const body = bodyOf(id, draft, livemode, now);
  const { merchantId, type, resourceId, sequence } = draft;
  await trx
    .insertInto('events')
    .values({ id, merchant_id: merchantId, type, resource_id: resourceId, sequence, body, created_at: now })
    .execute();
  return { id, body };
}

async function record(trx: Trx, draft: EventDraft, livemode: boolean, now: Date): Promise<Id<'event'>> {
  const id = newId('event', now);
  const { merchantId, type, resourceId, sequence } = draft;
  const body = bodyOf(id, draft, livemode, now);
  const { numAffectedRows } = await sql`
    with event as (
      insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
      values (${id}, ${merchantId}, ${type}, ${resourceId}, ${sequence}, ${body}, ${now})
    )
    insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, next_attempt_at, created_at)
    select ${newId('delivery', now)}, ${id}, merchant_id, ${type}, url, ${now}, ${now} from webhook_endpoints
     where merchant_id = ${merchantId} and status = 'enabled' and (event_types is null or ${type} = any (event_types))`.execute(
    trx,
  );
  if (numAffectedRows) trx.wake('kasi_deliveries');
  return id;
}

async function recordMany(trx: Trx, drafts: readonly EventDraft[], livemode: boolean, now: Date): Promise<void> {
  if (drafts.length === 0) return;
  const ids = drafts.map(() => newId('event', now));
  const bodies = drafts.map((draft, i) => textOf(ids[i]!, draft, livemode, now)); // Half as long as bytes in an array.
  const { numAffectedRows } = await sql`
    with draft as (
      select * from unnest(${ids}::text[], ${drafts.map(() => newId('delivery', now))}::text[],
                           ${drafts.map(({ merchantId }) => merchantId)}::text[], ${drafts.map(({ type }) => type)}::text[],
                           ${drafts.map(({ resourceId }) => resourceId)}::text[],
                           ${drafts.map(({ sequence }) => sequence)}::integer[], ${bodies}::text[])
        with ordinality as draft (id, delivery_id, merchant_id, type, resource_id, sequence, body, place)
    ), event as (
      insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
      select id, merchant_id, type, resource_id, sequence, convert_to(body, 'UTF8'), ${now} from draft order by place
    )
    insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, next_attempt_at, created_at)
    select delivery_id, id, merchant_id, type, url, ${now}, ${now} from draft join webhook_endpoints endpoint using (merchant_id)
     where endpoint.status = 'enabled' and (event_types is null or type = any (event_types)) order by place`.execute(
    trx,
  );
  if (numAffectedRows) trx.wake('kasi_deliveries');
}

/** The number that the next event of a resource gets, for resources that do not count their events themselves. */
export async function nextSequence(trx: Trx, resourceId: string): Promise<number> {
  const row = await trx
    .selectFrom('events')
    .select((eb) => eb.fn.max('sequence').as('last'))
    .where('resource_id', '=', resourceId)
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}
