import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { isSentUnseen, NO_CONTRACT } from '../ports/assets.ts';
import type { BlockPlace, Witnessed } from '../ports/chain.ts';
import { isDeep, underConfirmedHeight } from './depth.ts';

/** Transfers that were counted in one block of a network: those of tokens together, those of a coin in parts. */
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

/**
 * The most credits that one run looks at on a network. A call of a node answers for all transfers of a block, so the
 * blocks are what is limited; this keeps them in memory.
 */
const CREDITS_MAX = 10_000;
/** So many arrivals of a coin are asked about at once: a node without their states is asked for each transaction. */
const COINS_MAX = 200;

/**
 * Whether credit `c` of payment `p` may be confirmed on the network of cursor `u`, as far as other endpoints go: it is
 * worth too little to ask, or two have shown it. Both the payment's worth and the transfer's count, so that a surplus
 * does not slip through.
 */
export const isSeconded = sql<boolean>`(
  u.second_opinion_from is null or c.seconded_at is not null
  or greatest(p.amount_micro, div(c.value_e18, 1000000000000)) < u.second_opinion_from)`;

/**
 * The credits that may be confirmed as far as they themselves say. While no second endpoint answers, all that is worth
 * asking about waits, and its payments are not looked up: each of them was, every second.
 */
export const UNDER_SECONDED = underConfirmedHeight(sql<boolean>`
  c.parked_at is null and (u.second_opinion_from is null or c.seconded_at is not null
    or div(c.value_e18, 1000000000000) < u.second_opinion_from)`);

type BlockId = Pick<BlockCredits, 'hash' | 'height'>;

/**
 * Deep and booked credits that wait for a second endpoint, by block, the lowest first: those of at most `max` blocks,
 * without those of `except`, hashes of blocks, or of `only`.
 */
export async function listCreditsToSecond(
  db: Db,
  network: string,
  blocks: { readonly max: number } & ({ readonly except: readonly string[] } | { readonly only: readonly BlockId[] }),
): Promise<BlockCredits[]> {
  const which =
    'only' in blocks
      ? sql`c.block_number = any (${blocks.only.map(({ height }) => height)}::bigint[])
            and c.block_hash = any (${blocks.only.map(({ hash }) => hash)}::text[])`
      : sql`not (c.block_hash = any (${[...blocks.except]}::text[]))`;
  // Each payment is looked up by its id (`underConfirmedHeight` says why), so the index of blocks gives the order.
  const waiting = sql`
    select c.* from credits c
     cross join lateral (select p.id, p.amount_micro from payments p where p.id = c.payment_id offset 0) p
     where c.network = u.network and c.canonical and c.confirmed_at is null and c.block_number <= u.confirmed_height
       and c.applied_at is not null and ${which} and ${isDeep} and not ${isSeconded}`;
  const { rows } = await sql<Row>`
    select ${COLUMNS} from chain_cursors u cross join lateral (${ofBlocks(waiting, 'asc', blocks.max)}) c
     where u.network = ${network} order by c.block_number, c.id`.execute(db);
  return byBlock(rows, await readBeside(db, network, rows), blocks.max);
}

/**
 * Of credits those of so many blocks, by height, and no more than fit. It stops there, so what waits behind costs
 * nothing.
 */
const ofBlocks = (credits: RawBuilder<unknown>, order: 'asc' | 'desc', max: number): RawBuilder<unknown> => sql`
  select * from (
    select c.*, dense_rank() over (order by c.block_number ${sql.raw(order)}) as place from (
      ${credits} order by c.block_number ${sql.raw(order)} limit ${CREDITS_MAX}) c) c
   where place <= ${sql.lit(max)}`;

const TO_SECOND = sql`
  ${underConfirmedHeight(sql`true`)} where case when p.id is null then false else ${isDeep} and not ${isSeconded} end`;

/** Whether there is any, on whatever network. */
export const isAnyToSecond = sql<boolean>`exists (select from ${TO_SECOND})`;

/**
 * Confirmed credits of at most `max` blocks above `after` up to `to` that were not reviewed since, the newest first,
 * without those of `except`, hashes of blocks. Of older blocks only those that were read again: an older release marked
 * none. See decision payments/newest-reviewed-first.
 */
