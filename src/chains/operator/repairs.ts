import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/ids.ts';
import type { Fees, OperatorAccount } from '../../ports/operator.ts';
import { offerFor, outbid } from './fees.ts';
import { chainIdOf } from './operator.ts';
import type { Pass } from './pass.ts';
import { insertSignature, insertTransaction, type OperatorTransactionId } from './queries.ts';
import { listRaws, type Mined, type Open, replaceAttempt } from './transitions.ts';

const TRANSFER_GAS = 21_000n;
const FILLERS_MAX = 16;
const FILLER = 'operator.filler';

/**
 * Replaces waiting transactions that the next block would take only for more, by the same nonce with a higher offer;
 * returns how many. `refused` holds those for which a node said so itself. Above the network's price limit they keep
 * waiting. See decision chains/price-limit.
 */
export async function replaceStuck(
  pass: Pass,
  waiting: readonly Open[],
  refused: ReadonlySet<OperatorTransactionId>,
): Promise<number> {
  const { patience, node } = pass;
  if (!signerOf(pass)) return 0;
  const stuck = waiting.filter(
    ({ id, status, takenBlock, signedMs }) =>
      refused.has(id) || (status === 'sent' && takenBlock === null && signedMs > patience.stuckMs),
  );
  if (stuck.length === 0) return 0;
  const market = await node.readMarket();
  let replaced = 0;
  for (const transaction of stuck) {
    const fees = outbid(transaction.fees, market, node.priceLimit);
    if (fees && (await replace(pass, transaction, fees))) replaced += 1;
  }
  return replaced;
}

/** The account of the pass, where this process has its key. */
const signerOf = ({ accounts, account }: Pass): OperatorAccount | undefined =>
  accounts.find(({ address }) => address === account.address);

async function replace(pass: Pass, { id, attempt }: Open, fees: Fees): Promise<boolean> {
  const { db } = pass;
  const operator = signerOf(pass);
  if (!operator) return false;
  const raw = (await listRaws(db, [{ id, attempt }])).get(id);
  if (!raw) return false;
  const signed = await operator.resign(raw, fees);
  return inTransaction(db, async (trx) => {
    if (!(await replaceAttempt(trx, { id, attempt }))) return false;
    await insertSignature(trx, id, attempt + 1, signed, fees);
    return true;
  });
}

/**
 * Fills the nonces below `lowest` that the chain expects first and no transaction of ours has, with empty transfers to
 * ourselves. The transactions that had used them were not ours and were lost in a reorg. Returns how many it stored.
 */
export async function fillGap(pass: Pass, ours: readonly Mined[], from: number, lowest: Open): Promise<number> {
  const { db, account, network, node, patience, now } = pass;
  const operator = signerOf(pass);
  if (!operator || lowest.signedMs < patience.stuckMs) return 0;
  const taken = new Set(ours.map(({ nonce }) => nonce));
  const missing: number[] = [];
  for (let nonce = from; nonce < lowest.nonce && missing.length < FILLERS_MAX; nonce += 1) {
    if (!taken.has(nonce)) missing.push(nonce);
  }
  if (missing.length === 0) return 0;
  const [market, limit] = [await node.readMarket(), node.priceLimit];
  if (market.baseFee + market.tip > limit) return 0;
  const fees = offerFor(market, limit);
  const call = { chainId: chainIdOf(network), to: account.address, data: '0x', gas: TRANSFER_GAS, fees };
  let stored = 0;
  for (const nonce of missing) {
    const signed = await operator.sign({ ...call, nonce });
    const draft = {
      ...account,
      ...call,
      id: newId('operatorTransaction', now),
      nonce,
      signed,
      purpose: FILLER,
      subject: null,
    };
    // A transaction that has taken this nonce meanwhile is better than a filler.
    if (await inTransaction(db, (trx) => insertTransaction(trx, draft, now))) stored += 1;
  }
  return stored;
}
