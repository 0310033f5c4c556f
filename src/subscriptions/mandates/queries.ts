import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Mandates } from '../../../generated/db.ts';
import { isAny } from '../../db/is-any.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { Network } from '../../ports/chain.ts';
import type { Subscription } from '../queries.ts';
import { RELAY_PURPOSE, type StoredMandate } from './mandate.ts';

/** Stores the terms that a customer is asked to sign. */
export async function insertMandate(trx: Trx, mandate: StoredMandate): Promise<void> {
  await trx
    .insertInto('mandates')
    .values({
      id: mandate.id,
      subscription_id: mandate.subscriptionId,
      network: mandate.network,
      collector: mandate.collector,
      payer: mandate.payer,
      token_contract: mandate.tokenContract,
      ref: mandate.ref,
      max_units: mandate.maxPerPeriod,
      window_seconds: BigInt(mandate.period),
      starts_at: BigInt(mandate.start),
      ends_at: BigInt(mandate.end),
      carry: mandate.carry,
      signature: mandate.signature,
      submitted_at: mandate.submittedAt,
      relayed_by: mandate.relayedBy,
      authorized_at: mandate.authorizedAt,
      revoked_at: mandate.revokedAt,
      created_at: mandate.createdAt,
    })
    .execute();
}

/** The mandates with these ids; leaves out unknown ones. */
export async function findMandates(db: Db | Trx, ids: readonly string[]): Promise<StoredMandate[]> {
  const { rows } = await sql<Selectable<Mandates>>`
    select * from mandates where id = any (${[...ids]}::text[])`.execute(db);
  return rows.map(toMandate);
}

