import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Payment } from '../../src/payments/types.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 1_000_000n;
/** In units of USDT. */
const CENT = 10_000n;
const USDC = 10n ** 18n;
const later = (hours: number): Date => new Date(START.getTime() + hours * 3_600_000);

describe('a payment and its ledger', () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await createPaymentWorld({ paymentFeeBps: 100 });
  });
  afterAll(() => world.close());

  test('money is in suspense while too little, pending while confirming, and available less the fee once paid', async () => {
    const payment = await world.create();
    await world.arrive(payment, 40n * USDT, { height: 10 });
    expect((await world.apply(payment)).status).toBe('pending');
    expect(await world.balances()).toEqual({ suspense: 40_000_000n });
    await world.arrive(payment, 60n * USDT, { height: 11 });
    expect((await world.apply(payment)).status).toBe('confirming');
    expect(await world.balances()).toEqual({ pending: 100_000_000n });
    await world.head(12);
    const paid = await world.apply(payment);
    expect([paid.status, paid.txHash, paid.feeMicro]).toEqual(['paid', '0x10', 1_000_000n]);
    expect(await world.balances()).toEqual({ available: 99_000_000n });
    expect(await world.events(payment)).toEqual(['created', 'pending', 'confirming', 'completed']);
    await world.apply(payment);
    expect(await world.events(payment)).toHaveLength(4);
  });
});

