import { type RawBuilder, sql } from 'kysely';
import { type Keyed, type Order, windowSql } from '../db/keyset.ts';
import type { Db } from '../lib/db-types.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import type { Token } from '../ports/chain.ts';
import type { MerchantStatus } from '../ports/security.ts';

/** Money that waits to be sent. */
export type QueuedPayout = {
  readonly kind: 'withdrawal' | 'refund';
  readonly id: string;
  readonly status: 'approved' | 'pending' | 'processing';
  readonly merchantId: string;
  readonly merchantName: string;
  readonly merchantStatus: MerchantStatus;
  readonly network: string;
  readonly token: string;
  /** Base units of a refund, with their decimals; null for a withdrawal, which is of `micro` dollars. */
  readonly units: bigint | null;
  readonly decimals: number;
  /** What is sent, in micro-dollars. */
  readonly micro: bigint;
  readonly destination: string | null;
  /** What it was begun in; null before it is begun, and where that was not noted. */
  readonly begunContract: string | null;
  readonly begunDecimals: number | null;
  /** How many payouts the chain has taken back. */
  readonly reverts: number;
  readonly createdAt: Date;
  readonly waitingSince: Date;
};

export type QueueFilter = {
  readonly kind?: QueuedPayout['kind'];
  readonly network?: string;
  readonly ids?: readonly string[];
};

const QUEUE: Order = {
  list: 'payouts',
  direction: 'asc',
  keys: [
    { sql: sql.ref('q.waitingSince'), type: 'time' },
    { sql: sql.ref('q.id'), type: 'text' },
  ],
};

/** The longest waiting first, one page. */
export async function listPayouts(db: Db, filter: QueueFilter, page: PageWindow): Promise<Page<QueuedPayout>> {
  const at = windowSql(QUEUE, page);
  const { rows } = await sql<QueuedPayout & Keyed>`
    select q.*, ${at.keys}, m.business_name as "merchantName", m.status as "merchantStatus"
      from (${queued(filter)}) q join merchants m on m.id = q."merchantId"
     where ${at.condition} ${at.tail}`.execute(db);
  return at.pageOf(rows, (row) => row);
}

/** How many there are. */
export async function countPayouts(db: Db, filter: QueueFilter): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`select count(*) as total from (${queued(filter)}) q`.execute(db);
  return Number(rows[0]?.total ?? 0n);
}

/** What can be sent on a network: its tokens in any amount, and its coin from so many base units on. */
export type Sendable = {
  readonly tokens: readonly Pick<Token, 'symbol' | 'decimals'>[];
  readonly coin: { readonly symbol: string; readonly least: bigint } | null;
};

/** Those of a network that nobody has begun to pay, of merchants that are active, with an address. */
const unbegun = (network: string): RawBuilder<unknown> => sql`
  (${queued({ network })}) q join merchants m on m.id = q."merchantId"
     where q.status <> 'processing' and q.destination is not null and m.status = 'active'`;

/** The merchants whose payouts those are. */
export async function listUnbegunMerchants(db: Db, network: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct m.id from ${unbegun(network)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * What of a network nobody has begun to pay, the longest waiting first: what can be sent and is not of `debtors`, or
 * with `isFit` false all other.
 */
export async function listUnbegun(
  db: Db,
  network: string,
  asked: { readonly sendable: Sendable; readonly debtors: readonly string[]; readonly isFit: boolean },
  limit: number,
): Promise<string[]> {
  const { tokens, coin } = asked.sendable;
  const counted = tokens.map(({ symbol, decimals }) => `${symbol}${decimals}`);
  const { rows } = await sql<{ id: string }>`
    select q.id from ${unbegun(network)}
       and (q."merchantId" <> all (${[...asked.debtors]}::text[])
            and (q.token = any (${tokens.map(({ symbol }) => symbol)}::text[])
                   and (q.units is null or q.token || q.decimals = any (${counted}::text[]))
                 or q.token is not distinct from ${coin?.symbol ?? null} and q.units >= ${coin?.least ?? 0n}))
           = ${asked.isFit}
     order by q."waitingSince", q.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

function queued({ kind, network, ids }: QueueFilter): RawBuilder<unknown> {
  const on = network === undefined ? sql`true` : sql`network = ${network}`;
  const there = ids === undefined ? on : sql`${on} and id = any(${[...ids]})`;
  const withdrawals = sql`
    select 'withdrawal' as kind, id, status, merchant_id as "merchantId", network, currency as token,
           null::numeric(78, 0) as units, 6 as decimals, (amount_minor - fee_minor) * 10000 as micro,
           destination_address as destination, begun_contract as "begunContract", begun_decimals as "begunDecimals",
           reverts, created_at as "createdAt", reviewed_at as "waitingSince"
      from withdrawals where status in ('approved', 'processing') and ${there}`;
  const refunds = sql`
    select 'refund' as kind, id, status, merchant_id as "merchantId", network, token,
           units, decimals, from_suspense + from_available as micro,
           destination_address as destination, begun_contract as "begunContract", begun_decimals as "begunDecimals",
           reverts, created_at as "createdAt", destined_at as "waitingSince"
      from refunds where status in ('pending', 'processing') and ${there}`;
  if (kind === 'withdrawal') return withdrawals;
  return kind === 'refund' ? refunds : sql`${withdrawals} union all ${refunds}`;
}
