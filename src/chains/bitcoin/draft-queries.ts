import { sql } from 'kysely';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { HeldOutput } from '../../ports/chain-kind.ts';
import type { Coin, Draft } from './psbt.ts';

/** What was handed out before. */
export type EarlierDraft = {
  readonly txHash: string;
  readonly payoutIds: readonly string[];
  readonly coins: readonly Coin[];
};

/** Those of a network that were to pay any of these payouts, the oldest first. */
export async function listDraftsOf(
  db: Db | Trx,
  network: string,
  payoutIds: readonly string[],
): Promise<EarlierDraft[]> {
  const { rows } = await sql<Coin & { draft: string; payoutIds: string[] }>`
    select d.tx_hash as draft, d.payout_ids as "payoutIds", c.tx_hash as "txHash", c.coin_index as index, c.units,
           c.key_index as key
      from bitcoin_drafts d join bitcoin_draft_coins c on c.network = d.network and c.draft = d.tx_hash
     where d.network = ${network} and d.payout_ids && ${[...payoutIds]}::text[]
     order by d.made_at, d.tx_hash, c.tx_hash, c.coin_index`.execute(db);
  const drafts = Map.groupBy(rows, ({ draft }) => draft);
  return [...drafts].map(([txHash, lines]) => ({
    ...{ txHash, payoutIds: lines[0]?.payoutIds ?? [] },
    coins: lines.map(({ txHash: hash, index, units, key }) => ({ txHash: hash, index, units, key })),
  }));
}

/** The drafts that spend any of these coins. */
export async function listSpendersOf(
  db: Db | Trx,
  network: string,
  coins: readonly Coin[],
): Promise<{ readonly coin: string; readonly draft: string; readonly payoutIds: readonly string[] }[]> {
  const { rows } = await sql<{ coin: string; draft: string; payoutIds: string[] }>`
    select c.tx_hash || ':' || c.coin_index as coin, d.tx_hash as draft, d.payout_ids as "payoutIds"
      from unnest(${coins.map(({ txHash }) => txHash)}::text[], ${coins.map(({ index }) => index)}::integer[])
             as asked (tx_hash, coin_index)
      join bitcoin_draft_coins c
        on c.network = ${network} and c.tx_hash = asked.tx_hash and c.coin_index = asked.coin_index
      join bitcoin_drafts d on d.network = c.network and d.tx_hash = c.draft`.execute(db);
  return rows;
}

/** What drafts gave back to the account, the newest first: coins, once these are mined. */
export async function listChange(db: Db, network: string, key: number, limit: number): Promise<Coin[]> {
  const { rows } = await sql<Omit<Coin, 'key'>>`
    select tx_hash as "txHash", change_index as index, change_units as units from bitcoin_drafts
     where network = ${network} and change_index is not null
     order by made_at desc, tx_hash limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, key }));
}

/** Those of these outputs that went to addresses of an account. */
export async function toCoins(db: Db, account: string, held: readonly HeldOutput[]): Promise<Coin[]> {
  const { rows } = await sql<{ paymentId: string; index: number }>`
    select payment_id as "paymentId", index from bitcoin_deposits
     where account = ${account} and payment_id = any(${held.map(({ paymentId }) => paymentId)})`.execute(db);
  const keys = new Map(rows.map(({ paymentId, index }) => [paymentId, index]));
  return held.flatMap(({ paymentId, txHash, index, units }) => {
    const key = keys.get(paymentId);
    return key === undefined ? [] : [{ txHash, index, units, key }];
  });
}

/** Lets one process at a time choose coins of a network, until the transaction ends. */
export async function lockDrafts(trx: Trx, network: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bitcoin drafts ${network}`}, 0))`.execute(trx);
}

/** Whether a transaction was handed out for other payouts than these. */
export async function isOfOthers(
  db: Db | Trx,
  network: string,
  txHash: string,
  payoutIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from bitcoin_drafts
     where network = ${network} and tx_hash = ${txHash} and not payout_ids @> ${[...payoutIds]}::text[]`.execute(db);
  return rows.length > 0;
}

/** The same draft of the same payouts a second time changes nothing. */
export async function insertDraft(
  trx: Trx,
  network: string,
  draft: Draft,
  payoutIds: readonly string[],
  at: Date,
): Promise<void> {
  const { txHash, change, spent } = draft;
  const { numAffectedRows } = await sql`
    insert into bitcoin_drafts (network, tx_hash, payout_ids, change_index, change_units, made_at)
    values (${network}, ${txHash}, ${[...payoutIds]}, ${change?.index ?? null}, ${change?.units ?? null}, ${at})
    on conflict do nothing`.execute(trx);
  if (numAffectedRows !== 1n) return;
  await trx
    .insertInto('bitcoin_draft_coins')
    .values(
      spent.map((coin) => ({
        ...{ network, draft: txHash, tx_hash: coin.txHash, coin_index: coin.index, units: coin.units },
        key_index: coin.key,
      })),
    )
    .execute();
}
