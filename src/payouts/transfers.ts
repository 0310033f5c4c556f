import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { hashTaken, type Shown } from './check.ts';

type Place = { readonly payoutId: string; readonly network: string; readonly txHash: string };

/** All that a transaction did: nobody looked at its transfers. As the database stores it. */
const WHOLE = -1;

/**
 * The transfers of a transaction that pay one payout and have paid no other; null for the whole transaction, where the
 * chain was not asked. Keeps others from taking them until the transaction ends, so it comes before any lock that two
 * completions could share: the merchant's debt, a payment. Throws CONFLICT (`tx_hash_used`).
 * See decision payouts/one-transfer-one-payout.
 */
export async function takeTransfers(trx: Trx, place: Place, shown: Shown | null): Promise<number[] | null> {
  const { network, txHash } = place;
  // The trigger that stores them takes the same lock.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payout ${network} ${txHash}`}, 0))`.execute(trx);
  return chooseTransfers(place, shown, await listTaken(trx, place), await listFormer(trx, place));
}

/** The same as far as can be told without a lock: a refusal that waiting would only delay. */
export async function requireTransfers(db: Db, place: Place, shown: Shown | null): Promise<void> {
  chooseTransfers(place, shown, await listTaken(db, place), []);
}

/** Which transfers of the transaction have paid this payout before the chain took them back. */
async function listFormer(trx: Trx, { payoutId, txHash }: Place): Promise<readonly number[]> {
  const lost = trx.selectFrom('lost_payouts').select('transfers').where('payout_id', '=', payoutId);
  const rows = await lost.where('tx_hash', '=', txHash).orderBy('revert', 'desc').limit(1).execute();
  return rows[0]?.transfers ?? [];
}

async function listTaken(db: Db | Trx, { network, txHash }: Place): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('payout_transfers')
    .select('transfer_index')
    .where('network', '=', network)
    .where('tx_hash', '=', txHash)
    .execute();
  return new Set(rows.map(({ transfer_index }) => transfer_index));
}

function chooseTransfers(
  { network }: Place,
  shown: Shown | null,
  taken: ReadonlySet<number>,
  former: readonly number[],
): number[] | null {
  if (taken.has(WHOLE) || (shown === null && taken.size > 0)) throw hashTaken(network);
  if (shown === null) return null;
  const chosen = choose(shown, taken, former);
  if (chosen === null) throw hashTaken(network);
  return chosen;
}

/**
 * Which of the transfers that nobody has taken pay what is due: the smallest that is enough by itself, so that a larger
 * one stays for a larger payout, else as few as possible together. Those of `former` come first: what is left then has
 * paid others. Null when they are not enough. Pure.
 */
export function choose(
  { transfers, kept, due }: Omit<Shown, 'block' | 'asset'>,
  taken: ReadonlySet<number>,
  former: readonly number[] = [],
): number[] | null {
  const others = transfers.filter(({ index }) => taken.has(index));
  // What others got stays with them, whatever the destination sent on.
  if (kept - sum(others) < due) return null;
  const free = transfers.filter(({ index }) => !taken.has(index)).toSorted((a, b) => compare(b.units, a.units));
  const again = free.filter(({ index }) => former.includes(index));
  if (again.length > 0 && again.length === former.length && sum(again) >= due) return [...former];
  const enough = free.findLast(({ units }) => units >= due);
  if (enough) return [enough.index];
  const together: number[] = [];
  let rest = due;
  for (const { index, units } of free) {
    if (rest <= 0n) break;
    together.push(index);
    rest -= units;
  }
  return rest <= 0n ? together.toSorted((a, b) => a - b) : null;
}

const sum = (transfers: readonly { readonly units: bigint }[]): bigint =>
  transfers.reduce((total, { units }) => total + units, 0n);

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
