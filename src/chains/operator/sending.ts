import type { Counts, Taking } from '../../ports/operator.ts';
import { openFundsIncident, openRefusalIncident, resolveFundsIncident, resolveRefusals } from './incidents.ts';
import type { Pass, Patience } from './pass.ts';
import type { OperatorTransactionId } from './queries.ts';
import { listRaws, markSent, type Open } from './transitions.ts';

/** Nodes keep no more than this of one account that can not be mined at once. */
const IN_FLIGHT_MAX = 64;
/** What a node says that it has is handed to it so much more seldom: it may have kept that from everybody else. */
const KNOWN_FACTOR = 12;
/** An account that can not pay for so much at the price of its dearest transaction runs low: about three of the largest there can be. */
const RESERVE_GAS = 50_000_000n;

export type Handed = {
  /** How many a node has for the first time, or again after they were taken back. */
  readonly sent: number;
  /** For which a node wants more. */
  readonly underpriced: ReadonlySet<OperatorTransactionId>;
};

/**
 * Hands the node what it may not have, in the order of the nonces and without waiting for any of it to be mined. The first that it does
 * not take for a reason that has nothing to do with its price ends that: those behind it could not be mined before it.
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

/** Tells people while there is time that the account's coin runs low. */
async function watchFunds({ db, node, account, now }: Pass, waiting: readonly Open[], isOut: boolean): Promise<void> {
  const balance = await node.readBalance(account.address);
  const dearest = waiting.reduce((most, { fees }) => (fees.maxFee > most ? fees.maxFee : most), 0n);
  if (isOut || balance < RESERVE_GAS * dearest) await openFundsIncident(db, account, balance, now);
  else await resolveFundsIncident(db, account, now);
}