export async function listCreditsNotFinal(
  db: Db,
  network: string,
  blocks: { readonly after: number; readonly to: number; readonly except: readonly string[]; readonly max: number },
): Promise<BlockCredits[]> {
  const { after, to, except, max } = blocks;
  const waits = sql`c.network = ${network} and c.canonical and c.confirmed_at is not null and c.final_at is null
    and c.block_number <= ${to} and not (c.block_hash = any (${[...except]}::text[]))`;
  // Each arm reads its partial index from the top and stops: what waits below costs nothing.
  const newer = sql`select c.* from credits c where ${waits} and c.block_number > ${after}`;
  const readAgain = sql`
    select c.* from credits c where ${waits} and c.block_number <= ${after} and c.twins is not null`;
  const { rows } = await sql<Row>`
    select ${COLUMNS} from (
      select * from (${ofBlocks(newer, 'desc', max)}) as newer
      union all
      select * from (${ofBlocks(readAgain, 'desc', max)}) as read_again) as c
     order by c.block_number desc, c.id limit ${CREDITS_MAX}`.execute(db);
  return byBlock(rows, await readBeside(db, network, rows), max);
}

const COLUMNS = sql`c.id, c.payment_id, c.network, c.block_number, c.block_hash, c.tx_hash, c.transfer_index,
  c.contract, c.recipient, c.amount_units, c.seen_at`;

const placeOf = ({ block_number, recipient }: Pick<Row, 'block_number' | 'recipient'>): string =>
  `${block_number} ${recipient}`;

/** What is credited beside a credit, as endpoints are asked about it; by its id. */
type Beside = ReadonlyMap<string, Pick<Witnessed, 'total' | 'through' | 'throughTx' | 'alike'>>;

const readBeside = async (db: Db, network: string, rows: readonly Row[]): Promise<Beside> =>
  new Map([...(await readCoinTotals(db, network, rows)), ...(await countAlike(db, network, rows))]);

/**
 * How many token transfers like these are credited, where these are not the first of them. Each transaction is looked
 * up by its block, too: by the network alone an index of all credits is read whole.
 */
async function countAlike(db: Db, network: string, rows: readonly Row[]): Promise<Beside> {
  const places = [
    ...new Map(
      rows.filter((row) => !isSentUnseen(row)).map((row) => [`${row.block_hash} ${row.tx_hash}`, row]),
    ).values(),
  ];
  if (places.length === 0) return new Map();
  const { rows: found } = await sql<{ id: string; alike: number }>`
    select id, alike from (
      select c.id, (count(*) over (
               partition by c.block_hash, c.tx_hash, c.contract, c.recipient, c.amount_units
               order by ${DOUBTED}, c.id))::integer as alike
        from unnest(${places.map(({ block_hash }) => block_hash)}::text[],
                    ${places.map(({ tx_hash }) => tx_hash)}::text[]) as t (block_hash, tx_hash)
       cross join lateral (
         select c.* from credits c
          where c.network = ${network} and c.block_hash = t.block_hash and c.tx_hash = t.tx_hash and c.canonical
            and c.contract <> ${sql.lit(NO_CONTRACT)} offset 0) as c) as c
     where alike > 1`.execute(db);
  return new Map(found.map(({ id, alike }) => [id, { alike }]));
}

/**
 * What is credited of the coin up to a block at the addresses that got some in it, once for each and not for each row;
 * and in that block up to each credit, where those that are believed come first.
 */
