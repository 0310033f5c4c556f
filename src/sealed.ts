import { SEALED_SECRETS } from './api-keys/service.ts';
import { type Rewrapped, rewrapBatch, type SealedColumn } from './db/sealed-column.ts';
import { findDeployment } from './deployment/identity.ts';
import { SEALED_ANSWERS } from './idempotency/idempotency.ts';
import { SEALED_FACTORS } from './identity/second-factor.ts';
import { HOUR_MS, monotonicMs } from './lib/clock.ts';
import type { Db } from './lib/db-types.ts';
import { type KeyRing, keyIdOf } from './lib/envelope.ts';
import type { Job } from './ports/job.ts';
import { SEALED_SEEDS } from './webhooks/keys.ts';
import { SEALED_ACCOUNTS } from './withdrawals/bank-account.ts';

/** Everything that is sealed by the master key, but for the canary, which each start seals anew. */
const COLUMNS: readonly SealedColumn[] = [
  SEALED_SECRETS,
  SEALED_FACTORS,
  SEALED_SEEDS,
  SEALED_ACCOUNTS,
  SEALED_ANSWERS,
];

const BATCH = 200;

/** How far a round through all columns has come; `from` is the last key that was looked at. */
type Place = { readonly column: number; readonly from: string | Buffer | null };

const BEGINNING: Place = { column: 0, from: null };

/** How many values were wrapped, and how many were passed over. */
type Round = Pick<Rewrapped, 'count' | 'locked'>;

/** Looks at the next rows; the place after them is null at the end of the round. */
async function rewrapNext(
  db: Db,
  ring: KeyRing,
  { column, from }: Place,
): Promise<Omit<Rewrapped, 'last'> & { readonly next: Place | null }> {
  const { looked, count, locked, last } = await rewrapBatch(db, ring, COLUMNS[column] as SealedColumn, from, BATCH);
  if (last !== null) return { looked, count, locked, next: { column, from: last } };
  return { looked, count, locked, next: column + 1 < COLUMNS.length ? { column: column + 1, from: null } : null };
}

/**
 * Wraps every stored value by the ring's current key, in batches, but for those of locked rows. Calls `onBatch` with
 * how many rows were looked at, and how many values wrapped.
 */
export async function rewrapAll(
  db: Db,
  ring: KeyRing,
  onBatch: (looked: number, wrapped: number) => void = () => undefined,
): Promise<Round> {
  const round = { count: 0, locked: 0 };
  let looked = 0;
  for (let place: Place | null = BEGINNING; place; ) {
    const { count, locked, next, ...batch } = await rewrapNext(db, ring, place);
    looked += batch.looked;
    round.count += count;
    round.locked += locked;
    onBatch(looked, round.count);
    place = next;
  }
  return round;
}

/**
 * Whether the ring's current key is the one that processes seal with: the last start with a new key has sealed the
 * canary. A process that still has the former key first would otherwise wrap back what the others have wrapped.
 */
export async function isKeyInForce(db: Db, ring: KeyRing): Promise<boolean> {
  const deployment = await findDeployment(db);
  return deployment !== undefined && keyIdOf(deployment.sealedCanary) === ring.current.id.toString('hex');
}

/** How long one run works at most; the next goes on where it stopped. */
const RUN_MS = 10_000;
/** After a round that wrapped nothing: a process that was started late with the former key may still seal by it. */
const REST_MS = HOUR_MS;

/**
 * Wraps what is stored by the current master key, as `rewrapAll` does, a while each minute. A run ends with its round:
 * while a process still seals by the former key, each round finds something, and the rounds would follow each other.
 */
export const sealedJobs = (deps: RewrapDeps): Job[] => [
  { name: 'sealed.rewrap', cron: '40 * * * * *', run: createRewrap(deps) },
];

export type RewrapDeps = {
  readonly db: Db;
  readonly ring: KeyRing;
  readonly note: (fields: { readonly values: number; readonly key: string }, message: string) => void;
  readonly elapsedMs?: () => number;
};

/** Does nothing in a process that has no former key, or whose key is not in force. */
function createRewrap({ db, ring, note, elapsedMs = monotonicMs }: RewrapDeps): Job['run'] {
  let place: Place = BEGINNING;
  let wrapped = 0;
  let restUntilMs = Number.NEGATIVE_INFINITY;
  return async ({ signal }) => {
    const beganMs = elapsedMs();
    if (ring.keys.size < 2 || beganMs < restUntilMs || !(await isKeyInForce(db, ring))) return;
    while (!signal.aborted && elapsedMs() - beganMs < RUN_MS) {
      const { count, next } = await rewrapNext(db, ring, place);
      wrapped += count;
      place = next ?? BEGINNING;
      if (next) continue;
      if (wrapped === 0) restUntilMs = elapsedMs() + REST_MS;
      else
        note(
          { values: wrapped, key: ring.current.id.toString('hex') },
          'stored values were wrapped by the current master key: npx kasi doctor says whether former ones may go',
        );
      wrapped = 0;
      return;
    }
  };
}
