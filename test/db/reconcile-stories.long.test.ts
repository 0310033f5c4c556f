import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../src/lib/errors.ts';
import type { Command } from '../../src/payments/payment.ts';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';
import { USDT } from './reconcile-fixture.ts';

const TWO_HOURS_LATER = new Date(START.getTime() + 7_200_000);

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld({ paymentFeeBps: 250 });
});
afterAll(() => world.close());

const which = fc.integer({ min: 0, max: 2 });
const units = fc.constantFrom(1n, 30n * USDT, 70n * USDT, 100n * USDT, 150n * USDT);
const depth = fc.integer({ min: 1, max: 6 });
const blocks = fc.integer({ min: 0, max: 3 });
const wish = fc.constantFrom('cancel' as const, 'resolve' as const, 'clock' as const);
const event = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('arrive' as const), which, units }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('apply' as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('head' as const), blocks }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth, keep: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: wish, which }) },
);
type StoryEvent = typeof event extends fc.Arbitrary<infer E> ? E : never;

/** Three payments and what happens to them. `seen` collects the states reached in any story. */
type Story = {
  readonly number: number;
  readonly payments: readonly Payment[];
  readonly transfers: { payment: Payment; units: bigint; tx: string; height: number }[];
  readonly seen: Set<string>;
};

/** No two stories share a height. */
let height = 1000;

async function apply({ seen }: Story, payment: Payment, command: Command | null, now = START): Promise<void> {
  try {
    const moved = await world.apply(payment, command, now);
    seen.add(moved.status).add(`exception ${moved.exception}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function reorganise({ transfers, seen }: Story, depth: number, keep: boolean): Promise<void> {
  const gone = transfers.filter((transfer) => transfer.height > height - depth);
  await world.orphan(height - depth);
  for (const transfer of keep ? gone : []) {
    transfer.height = height;
    await world.arrive(transfer.payment, transfer.units, { ...transfer, hash: `0xr${height}` });
  }
  seen.add('reorg');
}

async function happen(story: Story, event: StoryEvent): Promise<void> {
  height += 1;
  const payment = story.payments['which' in event ? event.which : 0] as Payment;
  switch (event.kind) {
    case 'arrive': {
      const transfer = { payment, units: event.units, tx: `0x${story.number}-${height}`, height };
      story.transfers.push(transfer);
      return world.arrive(payment, transfer.units, transfer);
    }
    case 'apply':
      return apply(story, payment, null);
    case 'head':
      return world.head(height + event.blocks);
    case 'reorg':
      return reorganise(story, event.depth, event.keep);
    case 'clock':
      await world.head(height, TWO_HOURS_LATER);
      return apply(story, payment, { kind: 'clock' }, TWO_HOURS_LATER);
    default:
      return apply(story, payment, { kind: event.kind });
  }
}

test('finds nothing wrong after any story of transfers, reorgs, deadlines and decisions', async () => {
  const before = await reconcile(world.db);
  const seen = new Set<string>();
  let stories = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 15, maxLength: 30 }), async (events) => {
      stories += 1;
      const payments = [await world.create(), await world.create(), await world.create({ amountMinor: 10_001n })];
      const story: Story = { number: stories, payments, transfers: [], seen };
      for (const event of events) await happen(story, event);
      expect((await reconcile(world.db)).findings).toEqual([]);
      for (const payment of payments) await apply(story, payment, null);
      expect((await reconcile(world.db)).findings).toEqual([]);
    }),
    { numRuns: 25, endOnFailure: true },
  );
  const states = ['paid', 'confirming', 'pending', 'expired', 'exception overpaid', 'exception late', 'reorg'];
  expect([...seen]).toEqual(expect.arrayContaining(states));
  const { payments, credits } = await reconcile(world.db);
  expect(payments - before.payments).toBe(3 * stories);
  expect(credits - before.credits).toBeGreaterThan(stories);
});