describe('what a chain can do to a payment', () => {
  let world: PaymentWorld;
  beforeAll(async () => {
    world = await createPaymentWorld();
  });
  afterAll(() => world.close());
  const check = async (expected: Record<string, bigint>, run: () => Promise<unknown>): Promise<void> => {
    const before = await world.balances();
    await run();
    const after = await world.balances();
    const kinds = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const delta = kinds
      .map((kind) => [kind, (after[kind] ?? 0n) - (before[kind] ?? 0n)] as const)
      .filter(([, amount]) => amount !== 0n);
    expect(Object.fromEntries(delta)).toEqual(expected);
  };

  test('the same block twice counts once', async () => {
    const payment = await world.create();
    await check({ pending: 100n * USDT }, async () => {
      await world.arrive(payment, 100n * USDT, { height: 20 });
      await world.apply(payment);
      await world.arrive(payment, 100n * USDT, { height: 20 });
      await world.apply(payment);
    });
  });

  const count = async ({ id }: Payment) =>
    (
      await sql<{ all: number; canonical: number }>`
        select count(*)::integer as all, (count(*) filter (where canonical))::integer as canonical
          from credits where payment_id = ${id}`.execute(world.db)
    ).rows[0];

  test('a transaction that pays thousands of times is stored, taken back and stored again', async () => {
    const payment = await world.create();
    const crowd = Array.from({ length: 4000 }, (_, n) => CENT + BigInt(n));
    const arrive = (hash: string) =>
      world.arriveTogether(payment, crowd, { height: 10, hash, tx: `0x${payment.id}`, index: 0 });
    await arrive('0xa');
    await arrive('0xa');
    expect(await count(payment)).toEqual({ all: 4000, canonical: 4000 });
    await world.orphan(9);
    await arrive('0xb');
    expect(await count(payment)).toEqual({ all: 8000, canonical: 4000 });
  });

  test('a transaction that pays a thousand times in a block that is known is stored, and restored after a reorg', async () => {
    const [first, payment] = [await world.create(), await world.create()];
    const at = { height: 10, hash: '0xknown' };
    const crowd = Array.from({ length: 1000 }, (_, n) => BigInt(n + 1));
    await world.arrive(first, USDT, { ...at, tx: '0xfirst', index: 5000 });
    await world.arriveTogether(payment, crowd, { ...at, tx: '0xcrowd' });
    expect(await count(payment)).toEqual({ all: 1000, canonical: 1000 });
    await world.orphan(9);
    expect(await count(payment)).toEqual({ all: 1000, canonical: 0 });
    // Under another list of tokens.
    await world.arriveTogether(payment, crowd, { ...at, tx: '0xcrowd', index: 7 });
    expect(await count(payment)).toEqual({ all: 1000, canonical: 1000 });
  });

  test('a block that a reorg brings back is stored as it is, although another list of tokens numbers its transfers', async () => {
    const payment = await world.create();
    await check({ suspense: 90n * USDT }, async () => {
      await world.arrive(payment, 10n * USDT, { height: 25, index: 0 });
      await world.apply(payment);
      await world.orphan(24);
      // With a token that was listed meanwhile there are two transfers before it.
      await world.arrive(payment, 80n * USDC, { height: 25, index: 0, token: 1 });
      await world.arrive(payment, 10n * USDT, { height: 25, index: 2 });
      await world.apply(payment);
    });
  });

  test('the database credits no more of equal transfers than their transaction contains', async () => {
    const payment = await world.create();
    await world.arrive(payment, 7n * USDT, { height: 26 });
    const again = async (twins: number, transfer_index: number) => {
      const found = world.db.selectFrom('credits').selectAll().where('payment_id', '=', payment.id);
      const [first] = await found.where('twins', 'is', null).execute();
      const copy = { ...first!, id: `${first!.id}${transfer_index}`, transfer_index, twins };
      await world.db.insertInto('credits').values(copy).execute();
    };
    await expect(again(1, 5)).rejects.toThrow('contains 1 of these transfers, and all of them are credited');
    await again(2, 6);
    await expect(again(2, 7)).rejects.toThrow('contains 2 of these transfers, and all of them are credited');
    await world.orphan(25);
    await world.apply(payment);
  });

  test('a block that a reorg brings back with many equal transfers has all of them again, and no more', async () => {
    const payment = await world.create();
    const at = { height: 27, tx: '0xequal' };
    const units = Array.from({ length: 600 }, () => 1000n);
    const stored = async () => {
      const { rows } = await sql<{ canonical: boolean; twins: number | null; count: number }>`
        select canonical, twins, count(*)::integer as count from credits
         where payment_id = ${payment.id} group by canonical, twins`.execute(world.db);
      return rows;
    };
    await world.arriveTogether(payment, units, at);
    await world.orphan(26);
    await world.arriveTogether(payment, units, at);
    expect(await stored()).toEqual([{ canonical: true, twins: 600, count: 600 }]);
    await world.orphan(26);
    const more = sql`update credits set canonical = true, twins = 599 where payment_id = ${payment.id}`;
    await expect(more.execute(world.db)).rejects.toThrow('contains 599 of these transfers');
    for (let i = 0; i < 7; i += 1) await world.apply(payment);
  });

  test('a transfer that a reorg drops and re-includes in another block counts once more', async () => {
    const payment = await world.create();
    await world.arrive(payment, 100n * USDT, { height: 30, tx: '0xr' });
    await world.apply(payment);
    await check({ pending: -100n * USDT }, async () => {
      await world.orphan(29);
      expect((await world.apply(payment)).status).toBe('pending');
    });
    await check({ pending: 100n * USDT }, async () => {
      await world.arrive(payment, 100n * USDT, { height: 31, hash: '0xother', tx: '0xr' });
      expect((await world.apply(payment)).status).toBe('confirming');
    });
    expect(await world.events(payment)).toEqual(['created', 'confirming', 'reverted', 'confirming']);
  });

  test('a block that returns after a reorg counts under a new inclusion', async () => {
    const payment = await world.create();
    await world.arrive(payment, 100n * USDT, { height: 40, tx: '0xback' });
    await world.apply(payment);
    await world.orphan(39);
    await world.apply(payment);
    await world.arrive(payment, 100n * USDT, { height: 40, tx: '0xback' });
    await world.apply(payment);
    const refs = await world.db
      .selectFrom('journals')
      .select(['kind', 'ref'])
      .where('payment_id', '=', payment.id)
      .where('kind', 'like', 'credit%')
      .orderBy('id')
      .execute();
    expect(refs.map((row) => `${row.kind} ${row.ref.split('#')[1]}`)).toEqual([
      'credit 1',
      'credit.reversed 1',
      'credit 2',
    ]);
  });

  test('a reorg that comes and goes before the payment is processed changes nothing', async () => {
    const payment = await world.create();
    await check({}, async () => {
      await world.arrive(payment, 100n * USDT, { height: 50 });
      await world.orphan(49);
      expect((await world.apply(payment)).status).toBe('initiated');
    });
  });

  test('a reorg deeper than the confirmations reverses available money and leaves the rest as debt, which income repays', async () => {
    const payment = await world.create();
    await world.arrive(payment, 100n * USDT, { height: 60, tx: '0xdeep' });
    await world.head(70);
    expect((await world.apply(payment)).status).toBe('paid');
    await spend(world, 70n * USDT);
    await check({ available: -30n * USDT, debt: -70n * USDT }, async () => {
      await world.orphan(59);
      expect((await world.apply(payment)).status).toBe('paid');
    });
    expect(await world.events(payment)).toEqual(['created', 'confirming', 'completed', 'reversed']);
    const next = await world.create();
    await check({ available: 30n * USDT, debt: 70n * USDT }, async () => {
      await world.arrive(next, 100n * USDT, { height: 61, tx: '0xnext' });
      await world.apply(next);
    });
    await world.arrive(payment, 100n * USDT, { height: 62, tx: '0xdeep' });
    await check({ available: 100n * USDT }, async () => {
      await world.apply(payment);
    });
    expect(await world.events(payment)).toEqual(['created', 'confirming', 'completed', 'reversed', 'restored']);
  });

  test("a surplus waits for the merchant's decision", async () => {
    const payment = await world.create();
    await check({ available: 100n * USDT, suspense: 20n * USDT }, async () => {
      await world.arrive(payment, 120n * USDT, { height: 65 });
      expect((await world.apply(payment)).exception).toBe('overpaid');
    });
    await check({ available: 20n * USDT, suspense: -20n * USDT }, async () => {
      expect((await world.apply(payment, { kind: 'resolve' })).exception).toBe(null);
    });
    await expect(world.apply(payment, { kind: 'resolve' })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('a token that was not offered is kept apart', async () => {
    const payment = await world.create({ acceptedTokens: ['USDT'] });
    await check({ suspense: 100n * USDT }, async () => {
      await world.arrive(payment, 100n * 10n ** 18n, { height: 66, token: 1 });
      expect(await world.apply(payment)).toMatchObject({ status: 'initiated', exception: 'wrong_token' });
    });
  });

  test('18 decimals and dust add up to the floor at scale 6', async () => {
    const payment = await world.create();
    await check({ suspense: 1n }, async () => {
      await world.arrive(payment, 600_000_000_000n, { height: 67, token: 1, index: 0 });
      await world.arrive(payment, 600_000_000_000n, { height: 67, token: 1, tx: '0x67b' });
      await world.apply(payment);
    });
  });

  test('a timely credit seen after the deadline still counts, and a payment expires only when its chain is scanned', async () => {
    const payment = await world.create();
    expect((await world.apply(payment, { kind: 'clock' }, later(2))).status).toBe('initiated');
    await world.arrive(payment, 100n * USDT, { height: 69, time: later(0.9) });
    await world.head(70, later(3));
    expect((await world.apply(payment, { kind: 'clock' }, later(3))).status).toBe('paid');
    const late = await world.create();
    await world.arrive(late, 100n * USDT, { height: 71, time: later(2) });
    expect(await world.apply(late, { kind: 'clock' }, later(3))).toMatchObject({
      status: 'confirming',
      exception: 'late',
    });
    expect(await world.events(late)).toEqual(['created', 'pending', 'expired', 'confirming']);
  });

  test('forty concurrent inputs to one payment move it once', async () => {
    const payment = await world.create();
    await world.arrive(payment, 100n * USDT, { height: 75 });
    await Promise.all(Array.from({ length: 40 }, () => world.apply(payment)));
    expect(await world.events(payment)).toEqual(['created', 'confirming']);
  });
});

/** Moves available money away, as a withdrawal would. */
async function spend(world: PaymentWorld, amount: bigint): Promise<void> {
  const { postJournal } = await import('../../src/ledger/post.ts');
  const { inTransaction } = await import('../../src/db/transaction.ts');
  const available = (await world.balances())['available'] ?? 0n;
  const keep = 100n * USDT - amount;
  await inTransaction(world.db, (trx) =>
    postJournal(
      trx,
      {
        kind: 'credit',
        ref: 'once',
        merchantId: world.merchantId,
        paymentId: '',
        postings: [
          { account: `${world.merchantId}:available`, amount: keep - available },
          { account: 'external:test:USDT', amount: available - keep },
        ],
      },
      START,
    ),
  );
}
