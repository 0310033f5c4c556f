import { inTransaction } from '../../db/transaction.ts';
import type { Trx } from '../../lib/db-types.ts';
import { conflict } from '../../lib/errors.ts';
import { formatFixed, max } from '../../lib/money.ts';
import type { PayoutFile, PayoutOrder, PayoutToSign } from '../../ports/chain-kind.ts';
import { endpointsOf } from '../endpoints.ts';
import { scriptOf } from './addresses.ts';
import { listAccounts } from './deposits.ts';
import {
  type EarlierDraft,
  insertDraft,
  isOfOthers,
  listChange,
  listDraftsOf,
  listSpendersOf,
  lockDrafts,
  toCoins,
} from './draft-queries.ts';
import { accountOf } from './keys.ts';
import type { BitcoinNetwork } from './network.ts';
import { type Node, openNode } from './node.ts';
import { CHANGE_KEY, type Coin, type Draft, draftTransaction } from './psbt.ts';

/** So many outputs are looked at: a transaction of more would be too large to be mined. */
const HELD_MAX = 1000;
const CHANGE_MAX = 100;
/** So many are asked about before it is tried whether they suffice. */
const AT_A_TIME = 50;
/** In satoshis a virtual byte: advice beyond it is taken from nobody. */
const ADVICE_MAX = 500;
const TRIES_MAX = 3;
/** So often payouts of the same amounts to the same addresses may have failed before. */
const VARIANTS_MAX = 100;

const NONE: PayoutFile = { safe: null, psbt: null };

/**
 * Payouts as one unsigned transaction of the account's coins (BIP174). A second draft of the same payouts spends every
 * coin of the first, so that only one of them can ever be mined. Throws CONFLICT: see decision
 * chains/bitcoin/drafts-exclude-each-other.
 */
export async function writeDraft(network: BitcoinNetwork, order: PayoutOrder): Promise<PayoutFile> {
  if (order.payouts.length === 0) return NONE;
  const node = openNode(network, endpointsOf(network).pick());
  const feeRate = order.feeRate ?? (await adviseFee(network, node));
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const earlier = await findEarlier(network, node, order);
    const { draft, paid } = await chooseCoins(network, node, order, earlier, feeRate);
    if (order.isTrial || (await keep(network, order, earlier, draft))) {
      const { psbt, txHash, fee } = draft;
      const file = { psbt, txHash, fee: formatFixed(fee, network.native.decimals), feeRate };
      const leftOut = order.payouts.filter((each) => !paid.includes(each)).map(({ id }) => id);
      return { safe: null, psbt: file, ...(leftOut.length > 0 && { leftOut }) };
    }
  }
  throw conflict('Others draft payouts of these coins at the moment. Try again.', 'drafts_at_once');
}

async function adviseFee({ name }: BitcoinNetwork, node: Node): Promise<number> {
  const advised = await node.adviseFeeRate();
  if (advised !== undefined && advised <= ADVICE_MAX) return advised;
  const said = advised === undefined ? 'can advise no fee' : `advises a fee of ${advised} satoshis a virtual byte`;
  throw conflict(`The node of ${name} ${said}. Say feeRate yourself.`, 'fee_unknown');
}

/** What was handed out for these payouts before. Throws CONFLICT when it may have paid them, or pays others too. */
async function findEarlier(
  { name }: BitcoinNetwork,
  node: Node,
  { db, payouts, listWaiting }: PayoutOrder,
): Promise<EarlierDraft[]> {
  const ids = payouts.map(({ id }) => id);
  const earlier = await listDraftsOf(db, name, ids);
  const waiting = await listWaiting(earlier.flatMap(({ payoutIds }) => payoutIds));
  for (const { txHash, payoutIds, coins } of earlier) {
    const others = payoutIds.filter((id) => waiting.has(id) && !ids.includes(id));
    if (others.length > 0)
      throw conflict(
        `${txHash} was drafted to pay ${others.join(', ')} too: name them all together.`,
        'draft_has_more',
      );
    const depths = await Promise.all(coins.map((coin) => node.findDepth(coin.txHash, coin.index, { mindPool: false })));
    if (depths.every((depth) => depth !== null)) continue;
    const among = payoutIds.filter((id) => ids.includes(id)).join(', ');
    const message = `Coins of ${txHash}, which was drafted to pay ${among}, are spent: it may be mined. Complete them with \
the hash of their transaction; if there is none, pay them from your wallet, and complete them then.`;
    throw conflict(message, 'draft_maybe_sent');
  }
  return earlier;
}

async function chooseCoins(
  network: BitcoinNetwork,
  node: Node,
  order: PayoutOrder,
  earlier: readonly EarlierDraft[],
  feeRate: number,
): Promise<{ readonly draft: Draft; readonly paid: readonly PayoutToSign[] }> {
  const required = distinct(earlier.flatMap(({ coins }) => coins));
  const account = accountOf(network.accountKey, network.chain);
  const candidates = await listCandidates(network, order, required);
  const others: Coin[] = [];
  const draftOf = (
    spent: readonly Coin[],
    unspent: readonly Coin[],
    variant = 0,
    paid: readonly PayoutToSign[] = order.payouts,
  ) =>
    draftTransaction(network.chain, account, {
      ...{ required: spent, others: unspent, feeRate, variant },
      outputs: paid.map(({ destination, units }) => ({ script: scriptOf(destination) ?? '', units })),
    });
  for (let from = 0; from <= candidates.length; from += AT_A_TIME) {
    const asked = candidates.slice(from, from + AT_A_TIME);
    const depths = await Promise.all(asked.map((coin) => node.findDepth(coin.txHash, coin.index, { mindPool: true })));
    others.push(...asked.filter((_, place) => (depths[place] ?? 0) >= Math.max(1, network.confirmations)));
    const draft = draftOf(required, others);
    if (!draft) continue;
    const own = await makeOwn(network, order, draft, (variant) => draftOf(draft.spent, [], variant));
    return { draft: own, paid: order.payouts };
  }
  // What was drafted together stays together.
  const some =
    order.isTrial && order.mayLeaveOut && earlier.length === 0
      ? findPayable(order.payouts, others, BigInt(feeRate), (paid) => draftOf([], others, 0, paid))
      : undefined;
  if (some) return some;
  throw coinsShort(network, order.payouts, [...required, ...others]);
}

