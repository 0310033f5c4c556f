import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { AppError } from '../../src/lib/errors.ts';
import { MICRO_PER_CENT } from '../../src/lib/money.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Asset, Network } from '../../src/ports/chain.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import type { RefundInput } from '../../src/refunds/refund.ts';
import { createRefund, moveRefund, type RefundRequestDeps } from '../../src/refunds/service.ts';
import { sandboxBitcoinNetwork } from '../../src/sandbox/network.ts';
import { createPaymentWorld, ETH, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';
import { insertMerchant } from '../support/withdrawals.ts';

/** Dollars: what waits, what is pending, what can be spent, what is held, the world outside and the platform's fees. */
type Figures = readonly [
  suspense: number,
  pending: number,
  available: number,
  hold: number,
  external: number,
  fees: number,
];

/** What a refund does, when it is made, cancelled or failed, and paid. Or why nobody may decide so. */
type Decided = { readonly held: Figures; readonly released: Figures; readonly paid: Figures } | RegExp;

type Row = {
  /** What arrives for a payment of 100 dollars, and whether before or after the merchant cancels it. */
  readonly arrives: number;
  readonly when: 'paid' | 'before it is cancelled' | 'after it is cancelled' | 'and is not confirmed';
  readonly exception: Payment['exception'];
  readonly before: Figures;
  readonly accept: Figures | RegExp;
  readonly surplus: Decided;
  readonly all: Decided;
  /** Fifteen dollars. */
  readonly part: Decided;
};

const NOTHING_WAITS = /No money of this payment waits/;
const NOTHING_BEYOND = /Nothing came beyond what this payment asked/;

/**
 * Each merchant has 100 dollars before, and pays a fee of 1 %. The fee of what was credited stays when it goes back;
 * what waited never had one.
 */
const TABLE: Readonly<Record<string, Row>> = {
  'nothing wrong': {
    ...{ arrives: 100, when: 'paid', exception: null },
    before: [0, 0, 199, 0, -100, 1],
    accept: NOTHING_WAITS,
    surplus: NOTHING_BEYOND,
    all: { held: [0, 0, 99, 100, -100, 1], released: [0, 0, 199, 0, -100, 1], paid: [0, 0, 99, 0, 0, 1] },
    part: { held: [0, 0, 184, 15, -100, 1], released: [0, 0, 199, 0, -100, 1], paid: [0, 0, 184, 0, -85, 1] },
  },
  'not confirmed': {
    ...{ arrives: 100, when: 'and is not confirmed', exception: null },
    before: [0, 100, 100, 0, -100, 0],
    accept: /decided by what arrives/,
    surplus: /This payment is confirming/,
    all: /This payment is confirming/,
    part: /This payment is confirming/,
  },
  underpaid: {
    ...{ arrives: 40, when: 'before it is cancelled', exception: 'underpaid' },
    before: [40, 0, 100, 0, -40, 0],
    accept: [0, 0, 139.6, 0, -40, 0.4],
    surplus: NOTHING_BEYOND,
    all: { held: [0, 0, 100, 40, -40, 0], released: [40, 0, 100, 0, -40, 0], paid: [0, 0, 100, 0, 0, 0] },
    part: { held: [25, 0, 100, 15, -40, 0], released: [40, 0, 100, 0, -40, 0], paid: [25, 0, 100, 0, -25, 0] },
  },
  overpaid: {
    ...{ arrives: 130, when: 'paid', exception: 'overpaid' },
    before: [30, 0, 199, 0, -130, 1],
    accept: [0, 0, 228.7, 0, -130, 1.3],
    surplus: { held: [0, 0, 199, 30, -130, 1], released: [30, 0, 199, 0, -130, 1], paid: [0, 0, 199, 0, -100, 1] },
    all: { held: [0, 0, 99, 130, -130, 1], released: [30, 0, 199, 0, -130, 1], paid: [0, 0, 99, 0, 0, 1] },
    part: { held: [15, 0, 199, 15, -130, 1], released: [30, 0, 199, 0, -130, 1], paid: [15, 0, 199, 0, -115, 1] },
  },
  late: {
    ...{ arrives: 100, when: 'after it is cancelled', exception: 'late' },
    before: [100, 0, 100, 0, -100, 0],
    accept: [0, 0, 199, 0, -100, 1],
    surplus: NOTHING_BEYOND,
    all: { held: [0, 0, 100, 100, -100, 0], released: [100, 0, 100, 0, -100, 0], paid: [0, 0, 100, 0, 0, 0] },
    part: { held: [85, 0, 100, 15, -100, 0], released: [100, 0, 100, 0, -100, 0], paid: [85, 0, 100, 0, -85, 0] },
  },
};

/** A token that the payment does not offer: all of it came beyond what was asked. */
const WRONG: Row = {
  ...{ arrives: 40, when: 'before it is cancelled', exception: 'wrong_token' },
  before: [40, 0, 100, 0, -40, 0],
  accept: [0, 0, 139.6, 0, -40, 0.4],
  surplus: { held: [0, 0, 100, 40, -40, 0], released: [40, 0, 100, 0, -40, 0], paid: [0, 0, 100, 0, 0, 0] },
  all: { held: [0, 0, 100, 40, -40, 0], released: [40, 0, 100, 0, -40, 0], paid: [0, 0, 100, 0, 0, 0] },
  part: { held: [25, 0, 100, 15, -40, 0], released: [40, 0, 100, 0, -40, 0], paid: [25, 0, 100, 0, -25, 0] },
};

/** ETH is worth 2,000 dollars here, and a bitcoin 50,000. */
const BITCOIN = sandboxBitcoinNetwork('http://127.0.0.1:1');
const EVM: Network = { ...TEST_NETWORK, native: ETH, dust: 1n };
const KINDS = {
  USDT: { network: EVM, asset: TEST_NETWORK.tokens[0], cent: 10n ** 4n, others: ['USDC'] },
  USDC: { network: EVM, asset: TEST_NETWORK.tokens[1], cent: 10n ** 16n, others: ['USDT'] },
  ETH: { network: EVM, asset: ETH, cent: 5n * 10n ** 12n, others: null },
  BTC: { network: BITCOIN, asset: BITCOIN.native, cent: 20n, others: null },
} as const satisfies Record<string, Kind>;

type Kind = {
  readonly network: Network;
  readonly asset: Asset | undefined;
  /** Base units that are worth a cent. */
  readonly cent: bigint;
  /** What a payment takes to which this one is wrong. A coin without a quote is not credited. */
  readonly others: readonly ('USDT' | 'USDC')[] | null;
};

describe.each(Object.entries<Kind>(KINDS))('in %s', (symbol, kind) => {
  let world: PaymentWorld;
  let deps: RefundRequestDeps;
  beforeAll(async () => {
    const prices = { ETH: '2000', BTC: '50000' };
    const native = kind.network.native;
    world = await createPaymentWorld({ paymentFeeBps: 100 }, kind.network, native ? { native, prices } : null);
    deps = {
      ...world.deps,
      chains: world.deps.chains as RefundRequestDeps['chains'],
      requireSecondFactor: async () => ({}),
    };
    await sql`
      insert into chain_cursors
        (network, genesis_hash, height, hash, block_time, confirmed_height, head_height, scanned_at)
      values (${kind.network.name}, '0xg', 9, '0xb9', ${START}, 8, 9, ${START})`.execute(world.db);
  });
  afterAll(async () => {
    const { findings, payments } = await reconcile(world.db);
    await world.close();
    expect(findings).toEqual([]);
    expect(payments).toBeGreaterThan(10);
  });

  let height = 100;
  const arrive = async (payment: Payment, { arrives, when }: Row): Promise<void> => {
    height += 1;
    const block = {
      network: kind.network.name,
      height,
      hash: `0x${height}`,
      parentHash: `0x${height - 1}`,
      time: START,
    };
    const { address } = await world.db
      .selectFrom('deposit_addresses')
      .select('address')
      .where('payment_id', '=', payment.id)
      .executeTakeFirstOrThrow();
    const transfer = {
      ...{ network: kind.network.name, block, txHash: `0x${payment.id}`, index: 0, token: kind.asset as Asset },
      ...{ from: '0x00000000000000000000000000000000000000c1', to: address },
      units: BigInt(arrives * 100) * kind.cent,
    };
    const sightings = { transfers: [transfer], collector: [], approvals: [] };
    const inOutputs =
      kind.network === BITCOIN ? { spends: new Map([[transfer.txHash, () => [`${payment.id}:0`]]]) } : {};
    await inTransaction(world.db, (trx) =>
      paymentMatcher.observe(trx, kind.network, { ...sightings, ...inOutputs }, START),
    );
    height += when === 'and is not confirmed' ? 0 : 2;
    await world.head(height);
    await world.apply(payment);
  };

  /** A payment as the row has it, of a merchant of its own. */
  const begin = async (row: Row) => {
    const merchantId = await insertMerchant(world.db, 10_000n);
    const takes = row === WRONG ? kind.others : [symbol];
    const payment = await world.create({ merchantId, acceptedTokens: takes as string[] });
    if (row.when !== 'after it is cancelled') await arrive(payment, row);
    if (row.when.endsWith('it is cancelled')) await world.apply(payment, { kind: 'cancel' });
    if (row.when === 'after it is cancelled') await arrive(payment, row);
    const figures = () => readFigures(world, merchantId);
    const { exception } = await world.apply(payment);
    expect([exception, await figures()]).toEqual([row.exception, row.before]);
    return { payment, figures, merchantId };
  };

  const rows = Object.entries(TABLE).concat(kind.others === null ? [] : [['wrong token', WRONG]]);
  test.each(rows)('%s, accepted', async (_, row) => {
    const { payment, figures } = await begin(row);
    const accept = () => world.apply(payment, { kind: 'resolve' });
    if (row.accept instanceof RegExp) await expect(accept()).rejects.toThrow(row.accept);
    else expect(await accept()).toMatchObject({ exception: null });
    expect(await figures()).toEqual(row.accept instanceof RegExp ? row.before : row.accept);
  });

  const AMOUNTS = { surplus: 'surplus', all: 'all', part: 1_500n } as const;
  const ENDS = { cancelled: 'released', failed: 'released', completed: 'paid' } as const;
  const cases = rows.flatMap(([name, row]) =>
    (['surplus', 'all', 'part'] as const).flatMap((what) =>
      (['cancelled', 'failed', 'completed'] as const)
        .slice(0, row[what] instanceof RegExp ? 1 : 3)
        .map((end) => ({ name, row, what, end, outcome: row[what] instanceof RegExp ? 'refused' : end })),
    ),
  );
  test.each(cases)('$name, $what given back and $outcome', async ({ row, what, end }) => {
    const { payment, figures, merchantId } = await begin(row);
    const ask = { amount: AMOUNTS[what], token: null, network: null };
    const refund = () =>
      inTransaction(world.db, (trx) =>
        createRefund(
          trx,
          deps,
          {
            ...{ merchantId, paymentId: payment.id, ask, reason: 'Sold out.', byKey: true, otp: undefined },
            destinationAddress: null,
          },
          { now: START, real: START },
        ),
      );
    const decided = row[what];
    if (decided instanceof RegExp) {
      await expect(refund()).rejects.toThrow(decided);
      await expect(refund()).rejects.toThrow(AppError);
      return expect(await figures()).toEqual(row.before);
    }
    const made = await refund();
    expect(made.refund).toMatchObject({ token: symbol, network: kind.network.name });
    expect(await figures()).toEqual(decided.held);
    for (const input of STEPS[end]) {
      await inTransaction(world.db, (trx) => moveRefund(trx, deps, made.refund, input, START));
    }
    expect(await figures()).toEqual(decided[ENDS[end]]);
    // A step that comes again changes nothing.
    const last = STEPS[end].at(-1) as RefundInput;
    await expect(inTransaction(world.db, (trx) => moveRefund(trx, deps, made.refund, last, START))).rejects.toThrow(
      AppError,
    );
    expect(await figures()).toEqual(decided[ENDS[end]]);
  });
});

const BY = { by: 'adm_1', notes: null } as const;
const CLAIM: RefundInput = {
  kind: 'claim',
  destination: { address: '0x1', by: 'payer', proven: false, at: START, chainTime: null },
  isOwn: false,
};
let paid = 0;
const STEPS: Readonly<Record<'cancelled' | 'failed' | 'completed', readonly RefundInput[]>> = {
  cancelled: [{ kind: 'cancel' }],
  failed: [CLAIM, { kind: 'process', ...BY, begunIn: null }, { kind: 'fail', by: 'adm_1', reason: 'It came back.' }],
  get completed(): readonly RefundInput[] {
    paid += 1;
    return [
      CLAIM,
      { kind: 'process', ...BY, begunIn: null },
      { kind: 'complete', ...BY, txHash: `0xpaid${paid}`, transfers: null, block: null, paidIn: null },
    ];
  },
};

/** What a merchant's accounts hold, and what its journals brought from outside and to the platform, all in dollars. */
async function readFigures({ db }: PaymentWorld, merchantId: string): Promise<number[]> {
  const { rows } = await sql<{ kind: string; sum: bigint }>`
    select a.kind, sum(e.amount)::bigint as sum
      from journals j join entries e on e.journal_id = j.id join ledger_accounts a on a.id = e.account_id
     where j.merchant_id = ${merchantId} group by a.kind`.execute(db);
  const { rows: stored } = await sql<{ kind: string; balance: bigint }>`
    select kind, balance from ledger_balances where owner_id = ${merchantId}`.execute(db);
  const sums = new Map(rows.map(({ kind, sum }) => [kind, sum]));
  for (const { kind, balance } of stored) expect(sums.get(kind) ?? 0n).toBe(balance);
  expect(sums.get('debt') ?? 0n).toBe(0n);
  return ['suspense', 'pending', 'available', 'hold', 'external', 'fees'].map((kind) => {
    const micro = sums.get(kind) ?? 0n;
    return micro === 0n ? 0 : Number(micro) / Number(MICRO_PER_CENT) / 100;
  });
}
