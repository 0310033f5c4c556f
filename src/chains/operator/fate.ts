import type { Db } from '../../lib/db-types.ts';
import type { Counts } from '../../ports/operator.ts';
import { findMined, move, type NetworkPass, type Pass } from './pass.ts';
import { fillGap } from './repairs.ts';
import {
  CLAIMED_MAX,
  type Claimed,
  confirm,
  listDeep,
  listDoubted,
  listMinedBetween,
  markDropped,
  markTaken,
  type Open,
  takeBack,
} from './transitions.ts';

/**
 * Notes whose nonce the chain has used although none of their signatures is in a block, and drops them once that lies as deep as
 * everything that is counted on: a reorg may take the other transaction back, and then this one can be mined after all.
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
  // Asked again after the count: whatever took these nonces is in a block, and so it is none of these.
  const found = new Set((await findMined(pass, lost)).map(({ id }) => id));
  const dropped = lost.filter(({ id }) => !found.has(id));
  return move(pass, idsOf(dropped), (trx) => markDropped(trx, dropped, now));
}

/**
 * When the chain expects a nonce below all that wait, it has lost what it had: by a reorg, or because an older copy of it came back. What
 * we have of that is sent again.
 */
export async function restoreLost(pass: Pass, waiting: readonly Open[], { pending }: Counts): Promise<number> {
  const [lowest] = waiting;
  if (!lowest || lowest.nonce <= pending) return 0;
  const claimed = await listMinedBetween(pass.db, pass.account, pending, lowest.nonce);
  const receipts = await pass.node.findReceipts(claimed.map(({ hash }) => hash));
  const lost = claimed.filter((_, i) => receipts[i] === null);
  const back = await move(pass, idsOf(lost), (trx) => takeBack(trx, lost));
  return back + (await fillGap(pass, claimed, pending, lowest));
}

/** Confirms what lies deep enough where it was mined, and takes back what does not stand there any more. */
export async function settleMined(pass: NetworkPass): Promise<void> {
  const { db, network, now } = pass;
  for (;;) {
    const deep = await listDeep(db, network.name);
    await move(pass, idsOf(deep), (trx) => confirm(trx, deep, now));
    if (deep.length < CLAIMED_MAX) break;
  }
  const doubted = await listDoubted(db, network.name);
  if (doubted.length === 0) return;
  const confirmed = await findConfirmedHeight(db, network.name);
  const verdicts = await Promise.all(doubted.map((claimed) => judge(pass, claimed, confirmed)));
  const [gone, deep] = ['gone', 'deep'].map((verdict) => doubted.filter((_, i) => verdicts[i] === verdict));
  await move(pass, idsOf(gone!), (trx) => takeBack(trx, gone!));
  await move(pass, idsOf(deep!), (trx) => confirm(trx, deep!, now));
}

/** What the node says of a transaction whose block is not the one that was scanned, or was scanned so long ago that its hash is not kept. */
async function judge(
  { node }: NetworkPass,
  { hash, block }: Claimed,
  confirmed: number,
): Promise<'gone' | 'deep' | 'unclear'> {
  const [[receipt], standing] = await Promise.all([node.findReceipts([hash]), node.findBlockHash(block.height)]);
  if (receipt?.block.hash !== block.hash) return 'gone';
  return standing === block.hash && block.height <= confirmed ? 'deep' : 'unclear';
}

/** Up to where blocks lie deep enough to be counted on; -1 before the network was ever scanned. */
async function findConfirmedHeight(db: Db, network: string): Promise<number> {
  const row = await db
    .selectFrom('chain_cursors')
    .select('confirmed_height')
    .where('network', '=', network)
    .executeTakeFirst();
  return Number(row?.confirmed_height ?? -1);
}

const idsOf = <T extends { readonly id: unknown }>(rows: readonly T[]): T['id'][] => rows.map(({ id }) => id);