/** At most so many virtual bytes has an input of the account, an output of any form, and all else of a transaction. */
const SIZES = { input: 69n, output: 44n, rest: 16n } as const;

/**
 * Those that these coins pay, each with its fee: the first, and of those after them what is small enough. One that
 * leaves nothing for its own fee must not keep out those behind it. Pure.
 */
function findPayable(
  payouts: readonly PayoutToSign[],
  coins: readonly Coin[],
  feeRate: bigint,
  draftOf: (paid: readonly PayoutToSign[]) => Draft | undefined,
): { readonly draft: Draft; readonly paid: readonly PayoutToSign[] } | undefined {
  let rest = coins.reduce((sum, { units }) => sum + max(0n, units - SIZES.input * feeRate), -SIZES.rest * feeRate);
  const paid: PayoutToSign[] = [];
  for (const payout of payouts) {
    const due = payout.units + SIZES.output * feeRate;
    if (due > rest) continue;
    rest -= due;
    paid.push(payout);
  }
  for (; paid.length > 0; paid.pop()) {
    const draft = draftOf(paid);
    if (draft) return { draft, paid };
  }
  return undefined;
}

const sumOf = (all: readonly { readonly units: bigint }[]): bigint => all.reduce((sum, { units }) => sum + units, 0n);

function coinsShort({ name, native }: BitcoinNetwork, payouts: readonly PayoutToSign[], coins: readonly Coin[]) {
  const [held, due] = [coins, payouts].map((all) => formatFixed(sumOf(all), native.decimals));
  const message = `The account of ${name} holds ${held} ${native.symbol} that can be \
spent now, and ${due} ${native.symbol} and the fee are due. Send coins to its first address, or export fewer.`;
  return conflict(message, 'coins_short');
}

/**
 * A transaction of the same coins that was handed out for no other payouts. What is made anew, with the amount and the
 * address of one that failed, would else get the same one, which is noted for the former alone.
 */
async function makeOwn(
  { name }: BitcoinNetwork,
  { db, payouts }: PayoutOrder,
  first: Draft,
  draftOf: (variant: number) => Draft | undefined,
): Promise<Draft> {
  const ids = payouts.map(({ id }) => id);
  let draft: Draft | undefined = first;
  for (let variant = 1; draft && (await isOfOthers(db, name, draft.txHash, ids)); variant += 1) {
    if (variant > VARIANTS_MAX) draft = undefined;
    else draft = draftOf(variant);
  }
  if (draft) return draft;
  throw conflict('The same was drafted for other payouts too often. Export it with other payouts.', 'drafts_at_once');
}

/** Coins that no other draft spends whose payouts wait: what came in, and what drafts gave back. */
async function listCandidates(
  network: BitcoinNetwork,
  { db, listHeld, listWaiting }: PayoutOrder,
  required: readonly Coin[],
): Promise<Coin[]> {
  const [account = ''] = listAccounts(network);
  const change = await listChange(db, network.name, CHANGE_KEY, CHANGE_MAX);
  const coins = [...change, ...(await toCoins(db, account, await listHeld(HELD_MAX)))];
  const taken = await listReserved(db, network.name, coins, listWaiting);
  const own = new Set(required.map(nameOf));
  return coins.filter((coin) => !taken.has(nameOf(coin)) && !own.has(nameOf(coin)));
}

async function listReserved(
  db: PayoutOrder['db'] | Trx,
  network: string,
  coins: readonly Coin[],
  listWaiting: PayoutOrder['listWaiting'],
): Promise<Set<string>> {
  const spenders = await listSpendersOf(db, network, coins);
  const waiting = await listWaiting([...new Set(spenders.flatMap(({ payoutIds }) => payoutIds))]);
  return new Set(spenders.filter(({ payoutIds }) => payoutIds.some((id) => waiting.has(id))).map(({ coin }) => coin));
}

/** Keeps a draft, unless somebody has drafted these payouts or spent these coins since they were chosen. */
function keep(
  { name }: BitcoinNetwork,
  { db, payouts, at, listWaiting }: PayoutOrder,
  earlier: readonly EarlierDraft[],
  draft: Draft,
): Promise<boolean> {
  const ids = payouts.map(({ id }) => id);
  return inTransaction(db, async (trx) => {
    await lockDrafts(trx, name);
    const known = new Set(earlier.map(({ txHash }) => txHash));
    const added = (await listDraftsOf(trx, name, ids)).filter(({ txHash }) => !known.has(txHash));
    const own = new Set(earlier.flatMap(({ coins }) => coins).map(nameOf));
    const fresh = draft.spent.filter((coin) => !own.has(nameOf(coin)));
    if (added.length > 0 || (await listReserved(trx, name, fresh, listWaiting)).size > 0) return false;
    if (await isOfOthers(trx, name, draft.txHash, ids)) return false;
    await insertDraft(trx, name, draft, ids, at);
    return true;
  });
}

const nameOf = ({ txHash, index }: Pick<Coin, 'txHash' | 'index'>): string => `${txHash}:${index}`;

const distinct = (coins: readonly Coin[]): Coin[] => [...new Map(coins.map((coin) => [nameOf(coin), coin])).values()];
