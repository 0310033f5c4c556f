import { sql } from 'kysely';
import { isAny } from '../../db/is-any.ts';
import {
  alignIncidents,
  followIncident,
  isOpen,
  isSeenSince,
  openIncident,
  openIncidents,
  resolveIncidentsIf,
  updateIncident,
} from '../../incidents/incidents.ts';
import { after, DAY_MS, MINUTE_MS } from '../../lib/clock.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { formatUnits } from '../../lib/money.ts';
import type { CollectorEvent } from '../../ports/chain.ts';
import type { Collector } from '../../ports/collector.ts';
import { findDeepBlock, readStateAt } from '../mandates/deep-state.ts';
import type { StoredMandate } from '../mandates/mandate.ts';
import type { Charge } from '../schedule/charge.ts';

/** How long a collection may wait for its confirmations before an incident opens. */
const UNCONFIRMED_MS = DAY_MS;

/**
 * Opens an incident for a charge that the chain has counted as charged although no event of it was seen: the number
 * is used at a block deep enough to rely on, and the watcher, which has been there, has stored no event. Until then
 * the event is only late. Resolved when it comes. A node without that block's state opens nothing.
 */
export async function openUnexplainedIncident(
  db: Db,
  collector: Collector,
  { id, number, network }: Charge,
  mandate: StoredMandate,
  now: Date,
): Promise<void> {
  const deep = await findDeepBlock(db, network); // First, so that every event up to it is stored by the next read.
  if (deep === null || (await isCollectionSeen(db, mandate.id, number))) return;
  const state = await readStateAt(collector, mandate, deep);
  if (state === null || state.lastNumber < number) return;
  const message =
    `The collector says that number ${number} of mandate ${mandate.id} was charged ` +
    `(its newest is ${state.lastNumber}), and no collection of it was seen. The charge waits and is not sent.`;
  await openIncident(db, { kind: 'subscription.unexplained', subject: id, message }, now);
}

async function isCollectionSeen(db: Db, mandateId: string, number: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from collector_events
     where mandate_id = ${mandateId} and number = ${number} and kind = 'collected' and canonical`.execute(db);
  return rows.length > 0;
}

/**
 * Opens an incident for each charge that was collected a day ago and is still not confirmed, as when a chain's finality
 * stalls, and resolves it when the charge is paid or a reorg removed it. The charge itself goes on waiting.
 * See decision subscriptions/no-deadline-for-confirmation.
 */
export async function alignUnconfirmedIncidents(db: Db, now: Date): Promise<void> {
  const message =
    'It was collected more than a day ago and is not confirmed. It goes on by itself when its network does.';
  await alignIncidents(
    db,
    { kind: 'subscription.unconfirmed', message },
    sql`select id from charges where status = 'confirming' and updated_at <= ${after(now, -UNCONFIRMED_MS)}`,
    now,
  );
}

/**
 * Says that a network has no collector in the list any more, while charges are due there or customers have to agree.
 * It is resolved when something can be collected there, or when nothing has waited there for an hour.
 */
export function openUncollectedIncident(db: Db | Trx, network: string, now: Date): Promise<void> {
  const message =
    `${network} has no \`collector\` in KASI_NETWORKS any more. ` +
    'What is due there waits, and customers can not agree to be charged there.';
  return followIncident(db, { kind: 'subscription.network', subject: network, message }, now);
}

/**
 * How often such an incident is renewed while customers wait, or opened anew: a process that has the collector in its
 * list resolves it with each charge. One that is not renewed for an hour is resolved.
 */
const STILL_MS = 15 * MINUTE_MS;
/** Whom an incident was opened for is looked at again within a day, or three days after its reminder of a trial. */
const LOOKED_AT_MS = 3 * DAY_MS;

/**
 * Opens such incidents, and keeps them open, while customers have to agree on `networks`, which have no collector. The
 * page answers 503 from the first day on, and nothing is due before the deadline. Customers whose mandate has ended
 * only keep one open: finding them reads what is due within days.
 */
