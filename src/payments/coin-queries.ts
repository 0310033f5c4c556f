import { sql } from 'kysely';
import { HOUR_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { CoinGrowth, CoinReading, Network } from '../ports/chain.ts';
import { QUEUED } from './credits.ts';
import { findPaymentIds } from './deposits.ts';
import type { CreditRate } from './types.ts';

/** In which blocks of a network coins were read. */
export type CoinCursor = {
  /** At the addresses of payments that wait. */
  readonly height: number;
  readonly hash: string;
  /** At those of payments that are over. */
  readonly lateHeight: number;
  readonly lateHash: string;
  /** The time of that block; null while there was none. */
  readonly lateTo: Date | null;
  /** Business time. */
  readonly lateAt: Date | null;
};

type Named = Pick<Network, 'kind' | 'name'>;

/** The addresses of payments that are over are read so long after the end of their late windows. */
export const LATE_FOR_MS = HOUR_MS;

/** Undefined before the first reading of a network. */
export async function findCoinCursor(db: Db | Trx, network: string): Promise<CoinCursor | undefined> {
  const row = await db.selectFrom('coin_cursors').selectAll().where('network', '=', network).executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    height: Number(row.height),
    hash: row.hash,
    lateHeight: Number(row.late_height),
    lateHash: row.late_hash,
    lateTo: row.late_to,
    lateAt: row.late_at,
  };
}

/** Notes that a reading is stored. */
export async function moveCoinCursor(
  trx: Trx,
  { block: { network, height, hash, time }, late }: Pick<CoinReading, 'block' | 'late'>,
  now: Date,
): Promise<void> {
  const here = { height: BigInt(height), hash };
  const over = { late_height: BigInt(height), late_hash: hash, late_to: time, late_at: now };
  const none = { late_height: BigInt(height), late_hash: '', late_to: null, late_at: null };
  await trx
    .insertInto('coin_cursors')
    .values({ network, ...here, ...(late ? over : none) })
    .onConflict((conflict) => conflict.column('network').doUpdateSet({ ...here, ...(late ? over : {}) }))
    .execute();
}

/** A reorg took the blocks above `height`: what left addresses there, and the readings of their states. */
export async function orphanCoins(trx: Trx, network: string, height: number): Promise<void> {
  await sql`
    update coin_sweeps set canonical = false
     where network = ${network} and canonical and block_number > ${height}`.execute(trx);
  await sql`
    update coin_cursors
       set height = least(height, ${height}), hash = case when height > ${height} then '' else hash end,
           late_height = least(late_height, ${height}),
           late_hash = case when late_height > ${height} then '' else late_hash end
     where network = ${network}`.execute(trx);
}

const OFFERS = sql`p.options @> '[{"token": "ETH"}]'`;
const offer = ({ name }: Named): string => JSON.stringify([{ token: 'ETH', network: name }]);
const offers = (network: Named) => sql`p.options @> ${offer(network)}::jsonb`;

/** The addresses of payments that wait and may be paid in the coin of a network. */
export async function listOpenCoins(db: Db, network: Named): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select d.address from payments p join deposit_addresses d on d.payment_id = p.id and d.kind = ${network.kind}
     where p.status in ('initiated', 'pending', 'confirming') and ${OFFERS} and ${offers(network)}`.execute(db);
  return rows.map(({ address }) => address);
}

/** The addresses of payments that are over, and whose late windows ended at `since` or later; and those asked for. */
export async function listOverCoins(db: Db, network: Named, since: Date): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select d.address from payments p join deposit_addresses d on d.payment_id = p.id and d.kind = ${network.kind}
     where p.status in ('paid', 'failed', 'expired') and ${OFFERS} and ${offers(network)}
       and (p.expires_at at time zone 'UTC') + p.late_window_ms * interval '1 millisecond'
             >= ${since}::timestamptz at time zone 'UTC'
    union
    select address from coin_requests where network = ${network.name}`.execute(db);
  return rows.map(({ address }) => address);
}

/**
 * Whether somebody looks for the coin at a deposit address: its payment asks for it and is read, asked for it and is
 * read no longer, or never asked for it.
 */
export type CoinWatch = 'read' | 'ended' | 'never';

