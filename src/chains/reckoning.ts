import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createConcurrencyLimit } from '../lib/concurrency-limit.ts';
import { flowBetween } from './money-flow.ts';

type Asked = Parameters<typeof flowBetween>;

/** Half a second of one thread, and seventy times as much as an honest batch of 10,000 transfers takes. */
export const GRAINS_MAX = 250;
/** A transaction is looked at again every half minute while endpoints do not agree, and by each of them. */
const KEPT_MAX = 500;

/** Each that waits keeps a receipt of megabytes. As many take as long as an endpoint that bears witness may. */
const WAITING_MAX = 16;

/** One at a time takes a grain in each turn of the event loop, however many there are. */
const inTurn = createConcurrencyLimit(1, WAITING_MAX, 'payouts that take long to reckon');
/** What took more than a grain: for the same transfers it is the same. */
const kept = new Map<string, Promise<bigint | null>>();

/**
 * The maximum flow (`flowBetween`) without holding the thread: it goes on after each turn of the event loop. Null where
 * it would take more than `GRAINS_MAX` grains: a person has to look. A stranger chooses the shape of the transfers, so
 * what is dear is reckoned one after the other, and once. Rejects with SERVICE_UNAVAILABLE where too many wait: asked
 * again they come in their turn. See decision chains/payout-counts-what-stays.
 */
export async function reckonFlow(...asked: Asked): Promise<bigint | null> {
  const steps = flowBetween(...asked);
  const first = steps.next();
  if (first.done) return first.value;
  const key = keyOf(...asked);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  const flow = inTurn(() => goOn(steps));
  kept.set(key, flow);
  flow.catch(() => kept.delete(key));
  return flow;
}

async function goOn(steps: ReturnType<typeof flowBetween>): Promise<bigint | null> {
  for (let grains = 1; grains < GRAINS_MAX; grains += 1) {
    await nextTurn();
    const next = steps.next();
    if (next.done) return next.value;
  }
  return null;
}

/** Says what is asked in 32 bytes, so that keeping it keeps no transfers. */
function keyOf(moved: Asked[0], from: Asked[1], to: Asked[2]): string {
  const hash = createHash('sha256').update(from);
  for (const each of moved) hash.update(`\n${each.from} ${each.to} ${each.units}`);
  for (const [address, most] of to) hash.update(`\0${address} ${most}`);
  return hash.digest('base64');
}