export async function alignUncollectedIncidents(db: Db, networks: readonly string[], now: Date): Promise<void> {
  if (networks.length === 0) return;
  const { rows } = await sql<{ network: string }>`
    select n.network from unnest(${networks}::text[]) as n (network)
     where not ${isSeenSince('subscription.network', sql`n.network`, after(now, -STILL_MS))}
       and case
         when ${isAny(sql`subscriptions s
            where s.network = n.network and s.mandate_status = 'pending' and s.cancelled_at is null
              and s.cancel_requested_at is null order by s.network`)} then true
         when ${isOpen('subscription.network', sql`n.network`)} then exists (
           select from subscriptions s
            where s.network = n.network and s.next_action_at <= ${after(now, LOOKED_AT_MS)}
              and s.status in ('active', 'trialing', 'past_due') and s.mandate_status <> 'active'
              and s.cancel_requested_at is null)
         else false end`.execute(db);
  for (const { network } of rows) await openUncollectedIncident(db, network, now);
}

/** How long gas may be too dear for a charge before an incident opens. */
const DEAR_MS = DAY_MS;

/**
 * Opens one incident for each network where charges have waited a day because their gas would cost too large a share
 * of them, and resolves it when none does. One for each charge would bury the list on a dear day.
 */
export async function alignDearGasIncidents(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ network: string; n: number; oldest: string }>`
    select network, count(*)::int as n,
           (array_agg(id order by greatest(created_at, last_attempt_at, reversed_at), id))[1] as oldest
      from charges
     where status = 'due' and failure_code = 'gas_too_dear'
       and greatest(created_at, last_attempt_at, reversed_at) <= ${after(now, -DEAR_MS)}
     group by network order by network`.execute(db);
  for (const { network, n, oldest } of rows) {
    const waiting = n === 1 ? '1 charge has' : `${n} charges have`;
    const message = `${waiting} waited for more than a day, because gas costs too large a share; the oldest is ${oldest}.`;
    const detail = { charges: n, oldest };
    await updateIncident(db, { kind: 'subscription.dear_gas', subject: network, message, detail }, now);
  }
  const networks = rows.map(({ network }) => network);
  await resolveIncidentsIf(db, 'subscription.dear_gas', (subject) => sql`${subject} <> all (${networks}::text[])`, now);
}

type Collected = CollectorEvent & { readonly kind: 'collected' };

/**
 * Opens an incident for each unknown mandate that a collection used. Nothing else would ever reveal it.
 * See decision subscriptions/unknown-mandates-open-incidents.
 */
export async function openUnknownMandateIncidents(
  trx: Trx,
  events: readonly CollectorEvent[],
  now: Date,
): Promise<void> {
  const unknown = await listUnknown(
    trx,
    events.filter((event) => event.kind === 'collected'),
  );
  const incidents = unknown.map((event) => ({
    subject: event.mandateId,
    network: event.network,
    message: describe(event),
  }));
  await openIncidents(trx, 'subscription.unknown_mandate', incidents, now);
}

/** Looks each mandate up by its id, as `storeEvents` in `settling/observe.ts` does. */
async function listUnknown(trx: Trx, collected: readonly Collected[]): Promise<Collected[]> {
  if (collected.length === 0) return [];
  const { rows } = await sql<{ at: number }>`
    select distinct on (e.id) e.at::integer as at
      from unnest(${collected.map(({ mandateId }) => mandateId)}::text[],
        ${collected.map(({ network }) => network)}::text[], ${collected.map(({ collector }) => collector)}::text[],
        ${collected.map(({ payer }) => payer)}::text[]) with ordinality as e (id, network, collector, payer, at)
     where not exists (
       select from mandates m
        where m.id = e.id and case when m.id is null then false
          else m.network = e.network and m.collector = e.collector and m.payer = e.payer end)
     order by e.id, e.at`.execute(trx);
  return rows.flatMap(({ at }) => collected[at - 1] ?? []);
}

function describe({ network, txHash, mandateId, payer, number, amountUnits, transfer }: Collected): string {
  const amount = transfer
    ? `${formatUnits(amountUnits, transfer.token.decimals)} ${transfer.token.symbol}`
    : `${amountUnits} units of a token that is not listed`;
  return (
    `Transaction ${txHash} on ${network} collected ${amount} from ${payer} as number ${number} ` +
    `of mandate ${mandateId}, which is not known here. If the database came back older, restore a newer copy of it ` +
    'or pay that back and have the payer revoke the mandate; if it did not, ' +
    "somebody else has the operator's key: pause the collector and replace its operator."
  );
}
