import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { AppError } from '../../src/lib/errors.ts';
import { getPayment } from '../../src/payments/queries.ts';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { listOfPayment } from '../../src/refunds/queries.ts';
import { heldMicro, isStanding, type Refund, type RefundInput } from '../../src/refunds/refund.ts';
import { createRefund, moveRefund, type RefundRequestDeps } from '../../src/refunds/service.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const RUNS = Number(process.env['REFUND_RUNS'] ?? 40);

let world: PaymentWorld;
let deps: RefundRequestDeps;
beforeAll(async () => {
  world = await createPaymentWorld({ paymentFeeBps: 100 });
  const chains = world.deps.chains as RefundRequestDeps['chains'];
  deps = { ...world.deps, chains, requireSecondFactor: async () => ({}) };
});
afterAll(() => world.close());

type Move =
  | { readonly do: 'arrive'; readonly token: 0 | 1; readonly cents: number }
  | { readonly do: 'confirm' | 'reorg' | 'cancel payment' | 'accept' }
  | { readonly do: 'refund'; readonly amount: number | 'surplus' | 'all'; readonly token: 'USDT' | 'USDC' | null }
  | { readonly do: 'move refund'; readonly which: number; readonly to: Exclude<RefundInput['kind'], 'renew'> };

const constant = (what: 'confirm' | 'reorg' | 'cancel payment' | 'accept') => fc.constant<Move>({ do: what });
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('arrive' as const),
      token: fc.constantFrom(0, 1),
      cents: fc.integer({ min: 1, max: 20_000 }),
    }),
  },
  { weight: 4, arbitrary: constant('confirm') },
  { weight: 1, arbitrary: constant('reorg') },
  { weight: 2, arbitrary: constant('cancel payment') },
  { weight: 2, arbitrary: constant('accept') },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      amount: fc.oneof(fc.integer({ min: 1, max: 15_000 }), fc.constantFrom('surplus' as const, 'all' as const)),
      token: fc.constantFrom('USDT' as const, 'USDC' as const, null),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('move refund' as const),
      which: fc.nat({ max: 5 }),
      to: fc.constantFrom('claim', 'cancel', 'process', 'fail', 'complete', 'revert'),
    }),
  },
);

const BEGUN: readonly Move[] = [{ do: 'confirm' }, { do: 'cancel payment' }];

/** Plays a move; what the state refuses changes nothing. */
async function play(payment: Payment, each: Move, place: { height: number }): Promise<void> {
  try {
    await playOne(payment, each, place);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'INTERNAL_ERROR') throw error;
  }
}

async function playOne(payment: Payment, each: Move, place: { height: number }): Promise<void> {
  switch (each.do) {
    case 'arrive': {
      // At 6 decimals the first token, at 18 the second.
      const units = BigInt(each.cents) * (each.token === 0 ? 10n ** 4n : 10n ** 16n);
      place.height += 1;
      const hash = `0x${payment.id}${place.height}`;
      await world.arrive(payment, units, { height: place.height, hash, tx: hash, index: 0, token: each.token });
      return void (await world.apply(payment));
    }
    case 'confirm':
      place.height += 2;
      await world.head(place.height);
      return void (await world.apply(payment));
    case 'reorg':
      await world.orphan(place.height - 2);
      return void (await world.apply(payment));
    case 'cancel payment':
      return void (await world.apply(payment, { kind: 'cancel' }));
    case 'accept':
      return void (await world.apply(payment, { kind: 'resolve' }));
    case 'refund': {
      const amount = typeof each.amount === 'number' ? BigInt(each.amount) : each.amount;
      const ask = { amount, token: each.token, network: null };
      const draft = {
        merchantId: world.merchantId,
        paymentId: payment.id,
        ask,
        reason: 'Sold out.',
        byKey: true,
        otp: undefined,
      };
      return void (await inTransaction(world.db, (trx) =>
        createRefund(trx, deps, { ...draft, destinationAddress: null }, { now: START, real: START }),
      ));
    }
    case 'move refund': {
      const refunds = await listOfPayment(world.db, payment.id);
      const refund = refunds[each.which % Math.max(1, refunds.length)];
      // What no chain has shown is never taken back.
      if (!refund || (each.to === 'revert' && refund.status === 'completed' && refund.txBlock === null)) return;
      return void (await inTransaction(world.db, (trx) => moveRefund(trx, deps, refund, inputOf(each, refund), START)));
    }
  }
}