/** The current (newest) mandate of each of these subscriptions, by subscription id. */
export async function findCurrentMandates(
  db: Db | Trx,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, StoredMandate>> {
  const { rows } = await sql<Selectable<Mandates>>`
    select m.* from subscriptions s join mandates m on m.id = s.mandate_id
     where s.id = any (${[...subscriptionIds]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.subscription_id, toMandate(row)]));
}

/** The current mandate of a subscription. Throws when it has none: then its network takes none. */
export async function getCurrentMandate(db: Db | Trx, { id, mandateId }: Subscription): Promise<StoredMandate> {
  const [mandate] = await findMandates(db, mandateId === null ? [] : [mandateId]);
  if (!mandate) throw new Error(`subscription ${id} has no mandate`);
  return mandate;
}

/**
 * The collectors that customers of a network were asked to authorise, without those that this process watches already.
 * It is asked with every step of the watcher, so it skips from one collector to the next in the index.
 */
export async function listOtherCollectors(
  db: Db | Trx,
  { name, collector, formerCollectors = [] }: Pick<Network, 'name' | 'collector' | 'formerCollectors'>,
): Promise<string[]> {
  const { rows } = await sql<{ collector: string }>`
    with recursive known (collector) as (
      (select collector from mandates where network = ${name} order by collector limit 1)
      union all
      select (select m.collector from mandates m
               where m.network = ${name} and m.collector > k.collector order by m.collector limit 1)
        from known k where k.collector is not null
    )
    select collector from known
     where collector is not null and collector <> all (${[...formerCollectors, collector ?? '']}::text[])`.execute(db);
  return rows.map((row) => row.collector);
}

/** Which of these tokens of a network any mandate names. */
export async function listNamedTokens(db: Db | Trx, network: string, contracts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ contract: string }>`
    select contract from unnest(${[...contracts]}::text[]) as c (contract)
     where exists (select from mandates where network = ${network} and token_contract = contract)`.execute(db);
  return rows.map(({ contract }) => contract);
}

const LOOK_AT = sql`coalesce(relay_look_at, '-infinity'::timestamptz)`;

/**
 * Signed mandates of a network with no relay under way that are to be looked at, in the order of `mandates_to_look_at`:
 * first those that never were, oldest first, so that none that is held back again and again keeps them waiting. The
 * index passes over what is held back. Compared as rows, so that no statistics make another one seem as good.
 */
const toRelay = (network: RawBuilder<string>, now: Date) => sql`
  mandates where signature is not null and relayed_by is null and authorized_at is null and revoked_at is null
     and (network, ${LOOK_AT}) >= (${network}, '-infinity') and (network, ${LOOK_AT}) <= (${network}, ${now})
   order by network, ${LOOK_AT}, submitted_at`;

/** Those to look at, in that order, at most so many. */
export async function listToRelay(db: Db, network: string, now: Date, limit: number): Promise<StoredMandate[]> {
  const { rows } = await sql<Selectable<Mandates>>`
    select * from ${toRelay(sql`${network}::text`, now)} limit ${limit}`.execute(db);
  return rows.map(toMandate);
}

/** Whether there is one on any of these networks. */
export const isAnyToRelay = (networks: readonly string[], now: Date): RawBuilder<boolean> =>
  isAny(sql`unnest(${[...networks]}::text[]) as n (name) cross join lateral (
    select from ${toRelay(sql`n.name`, now)} limit 1) first`);

/** Writes the mutable columns of a mandate; its subscription must be locked. */
export async function saveMandate(trx: Trx, mandate: StoredMandate): Promise<void> {
  await trx
    .updateTable('mandates')
    .set({
      signature: mandate.signature,
      submitted_at: mandate.submittedAt,
      relayed_by: mandate.relayedBy,
      authorized_at: mandate.authorizedAt,
      revoked_at: mandate.revokedAt,
    })
    .where('id', '=', mandate.id)
    .execute();
}

/** Writes what the chain says about a mandate, and leaves its signature and relay alone. */
export async function saveMandateOnChain(
  trx: Trx,
  { id, authorizedAt, revokedAt }: Pick<StoredMandate, 'id' | 'authorizedAt' | 'revokedAt'>,
): Promise<void> {
  await trx
    .updateTable('mandates')
    .set({ authorized_at: authorizedAt, revoked_at: revokedAt })
    .where('id', '=', id)
    .execute();
}

/** Holds the relay of a mandate back until a time. */
export async function putOffRelay(db: Db | Trx, id: string, until: Date): Promise<void> {
  await db.updateTable('mandates').set({ relay_look_at: until }).where('id', '=', id).execute();
}

type Relayed = Readonly<Record<'all' | 'merchant' | 'wallet' | 'flying' | 'reverted' | 'again', number>>;

/**
 * How many mandates were relayed since a time for customers whom no merchant has subscribed: of all, of one merchant,
 * and of one wallet. Also how many mandates of that wallet are in no block yet, how many were reverted, and how many
 * are of this subscription, including those that a merchant asked for. Who counts is alone until the commit.
 */
export async function countRelays(
  trx: Trx,
  { id, merchantId, wallet }: Pick<Subscription, 'id' | 'merchantId' | 'wallet'>,
  since: Date,
): Promise<Relayed> {
  await sql`select pg_advisory_xact_lock(hashtext('kasi relayed mandates'))`.execute(trx);
  const { rows } = await sql<Relayed>`
    select (count(*) filter (where own))::integer as all,
           (count(*) filter (where own and merchant_id = ${merchantId}))::integer as merchant,
           (count(*) filter (where own and wallet = ${wallet}))::integer as wallet,
           (count(*) filter (where wallet = ${wallet} and succeeded is null))::integer as flying,
           (count(*) filter (where wallet = ${wallet} and not succeeded))::integer as reverted,
           (count(*) filter (where id = ${id}))::integer as again
      from (select s.id, s.merchant_id, s.wallet, s.subscribed_by = 'customer' as own, t.succeeded
              from operator_transactions t join mandates m on m.id = t.subject and m.relayed_by = t.id
              join subscriptions s on s.id = m.subscription_id
             where t.created_at > ${since} and t.purpose = ${RELAY_PURPOSE}) relayed`.execute(trx);
  return rows[0]!;
}

function toMandate(row: Selectable<Mandates>): StoredMandate {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    network: row.network,
    collector: row.collector,
    payer: row.payer,
    tokenContract: row.token_contract,
    ref: row.ref,
    maxPerPeriod: row.max_units,
    period: Number(row.window_seconds),
    start: Number(row.starts_at),
    end: Number(row.ends_at),
    carry: row.carry,
    signature: row.signature,
    submittedAt: row.submitted_at,
    relayedBy: row.relayed_by,
    authorizedAt: row.authorized_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
  };
}
