import type { Counts, Taking } from '../../ports/operator.ts';
import { noteBalance } from './balances.ts';
import { openFundsIncident, openRefusalIncident, resolveFundsIncident, resolveRefusals } from './incidents.ts';
import type { Pass, Patience } from './pass.ts';
import type { OperatorTransactionId } from './queries.ts';
import { listRaws, markSent, type Open } from './transitions.ts';

/** Nodes keep no more unmined transactions of one account than this. */
const IN_FLIGHT_MAX = 64;
/** A transaction that the node already has is resent this much less often: the node may not have passed it on. */
const KNOWN_FACTOR = 12;
/**
 * An account runs low when it cannot pay for this much gas at its dearest offer: about three transactions of the
 * largest size.
 */
const RESERVE_GAS = 50_000_000n;

export type Handed = {
  /** How many a node has for the first time, or again after a reorg. */
  readonly sent: number;
  /** Those for which a node wants higher fees. */
  readonly underpriced: ReadonlySet<OperatorTransactionId>;
};

/**
 * Hands the node the transactions that it may not have, in the order of their nonces and without waiting for any to be
 * mined. Stops at the first that it refuses for a reason other than its price: those behind it could not be mined
 * before it.
 */
export async function sendDue(pass: Pass, waiting: readonly Open[], counts: Counts): Promise<Handed> {
  const { db, network, now, node, patience } = pass;
  const due = waiting.slice(0, IN_FLIGHT_MAX).filter((open) => isDue(open, counts, patience));
  const raws = due.length > 0 ? await listRaws(db, due) : new Map<OperatorTransactionId, Buffer>();
  const handed: Open[] = [];
  const underpriced = new Set<OperatorTransactionId>();
  let stop: { readonly open: Open; readonly taking: Taking } | undefined;
  try {
    for (const open of due) {
      const taking = await node.take(raws.get(open.id)!, open.hashes.at(-1)!);
      if (taking.kind === 'no_funds' || taking.kind === 'refused') {
        stop = { open, taking };
        break;
      }
      handed.push(open);
      if (taking.kind === 'underpriced') underpriced.add(open.id);
    }
  } finally {
    if (handed.length > 0) await markSent(db, handed);
  }
  const fresh = handed.filter(({ sentMs }) => sentMs === null);
  if (handed.length > 0) await resolveRefusals(db, handed, now);
  if (stop?.taking.kind === 'refused') await openRefusalIncident(db, network.name, stop.open, stop.taking.message, now);
  if (fresh.length > 0 || stop?.taking.kind === 'no_funds')
    await watchFunds(pass, waiting, stop?.taking.kind === 'no_funds');
  return { sent: fresh.length, underpriced };
}

function isDue({ nonce, status, sentMs }: Open, { mined, pending }: Counts, { resendMs }: Patience): boolean {
  if (sentMs === null) return nonce >= mined || status === 'signed';
  return nonce >= mined && sentMs > (nonce < pending ? KNOWN_FACTOR * resendMs : resendMs);
}

/** Opens an incident while there is still time when the account's coin runs low. */
async function watchFunds(
  { db, network, node, account, now }: Pass,
  waiting: readonly Open[],
  isOut: boolean,
): Promise<void> {
  const balance = await node.readBalance(account.address);
  noteBalance(account.address, network.name, balance);
  const dearest = waiting.reduce((most, { fees }) => (fees.maxFee > most ? fees.maxFee : most), 0n);
  if (isOut || balance < RESERVE_GAS * dearest) await openFundsIncident(db, account, balance, now);
  else await resolveFundsIncident(db, account, now);
}