/** How these addresses are watched for a network's coin. Others than deposit addresses are left out. */
export async function readCoinWatches(
  trx: Trx,
  network: Named,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, CoinWatch>> {
  const { rows } = await sql<{ address: string; watch: CoinWatch }>`
    select d.address, case
             when not coalesce(${offers(network)}, r.row_then -> 'options' @> ${offer(network)}::jsonb, false)
               then 'never'
             when p.id is null then 'ended'
             when p.status not in ('paid', 'failed', 'expired') then 'read'
             when exists (select from coin_requests q where q.network = ${network.name} and q.address = d.address)
               then 'read'
             when p.expires_at + p.late_window_ms * interval '1 millisecond'
                  < (select late_to from coin_cursors where network = ${network.name})
                    - ${LATE_FOR_MS} * interval '1 millisecond'
               then 'ended'
             else 'read' end as watch
      from deposit_addresses d left join payments p on p.id = d.payment_id
           left join pruned_payments r on p.id is null and r.payment_id = d.payment_id
     where d.kind = ${network.kind} and d.address = any (${[...addresses]}::text[])`.execute(trx);
  return new Map(rows.map(({ address, watch }) => [address, watch]));
}

/** What is stored of what came to an address in the coin, and in how many credits. */
export type StoredGrowth = CoinGrowth & { readonly credits: number };

/** The same of these addresses, by address; others have nothing. */
export async function readStoredCoins(
  db: Db | Trx,
  { name, native }: Network,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, StoredGrowth>> {
  const { rows } = await sql<{
    address: string;
    credited: bigint;
    credits: number;
    sweeps: readonly StoredSweep[] | null;
  }>`
    with credited as (
      select recipient as address, sum(amount_units) as units, count(*)::integer as credits from credits
       where network = ${name} and canonical and contract = ${native?.contract}
         and recipient = any (${[...addresses]}::text[]) group by recipient),
    swept as (
      select address, jsonb_agg(jsonb_build_object('height', block_number, 'units', units::text)) as sweeps from (
        select address, block_number, sum(units) as units
          from coin_sweeps where network = ${name} and canonical and address = any (${[...addresses]}::text[])
         group by address, block_number) as by_block
       group by address)
    select coalesce(c.address, s.address) as address, coalesce(c.units, 0)::numeric(78, 0) as credited,
           coalesce(c.credits, 0) as credits, s.sweeps
      from credited c full join swept s on s.address = c.address`.execute(db);
  return new Map(
    rows.map(({ address, credited, credits, sweeps }) => [
      address,
      { address, credited, credits, sweeps: (sweeps ?? []).map((each) => ({ ...each, units: BigInt(each.units) })) },
    ]),
  );
}

type StoredSweep = { readonly height: number; readonly units: string };

/** A stored credit, as far as it takes up a place in its transaction, or was valued before a reorg took it. */
export type StoredCoin = {
  readonly id: string;
  readonly tx_hash: string;
  readonly transfer_index: number;
  readonly block_hash: string;
  readonly recipient: string;
  readonly amount_units: bigint;
  readonly canonical: boolean;
  readonly value_e18: bigint;
  readonly rate: CreditRate | null;
};

/** The canonical credits of transactions, and those of payments that a reorg took. */
export async function listStoredCoins(
  trx: Trx,
  { name, native }: Network,
  txHashes: readonly string[],
  paymentIds: readonly string[],
): Promise<readonly StoredCoin[]> {
  const columns = sql.raw(
    'id, tx_hash, transfer_index, block_hash, recipient, amount_units, canonical, value_e18, rate',
  );
  const { rows } = await sql<StoredCoin>`
    select ${columns} from credits where network = ${name} and canonical and tx_hash = any (${[...txHashes]}::text[])
    union all
    select ${columns} from credits
     where payment_id = any (${[...paymentIds]}::text[]) and network = ${name} and contract = ${native?.contract}
       and not canonical`.execute(trx);
  return rows;
}

/** A credit that a reorg took counts again. */
export async function restoreCredit(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('credits')
    .set({ canonical: true, ...QUEUED })
    .where('id', '=', id)
    .where('canonical', '=', false)
    .execute();
  trx.wake('kasi_credits');
}

/** Has addresses read until what they hold agrees with what was credited. */
export async function requestCoins(
  db: Db | Trx,
  network: string,
  requests: readonly { readonly address: string; readonly paymentId: string }[],
  now: Date,
): Promise<void> {
  if (requests.length === 0) return;
  const rows = requests.map(({ address, paymentId }) => ({ address, payment_id: paymentId }));
  await sql`
    insert into coin_requests (network, address, payment_id, requested_at)
    select ${network}, r.address, r.payment_id, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (address text, payment_id text)
    on conflict (network, address) do nothing`.execute(db);
}

/** The same for those of these addresses that are deposit addresses, whatever their payments ask for and are. */
export async function seekCoins(trx: Trx, network: Named, addresses: readonly string[], now: Date): Promise<void> {
  if (addresses.length === 0) return;
  const payments = await findPaymentIds(trx, network, addresses);
  const requests = [...payments].map(([address, paymentId]) => ({ address, paymentId }));
  await requestCoins(trx, network.name, requests, now);
}

/**
 * The same for those whose payments ask for the coin. What was swept from others may have been given back by hand. See
 * decision treasury/coins-that-nobody-looks-for.
 */
export async function seekOfferedCoins(
  trx: Trx,
  network: Named,
  addresses: readonly string[],
  now: Date,
): Promise<void> {
  if (addresses.length === 0) return;
  const watches = await readCoinWatches(trx, network, addresses);
  const offered = addresses.filter((address) => (watches.get(address) ?? 'never') !== 'never');
  await seekCoins(trx, network, offered, now);
}

/** These of the requested addresses, with the payments that they belong to. */
export async function listRequested(
  db: Db | Trx,
  network: string,
  addresses: readonly string[],
): Promise<{ readonly address: string; readonly paymentId: string; readonly requestedAt: Date }[]> {
  return await db
    .selectFrom('coin_requests')
    .select(['address', 'payment_id as paymentId', 'requested_at as requestedAt'])
    .where('network', '=', network)
    .where('address', '=', sql<string>`any (${[...addresses]}::text[])`)
    .execute();
}

/** What these addresses hold agrees with what was credited. */
export async function endRequests(trx: Trx, network: string, addresses: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('coin_requests')
    .where('network', '=', network)
    .where('address', '=', sql<string>`any (${[...addresses]}::text[])`)
    .execute();
}
