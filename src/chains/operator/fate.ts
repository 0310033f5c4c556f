import type { Db } from '../../lib/db-types.ts';
import type { Counts } from '../../ports/operator.ts';
import { findMined, type NetworkPass, type Pass, transition } from './pass.ts';
import { fillGap } from './repairs.ts';
import {
  listDeep,
  listDoubted,
  listMinedBetween,
  MINED_MAX,
  type Mined,
  markConfirmed,
  markDropped,
  markTaken,
  markUnmined,
  type Open,
} from './transitions.ts';

/**
 * Notes the transactions whose nonce another one has used on the chain, and drops them once that one is confirmed.
 * Until then a reorg may reverse it, and ours can be mined after all. See decision chains/dropped-only-when-deep.
 */
export async function noteTaken(pass: Pass, waiting: readonly Open[], { mined, head }: Counts): Promise<number> {
  const sent = waiting.filter(({ status }) => status === 'sent');
  const taken = sent.filter(({ nonce }) => nonce < mined);
  const fresh = taken.filter(({ takenBlock }) => takenBlock === null);
  const free = sent.filter(({ nonce, takenBlock }) => nonce >= mined && takenBlock !== null);
  if (fresh.length > 0) await markTaken(pass.db, idsOf(fresh), head);
  if (free.length > 0) await markTaken(pass.db, idsOf(free), null);
  return dropDeep(
    pass,
    taken.filter(({ takenBlock }) => takenBlock !== null),
  );
}

async function dropDeep(pass: Pass, taken: readonly Open[]): Promise<number> {
  const { db, node, account, network, now } = pass;
  if (taken.length === 0) return 0;
  const confirmed = await findConfirmedHeight(db, network.name);
  const deep = taken.filter(({ takenBlock }) => takenBlock !== null && takenBlock <= confirmed);
  if (deep.length === 0) return 0;
  const count = await node.countMinedAt(account.address, confirmed);
  const lost = deep.filter(({ nonce }) => count !== undefined && nonce < count);
  // Asked again after the count: what took these nonces is in a block by then, so it cannot be one of these.
  const found = new Set((await findMined(pass, lost)).map(({ id }) => id));
  const dropped = lost.filter(({ id }) => !found.has(id));
  return transition(pass, idsOf(dropped), (trx) => markDropped(trx, dropped, now));
}

/**
 * When the chain expects a nonce below all waiting ones, it has lost transactions: by a reorg, or because the node was
 * restored from a backup. Those that we have are sent again.
 */
export async function restoreLost(pass: Pass, waiting: readonly Open[], { pending }: Counts): Promise<number> {
  const [lowest] = waiting;
  if (!lowest || lowest.nonce <= pending) return 0;
  const mined = await listMinedBetween(pass.db, pass.account, pending, lowest.nonce);
  const receipts = await pass.node.findReceipts(mined.map(({ hash }) => hash));
  const lost = mined.filter((_, i) => receipts[i] === null);
  const back = await transition(pass, idsOf(lost), (trx) => markUnmined(trx, lost));
  return back + (await fillGap(pass, mined, pending, lowest));
}

/** Confirms transactions whose blocks are deep enough, and sends those again whose blocks are no longer canonical. */
export async function confirmMined(pass: NetworkPass): Promise<void> {
  const { db, network, now } = pass;
  for (;;) {
    const deep = await listDeep(db, network.name);
    await transition(pass, idsOf(deep), (trx) => markConfirmed(trx, deep, now));
    if (deep.length < MINED_MAX) break;
  }
  const doubted = await listDoubted(db, network.name);
  if (doubted.length === 0) return;
  const confirmed = await findConfirmedHeight(db, network.name);
  const outcomes = await Promise.all(doubted.map((mined) => judge(pass, mined, confirmed)));
  const [gone, deep] = ['gone', 'deep'].map((outcome) => doubted.filter((_, i) => outcomes[i] === outcome));
  await transition(pass, idsOf(gone!), (trx) => markUnmined(trx, gone!));
  await transition(pass, idsOf(deep!), (trx) => markConfirmed(trx, deep!, now));
}

/**
 * Asks the node about a transaction whose block is not the scanned one, or was scanned so long ago that its hash is not
 * kept.
 */
async function judge(
  { node }: NetworkPass,
  { hash, block }: Mined,
  confirmed: number,
): Promise<'gone' | 'deep' | 'unclear'> {
  const [[receipt], standing] = await Promise.all([node.findReceipts([hash]), node.findBlockHash(block.height)]);
  if (receipt?.block.hash !== block.hash) return 'gone';
  return standing === block.hash && block.height <= confirmed ? 'deep' : 'unclear';
}

/** The height up to which blocks are confirmed; -1 before the network was ever scanned. */
async function findConfirmedHeight(db: Db, network: string): Promise<number> {
  const row = await db
    .selectFrom('chain_cursors')
    .select('confirmed_height')
    .where('network', '=', network)
    .executeTakeFirst();
  return Number(row?.confirmed_height ?? -1);
}

const idsOf = <T extends { readonly id: unknown }>(rows: readonly T[]): T['id'][] => rows.map(({ id }) => id);
