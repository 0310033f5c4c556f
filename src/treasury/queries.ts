import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { TreasuryTransfer } from '../ports/treasury.ts';

/** How far the transfers of a network's treasuries were read. */
export type TreasuryCursor = {
  /** The tokens and treasuries that were read for. */
  readonly watched: string;
  readonly firstHeight: number;
  /** Read and confirmed up to here. */
  readonly height: number;
};

/** For what the cursor of a network is moved whose money lies in outputs; others have their contracts in this place. */
export const OUTPUTS = 'outputs';

/** Sums of what went into a treasury and out of it. */
export type Flow = {
  readonly contract: string;
  readonly treasury: string;
  /** From deposit addresses, and what tokens kept of it, which the one has who stands in the place of the treasury. */
  readonly swept: bigint;
  /** From elsewhere: collected charges, and what others have sent. */
  readonly direct: bigint;
  readonly spent: bigint;
};

/** What a treasury held of a token at a height, when that agreed with all its transfers. */
export type TreasuryBalance = {
  readonly contract: string;
  readonly treasury: string;
  readonly height: number;
  readonly units: bigint;
};

/** A deposit address that holds something else than was credited and not swept. */
export type Holding = {
  readonly contract: string;
  readonly address: string;
  readonly expected: bigint;
  readonly held: bigint;
};

/** How far a network's treasuries were read; undefined before the first time. Locks the row if `lock`. */
export async function findTreasuryCursor(
  db: Db | Trx,
  network: string,
  lock = false,
): Promise<TreasuryCursor | undefined> {
  let query = db
    .selectFrom('treasury_cursors')
    .select(['watched', 'first_height', 'height'])
    .where('network', '=', network);
  if (lock) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  return row && { watched: row.watched, firstHeight: Number(row.first_height), height: Number(row.height) };
}

/** Starts the reading of a network's treasuries, or starts it anew, with the block after `height`. */
export async function startCursor(db: Db, network: string, { watched, height }: TreasuryCursor): Promise<void> {
  const row = { watched, first_height: BigInt(height + 1), height: BigInt(height) };
  await db
    .insertInto('treasury_cursors')
    .values({ network, ...row })
    .onConflict((conflict) => conflict.column('network').doUpdateSet(row))
    .execute();
}

/** Notes that everything up to `height` was read for what is `watched`, and is confirmed. */
export async function moveTreasuryCursor(trx: Trx, network: string, watched: string, height: number): Promise<void> {
  await trx
    .updateTable('treasury_cursors')
    .set({ height: BigInt(height) })
    .where('network', '=', network)
    .where('watched', '=', watched)
    .where('height', '<', BigInt(height))
    .execute();
}

/** Notes that nothing above `height` is read: a reorg replaced those blocks. */
export async function lowerTreasuryCursor(trx: Trx, network: string, height: number): Promise<void> {
  await trx
    .updateTable('treasury_cursors')
    .set({ height: BigInt(height), first_height: sql<bigint>`least(first_height, ${height + 1}::bigint)` })
    .where('network', '=', network)
    .where('height', '>', BigInt(height))
    .execute();
}

/**
 * Makes the stored transfers of blocks `from` to `to` these. `deposits` are the parties that are deposit addresses.
 */
export async function replaceTransfers(
  trx: Trx,
  network: string,
  from: number,
  to: number,
  transfers: readonly TreasuryTransfer[],
  deposits: ReadonlySet<string>,
): Promise<void> {
  await trx
    .deleteFrom('treasury_transfers')
    .where('network', '=', network)
    .where('block_number', '>=', BigInt(from))
    .where('block_number', '<=', BigInt(to))
    .execute();
  if (transfers.length === 0) return;
  const rows = transfers.map(({ block, place, txHash, contract, treasury, party, outgoing, units }) => ({
    ...{ network, block_number: block.height, block_hash: block.hash, place, treasury, outgoing, contract, party },
    ...{ swept: !outgoing && deposits.has(party), units: units.toString(), tx_hash: txHash },
  }));
  await sql`
    insert into treasury_transfers
    select * from jsonb_populate_recordset(null::treasury_transfers, ${JSON.stringify(rows)}::jsonb)`.execute(trx);
}

/** What went into and out of each treasury in the blocks above `after` up to `to`. */
export async function sumFlows(db: Db | Trx, network: string, after: number, to: number): Promise<Flow[]> {
  const { rows } = await sql<Flow>`
    select contract, treasury,
           coalesce(sum(units) filter (where swept), 0)::numeric(78, 0) as swept,
           coalesce(sum(units) filter (where not swept and not outgoing), 0)::numeric(78, 0) as direct,
           coalesce(sum(units) filter (where outgoing), 0)::numeric(78, 0) as spent
      from treasury_transfers where network = ${network} and block_number > ${after} and block_number <= ${to}
     group by contract, treasury`.execute(db);
  return rows;
}

