import { expect, test } from 'vitest';
import type { Payment } from '../../src/payments/types.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 10n ** 6n;
const USDC = 10n ** 18n;
const ROUNDS = 12;
const MOVES = 40;
const DOLLARS = [1n, 40n, 60n, 99n, 100n, 101n, 120n];

/** Seeded, so that a storm that finds a fault can be repeated. */
function createDice(seed: number) {
  let state = seed;
  const roll = (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * sides);
  };
  return { roll, pick: <T>(of: readonly T[]): T => of[roll(of.length)] as T };
}

type Dice = ReturnType<typeof createDice>;
type Sent = { readonly tx: string; readonly payment: Payment; readonly units: bigint; readonly token: 0 | 1 };
type Block = { readonly height: number; readonly hash: string; readonly time: Date };

/** A chain driven by the dice; its transfers go to `payments`. */
function createChain(world: PaymentWorld, round: number, payments: readonly Payment[], { roll, pick }: Dice) {
  const sent: Sent[] = [];
  const mined: [Sent, Block][] = [];
  const base = 1000 * round;
  let [height, fork, minutes] = [base, 0, 0];
  const now = (): Date => new Date(START.getTime() + minutes * 60_000);
  const include = async (transfer: Sent, block?: Block): Promise<void> => {
    height = Math.max(height + (block ? 0 : 1), block?.height ?? 0);
    const at = block ?? { height, hash: `0x${round}-${height}-${fork}`, time: now() };
    mined.push([transfer, at]);
    await world.arrive(transfer.payment, transfer.units, { ...at, tx: transfer.tx, token: transfer.token });
  };
  const mine = (blocks: number): Promise<void> => {
    height += blocks;
    return world.head(height, now());
  };
  return {
    now,
    mine,
    pass: (time: number): void => {
      minutes += time;
    },
    transfer: async (): Promise<void> => {
      const token = roll(4) === 0 ? 1 : 0;
      const units = pick(DOLLARS) * (token === 0 ? USDT : USDC) + BigInt(roll(3_000_000));
      const transfer: Sent = { tx: `0x${round}-${sent.length}`, payment: pick(payments), units, token };
      sent.push(transfer);
      await include(transfer);
    },
    includeAgain: async (): Promise<void> => {
      const transfer = sent.length > 0 ? pick(sent) : undefined;
      if (transfer && !(await isCanonical(world, transfer.tx))) await include(transfer);
    },
    reorganise: async (): Promise<void> => {
      fork += 1;
      height = Math.max(base, height - roll(5));
      await world.orphan(height);
      await mine(0);
    },
    /** The chain reorganises twice: the same blocks return, whatever `meanwhile` did. */
    wobble: async (meanwhile: () => Promise<unknown>): Promise<void> => {
      const from = height - roll(4);
      const back = mined.filter(([, block]) => block.height > from);
      const dropped = await Promise.all(back.map(([{ tx }, { hash }]) => isCanonical(world, tx, hash)));
      await world.orphan(from);
      await meanwhile();
      for (const [index, [transfer, block]] of back.entries()) if (dropped[index]) await include(transfer, block);
    },
  };
}

/** Transfers, reorgs of any depth, re-inclusions, confirmations, deadlines and decisions, in any order. */
async function storm(world: PaymentWorld, round: number): Promise<Payment[]> {
  const dice = createDice(round);
  const { roll, pick } = dice;
  const accepted = [['USDT'], null, ['USDT']];
  const payments: Payment[] = [];
  for (const acceptedTokens of accepted) payments.push(await world.create({ acceptedTokens }));
  const chain = createChain(world, round, payments, dice);
  const move = (command: Parameters<PaymentWorld['apply']>[1]): Promise<unknown> =>
    world.apply(pick(payments), command, chain.now()).catch((error: { code?: string }) => {
      if (error.code !== 'CONFLICT') throw error;
    });
  const look = (): Promise<unknown> => move(null);
  const moves: (() => unknown)[] = [
    ...[chain.transfer, chain.transfer, chain.includeAgain, chain.reorganise, look, look],
    () => chain.wobble(async () => roll(2) === 0 && look()),
    () => chain.mine(roll(3)),
    () => chain.pass(roll(20) === 0 ? 1500 : 10),
    () => move({ kind: 'clock' }),
    () => move({ kind: 'resolve' }),
    () => move({ kind: 'select', token: 'USDT', network: 'devnet' }),
    () => roll(5) === 0 && move({ kind: 'cancel' }),
  ];
  await chain.mine(0);
  for (let i = 0; i < MOVES; i += 1) await pick(moves)();
  await chain.mine(5);
  return Promise.all(payments.map((payment) => world.apply(payment, null, chain.now())));
}

/** Whether the chain now contains a transaction, in one given block or in any. */
async function isCanonical(world: PaymentWorld, tx: string, hash?: string): Promise<boolean> {
  const credits = world.db.selectFrom('credits').select('id').where('tx_hash', '=', tx).where('canonical', '=', true);
  const found = hash === undefined ? credits : credits.where('block_hash', '=', hash);
  return (await found.executeTakeFirst()) !== undefined;
}

test('for any sequence of chain events and decisions, the ledger agrees with both, and waiting money is announced', async () => {
  const world = await createPaymentWorld({ paymentFeeBps: 37 });
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const payment of await storm(world, round)) {
      const { status, exception, booked } = payment;
      const isOver = status === 'paid' || status === 'expired' || status === 'failed';
      const asks = exception !== null && !(exception === 'late' && status === 'paid');
      const found = `round ${round}: ${status}, ${exception}, ${booked.suspense} in suspense`;
      if (isOver && (booked.suspense > 0n ? exception === null : asks)) expect.fail(found);
      if (status === 'paid') expect(await world.events(payment), found).toContain('completed');
    }
    expect((await reconcile(world.db)).findings, `round ${round}`).toEqual([]);
  }
  await world.close();
});