async function readCoinTotals(db: Db, network: string, rows: readonly Row[]): Promise<Beside> {
  const coins = [...new Map(rows.filter(isSentUnseen).map((row) => [placeOf(row), row])).values()];
  if (coins.length === 0) return new Map();
  const ofCoin = sql`c.network = ${network} and c.canonical and c.contract = ${sql.lit(NO_CONTRACT)}`;
  const { rows: totals } = await sql<{ id: string; total: bigint; through: bigint; throughTx: bigint }>`
    with got as (
      select d.block_number, d.recipient, (
        select sum(c.amount_units)::numeric(78, 0) from credits c
         where ${ofCoin} and c.recipient = d.recipient and c.block_number <= d.block_number) as total
        from unnest(${coins.map(({ block_number }) => block_number.toString())}::bigint[],
                    ${coins.map(({ recipient }) => recipient)}::text[]) as d (block_number, recipient))
    select c.id, g.total, (sum(c.amount_units) over of_block)::numeric(78, 0) as through,
           (sum(c.amount_units) over of_tx)::numeric(78, 0) as "throughTx"
      from got g join credits c on ${ofCoin} and c.block_number = g.block_number and c.recipient = g.recipient
    window of_block as (partition by c.block_number, c.recipient order by ${DOUBTED}, c.id),
           of_tx as (partition by c.block_number, c.recipient, c.tx_hash order by ${DOUBTED}, c.id)`.execute(db);
  return new Map(totals.map(({ id, ...sums }) => [id, sums]));
}

/** Whether no endpoint beside the one that showed it has been believed about a credit. */
const DOUBTED = sql`(c.seconded_at is null and c.confirmed_at is null)`;

/** Endpoints are asked about no more sweeps of an address. Anybody can sweep a wei, again and again. */
const SWEPT_IN_MAX = 20;

/** Credits of a block, those of a coin with the blocks in which it was swept from their addresses before. */
export async function withSweeps(
  db: Db,
  { network, height }: Pick<BlockCredits, 'network' | 'height'>,
  credits: BlockCredits['credits'],
): Promise<BlockCredits['credits']> {
  const addresses = new Set(credits.filter(isSentUnseen).map(({ to }) => to));
  const sweeps = new Map<string, readonly BlockPlace[]>();
  // A statement for each: an address may have a million sweeps, and a statement has its time.
  for (const address of addresses) {
    const { rows } = await sql<{ height: number; hash: string }>`
      select block_number::float8 as height, block_hash as hash from coin_sweeps
       where network = ${network} and canonical and address = ${address} and block_number <= ${height}
       group by block_number, block_hash order by sum(units) desc limit ${SWEPT_IN_MAX + 1}`.execute(db);
    sweeps.set(address, rows);
  }
  return credits.map((credit) => {
    const blocks = isSentUnseen(credit) ? (sweeps.get(credit.to) ?? []) : [];
    return { ...credit, sweptIn: blocks.slice(0, SWEPT_IN_MAX), sweptMore: blocks.length > SWEPT_IN_MAX };
  });
}

/** The rows are in the order of blocks. The last block comes the next time where it may have been cut off. */
function byBlock(rows: readonly Row[], beside: Beside, max: number): BlockCredits[] {
  const blocks = [...Map.groupBy(rows, (row) => row.block_hash).values()];
  const whole = rows.length < CREDITS_MAX || blocks.length === 1 ? blocks : blocks.slice(0, -1);
  return whole.slice(0, max).flatMap((block) => {
    const [coins, tokens] = [block.filter(isSentUnseen), block.filter((row) => !isSentUnseen(row))];
    const parts = Array.from({ length: Math.ceil(coins.length / COINS_MAX) }, (_, i) =>
      coins.slice(i * COINS_MAX, (i + 1) * COINS_MAX),
    );
    return [...(tokens.length > 0 ? [tokens] : []), ...parts].map((part) => toBlock(part, beside));
  });
}

const toBlock = (rows: readonly Row[], beside: Beside): BlockCredits => {
  const [first] = rows as readonly [Row, ...Row[]];
  return {
    network: first.network,
    hash: first.block_hash,
    height: Number(first.block_number),
    seenAt: rows.reduce((oldest, { seen_at }) => (seen_at < oldest ? seen_at : oldest), first.seen_at),
    credits: rows.map((row) => {
      return {
        ...{ id: row.id, paymentId: row.payment_id, index: row.transfer_index, txHash: row.tx_hash },
        ...{ contract: row.contract, to: row.recipient, units: row.amount_units },
        ...beside.get(row.id),
      };
    }),
  };
};

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
  await db
    .updateTable('credits')
    .set(set)
    .where('id', '=', sql<string>`any (${credits.map(({ id }) => id)}::text[])`)
    .where('canonical', '=', true)
    .where('block_hash', '=', hash)
    .execute();
}