function inputOf({ to: kind, which }: Move & { do: 'move refund' }, { id, reverts }: Refund): RefundInput {
  const by = { by: 'adm_1', notes: null };
  if (kind === 'claim')
    return {
      kind,
      isOwn: false,
      destination: { address: '0x1', by: 'payer', proven: false, at: START, chainTime: null },
    };
  const block = which % 2 === 0 ? { height: 5, hash: '0xb5' } : null;
  if (kind === 'complete') return { kind, ...by, txHash: `${id}${reverts}`, transfers: null, block, paidIn: null };
  if (kind === 'ask_to_fail') return { kind, by: 'adm_1', notes: 'Nothing was signed.' };
  if (kind === 'fail') return { kind, by: null, reason: 'It came back.' };
  if (kind === 'export_again') return { kind, begunIn: null };
  return kind === 'process' ? { kind, ...by, begunIn: null } : { kind };
}

/** What arrived is where the payment says, or with its refunds, and no more of a token went back than came. */
async function check({ id }: Payment, isReorged: boolean): Promise<void> {
  const { booked, returned } = await getPayment(world.db, { id });
  const credits = await world.db.selectFrom('credits').selectAll().where('payment_id', '=', id).execute();
  const arrived = credits.reduce((sum, credit) => sum + (credit.booked_micro ?? 0n), 0n);
  const givenBack = returned.counted + returned.wrong;
  expect(booked.suspense + booked.pending + booked.available + givenBack).toBe(arrived);
  expect([booked.suspense >= 0n, booked.pending >= 0n]).toEqual([true, true]);
  const standing = (await listOfPayment(world.db, id)).filter(isStanding);
  expect(standing.reduce((sum, refund) => sum + heldMicro(refund), 0n)).toBe(givenBack);
  if (isReorged) return;
  expect(booked.available >= 0n).toBe(true);
  for (const token of ['USDT', 'USDC']) {
    const came = credits.filter((credit) => credit.token === token && credit.confirmed_at !== null);
    const went = standing.filter((refund) => refund.token === token);
    expect(went.reduce((sum, { units }) => sum + units, 0n)).toBeLessThanOrEqual(
      came.reduce((sum, { amount_units: units }) => sum + units, 0n),
    );
  }
}

test('whatever arrives, vanishes, is accepted, given back, claimed and paid, every cent has its place', async () => {
  const place = { height: 1_000 };
  let [runs, made] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 4, maxLength: 25 }), fc.boolean(), async (tail, takesBoth) => {
      // Something has to be there and the payment over, else there is little to give back.
      const moves: Move[] = [...tail.filter((each) => each.do === 'arrive').slice(0, 2), ...BEGUN, ...tail];
      runs += 1;
      const payment = await world.create({ acceptedTokens: takesBoth ? ['USDT', 'USDC'] : ['USDT'] });
      for (const each of moves) {
        await play(payment, each, place);
        await check(
          payment,
          moves.some((one) => one.do === 'reorg'),
        );
      }
      made += (await listOfPayment(world.db, payment.id)).length;
      expect((await reconcile(world.db)).findings).toEqual([]);
    }),
    {
      numRuns: RUNS,
      interruptAfterTimeLimit: 50_000,
      ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }),
    },
  );
  // On average there is one a story; a crowded machine plays fewer stories.
  expect(made).toBeGreaterThan(runs / 3);
});
