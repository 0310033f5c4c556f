import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Witnessed } from '../ports/chain.ts';
import { isDeep, UNDER_CONFIRMED_HEIGHT } from './depth.ts';

/** Transfers that were counted in one block of a network. */
export type BlockCredits = {
  readonly network: string;
  readonly height: number;
  readonly hash: string;
  /** When the oldest of them was seen. */
  readonly seenAt: Date;
  readonly credits: readonly (Witnessed & {
    readonly id: string;
    readonly paymentId: string;
    readonly index: number;
  })[];
};

/** The most credits that one run looks at on a network. */
const LIMIT = 200;

/**
 * Whether credit `c` of payment `p` may be confirmed on the network of cursor `u`, as far as other endpoints go: it is
 * worth too little to ask, or two have shown it. Both the payment's worth and the transfer's count, so that a surplus
 * does not slip through.
 */
export const isSeconded = sql<boolean>`(
  u.second_opinion_from is null or c.seconded_at is not null
  or greatest(p.amount_micro, div(c.value_e18, 1000000000000)) < u.second_opinion_from)`;

/** Deep and booked credits that wait for a second endpoint, by block, the lowest first. */
export async function listCreditsToSecond(db: Db, network: string): Promise<BlockCredits[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from ${TO_SECOND} and c.network = ${network}
     order by c.block_number, c.id limit ${LIMIT}`.execute(db);
  return byBlock(rows);
}

const TO_SECOND = sql`
  ${UNDER_CONFIRMED_HEIGHT} where case when p.id is null then false else ${isDeep} and not ${isSeconded} end`;

/** Whether there is any, on whatever network. */
export const isAnyToSecond = sql<boolean>`exists (select from ${TO_SECOND})`;

/**
 * Confirmed credits of the blocks above `after` up to `to` that nobody has looked at since, the newest first, without
 * those of `except`, hashes of blocks. Of older blocks only those that were read again: an older release marked none.
 * See decision payments/newest-reviewed-first.
 */
export async function listCreditsNotFinal(
  db: Db,
  network: string,
  blocks: { readonly after: number; readonly to: number; readonly except: readonly string[] },
): Promise<BlockCredits[]> {
  const { after, to, except } = blocks;
  const waits = sql`c.network = ${network} and c.canonical and c.confirmed_at is not null and c.final_at is null
    and c.block_number <= ${to} and not (c.block_hash = any (${[...except]}::text[]))`;
  // Each arm reads its partial index from the top and stops: what waits below costs nothing.
  const { rows } = await sql<Row>`
    select * from (
      (select ${COLUMNS} from credits c where ${waits} and c.block_number > ${after}
        order by c.block_number desc limit ${LIMIT})
      union all
      (select ${COLUMNS} from credits c where ${waits} and c.block_number <= ${after} and c.twins is not null
        order by c.block_number desc limit ${LIMIT})) as waiting
     order by block_number desc, id limit ${LIMIT}`.execute(db);
  return byBlock(rows);
}

const COLUMNS = sql`c.id, c.payment_id, c.network, c.block_number, c.block_hash, c.tx_hash, c.transfer_index,
  c.contract, c.recipient, c.amount_units, c.seen_at,
  case when c.contract = '0x0000000000000000000000000000000000000000' then (
    select sum(a.amount_units)::numeric(78, 0) from credits a
     where a.network = c.network and a.canonical and a.contract = '0x0000000000000000000000000000000000000000'
       and a.recipient = c.recipient and a.block_number <= c.block_number) end as total`;

const byBlock = (rows: readonly Row[]): BlockCredits[] =>
  [...Map.groupBy(rows, (row) => row.block_hash)].map(([hash, [first, ...more]]) => ({
    hash,
    network: (first as Row).network,
    height: Number((first as Row).block_number),
    seenAt: [first as Row, ...more].reduce(
      (oldest, { seen_at }) => (seen_at < oldest ? seen_at : oldest),
      (first as Row).seen_at,
    ),
    credits: [first as Row, ...more].map((row) => ({
      id: row.id,
      paymentId: row.payment_id,
      index: row.transfer_index,
      txHash: row.tx_hash,
      contract: row.contract,
      to: row.recipient,
      units: row.amount_units,
      ...(row.total !== null && { total: row.total }),
    })),
  }));

type Row = {
  readonly id: string;
  readonly payment_id: string;
  readonly network: string;
  readonly block_number: bigint;
  readonly block_hash: string;
  readonly tx_hash: string;
  readonly transfer_index: number;
  readonly contract: string;
  readonly recipient: string;
  readonly amount_units: bigint;
  readonly total: bigint | null;
  readonly seen_at: Date;
};

/** Two endpoints have shown these credits. One that a reorg took meanwhile stays as it is. */
export async function markSeconded(trx: Trx, block: BlockCredits, now: Date): Promise<void> {
  await mark(trx, block, { seconded_at: now });
  trx.wake('kasi_credits');
}

/** These credits were still there when their block was final. */
export const markFinal = (db: Db, block: BlockCredits, now: Date): Promise<void> => mark(db, block, { final_at: now });

async function mark(
  db: Db | Trx,
  { hash, credits }: BlockCredits,
  set: { readonly seconded_at: Date } | { readonly final_at: Date },
): Promise<void> {
  const ids = credits.map(({ id }) => id);
  await db
    .updateTable('credits')
    .set(set)
    .where('id', 'in', ids)
    .where('canonical', '=', true)
    .where('block_hash', '=', hash)
    .execute();
}