/** What was swept from these addresses in blocks up to `height`, by address and token, and the last such block. */
export async function sumSwept(trx: Trx, network: string, addresses: readonly string[], height: number) {
  const { rows } = await sql<{ address: string; contract: string; units: bigint; height: bigint }>`
    select party as address, contract, sum(units)::numeric(78, 0) as units, max(block_number) as height
      from treasury_transfers
     where network = ${network} and swept and units > 0
       and party = any (${[...addresses]}::text[]) and block_number <= ${height}
     group by party, contract`.execute(trx);
  return rows.map((row) => ({ ...row, height: Number(row.height) }));
}

/** Addresses above `after` that were swept in the blocks above `from` up to `to`, in their order. */
export async function listSweptBetween(
  db: Db | Trx,
  network: string,
  blocks: { readonly after: number; readonly to: number },
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ party: string }>`
    select distinct party from treasury_transfers
     where network = ${network} and swept and block_number > ${blocks.after} and block_number <= ${blocks.to}
       and party > ${after} order by party limit ${limit}`.execute(db);
  return rows.map(({ party }) => party);
}

/** What transactions brought a treasury from anyone but deposit addresses, by transaction, token and sender. */
export async function sumDirect(trx: Trx | Db, network: string, txHashes: readonly string[], height: number) {
  const { rows } = await sql<{ txHash: string; contract: string; party: string; treasury: string; units: bigint }>`
    select tx_hash as "txHash", contract, party, treasury, sum(units)::numeric(78, 0) as units from treasury_transfers
     where network = ${network} and not outgoing and not swept and block_number <= ${height}
       and tx_hash = any (${[...txHashes]}::text[]) group by tx_hash, contract, party, treasury`.execute(trx);
  return rows;
}

/** What the treasuries of a network held when that last agreed with their transfers. */
export async function listBalances(db: Db | Trx, network: string): Promise<TreasuryBalance[]> {
  const rows = await db
    .selectFrom('treasury_balances')
    .select(['contract', 'treasury', 'height', 'units'])
    .where('network', '=', network)
    .execute();
  return rows.map(({ height, ...row }) => ({ ...row, height: Number(height) }));
}

/** Notes what a treasury held of a token at a height. */
export async function saveBalance(db: Db | Trx, network: string, balance: TreasuryBalance): Promise<void> {
  const { contract, treasury, units } = balance;
  const height = BigInt(balance.height);
  await db
    .insertInto('treasury_balances')
    .values({ network, contract, treasury, height, units })
    .onConflict((conflict) => conflict.columns(['network', 'contract', 'treasury']).doUpdateSet({ height, units }))
    .execute();
}

/** The addresses of a network whose holdings nothing explains, as far as is known. */
export async function listUnexplained(db: Db, network: string): Promise<string[]> {
  const rows = await db
    .selectFrom('unexplained_holdings')
    .select('address')
    .distinct()
    .where('network', '=', network)
    .execute();
  return rows.map(({ address }) => address);
}

/** Stores which holdings of the `compared` addresses nothing explains, and forgets what is explained by now. */
export async function saveUnexplained(
  trx: Trx,
  network: string,
  compared: readonly string[],
  holdings: readonly Holding[],
  height: number,
  now: Date,
): Promise<void> {
  await sql`
    delete from unexplained_holdings
     where network = ${network} and address = any (${[...compared]}::text[])
       and (contract || ' ' || address) <> all
         (${holdings.map(({ contract, address }) => `${contract} ${address}`)}::text[])`.execute(trx);
  for (const { contract, address, expected, held } of holdings) {
    const found = { expected_units: expected, held_units: held, height: BigInt(height) };
    await trx
      .insertInto('unexplained_holdings')
      .values({ network, contract, address, ...found, found_at: now })
      .onConflict((conflict) => conflict.columns(['network', 'contract', 'address']).doUpdateSet(found))
      .execute();
  }
}

/** The payment up to which older deposit addresses were compared in turn. */
export async function findRotation(db: Db, network: string): Promise<string> {
  const row = await db
    .selectFrom('treasury_cursors')
    .select('rotated_to')
    .where('network', '=', network)
    .executeTakeFirst();
  return row?.rotated_to ?? '';
}

/** Notes the payment up to which older deposit addresses were compared. */
export async function saveRotation(db: Db, network: string, paymentId: string): Promise<void> {
  await db.updateTable('treasury_cursors').set({ rotated_to: paymentId }).where('network', '=', network).execute();
}
