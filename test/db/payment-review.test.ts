import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../src/lib/clock.ts';
import { opinionJobs } from '../../src/payments/opinions.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Witness } from '../../src/ports/chain.ts';
import { createPaymentWorld, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

const UNITS = 1_000_000n;
const OLD = 120;

let world: PaymentWorld;
let payment: Payment;
beforeAll(async () => {
  world = await createPaymentWorld();
  payment = await world.create();
});
afterAll(() => world.close());

/** A confirmed transfer in a block of its own that nobody has looked at since. */
async function confirm(height: number, time = START): Promise<void> {
  await world.arrive(payment, UNITS, { height, time });
  await sql`update credits set applied_at = ${START}, confirmed_at = ${START} where confirmed_at is null`.execute(
    world.db,
  );
}

test('new transfers are looked at again before the many old ones, at most fifty blocks in a run, and unclear ones hold up none', async () => {
  const asked: number[] = [];
  const isUnclear = (height: number): boolean => height === 5_000;
  const witness: Witness = {
    ask: async ({ height }) => {
      asked.push(height);
      const deny = [{ endpoint: 'a', what: 'shows none', certain: false, otherBlock: false }];
      return isUnclear(height) ? { agree: [], deny, silent: [] } : { agree: ['a'], deny: [], silent: [] };
    },
    askPayout: () => Promise.reject(new Error('no payout is asked about')),
    findFinalHeight: async () => 9_000,
  };
  const [review] = opinionJobs({
    ...{ db: world.db, networks: [TEST_NETWORK], chains: { openWitness: () => witness }, log: () => undefined },
  });
  const run = async (real = START) => {
    asked.length = 0;
    await review!.run({ now: START, real, signal: new AbortController().signal });
    return [...asked];
  };
  const isOpen = async () =>
    (await sql`select from incidents where kind = 'chain.disagreement' and resolved_at is null`.execute(world.db)).rows
      .length;
  // A release before marked none of these: one is too old, the others of the last thirty days.
  await sql`insert into chain_blocks (network, height, hash, block_time)
    values (${TEST_NETWORK.name}, 50, '0x50', ${new Date(START.getTime() - 31 * DAY_MS)})`.execute(world.db);
  await confirm(40);
  for (let i = 0; i < OLD; i += 1) await confirm(1_000 + i);
  await confirm(5_000);
  await world.head(9_000, START);
  expect(await run()).toEqual([5_000, ...Array.from({ length: 49 }, (_, i) => 1_119 - i)]);
  expect(await isOpen()).toBe(1);
  await confirm(6_000);
  expect((await run()).slice(0, 2)).toEqual([6_000, 1_070]);
  expect(await isOpen()).toBe(1);
  const last = await run();
  expect([last.length, last.at(-1)]).toEqual([OLD - 49 - 49, 1_000]);
  expect(await run()).toEqual([]);
  const later = new Date(START.getTime() + 60_000);
  expect(await run(later)).toEqual([5_000]);
  // A rescan stores what is older, and that is looked at like what is new.
  await sql`update credits set twins = 1 where block_number = 40`.execute(world.db);
  expect(await run(later)).toEqual([40]);
});
