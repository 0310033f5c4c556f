import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Transfer } from '../../src/ports/chain.ts';
import { crowd } from '../support/crowd.ts';
import { createPaymentWorld, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

const ROUNDS = 100;
const FIRST_HEIGHT = 10;
/** Around a cent and a dollar, in micro-dollars. */
const AMOUNTS = [1n, 9_999n, 10_000n, 250_000n, 500_000n, 1_000_000n];
/** How many credits the payments have before: around both limits. */
const CROWDS = [995, 9_990, 1_000, 10_000];

type Sent = { readonly to: number; readonly token: 0 | 1; readonly units: bigint };
type Tx = { readonly hash: string; readonly transfers: readonly Sent[] };
type Block = { readonly hash: string; readonly txs: Tx[] };

let world: PaymentWorld;
const payments: Payment[] = [];
beforeAll(async () => {
  world = await createPaymentWorld();
  for (const [i, count] of CROWDS.entries()) {
    const payment = await world.create({ amountMinor: i === 3 ? 20n : 100_000n });
    payments.push(payment);
    await crowd(world.db, payment, count);
  }
});
afterAll(() => world.close());

const addressOf = (payment: Payment | undefined): string => payment?.options[0]?.address.toLowerCase() ?? '';

/** Seeded, so that a storm that finds a fault can be repeated. */
let state = 1;
function roll(sides: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (state >> 8) % sides;
}

const chain: Block[] = [];
let [txs, blocks] = [0, 0];

function newTx(): Tx {
  const transfers = Array.from({ length: 1 + roll(6) }, (): Sent => {
    const token = roll(2) as 0 | 1;
    const micro = AMOUNTS[roll(AMOUNTS.length)] as bigint;
    const to = roll(2) === 0 ? 0 : roll(payments.length);
    return { to, token, units: token === 0 ? micro : micro * 10n ** 12n + BigInt(roll(3)) * 333_333_333_333n };
  });
  txs += 1;
  return { hash: `0xtx${txs}`, transfers };
}

function mine(own: readonly Tx[]): void {
  blocks += 1;
  chain.push({ hash: `0xblock${blocks}`, txs: [...own] });
}

/** The transfers of a block, numbered as a list with these tokens numbers them. */
const transfersOf = (block: Block, height: number, listed: readonly number[]): Transfer[] =>
  block.txs.flatMap(({ hash, transfers }) =>
    transfers
      .filter(({ token }) => listed.includes(token))
      .map(({ to, token, units }, index) => ({
        ...{ network: 'devnet', txHash: hash, index, token: TEST_NETWORK.tokens[token]!, units },
        block: { network: 'devnet', height, hash: block.hash, parentHash: '', time: START },
        ...{ from: '0x00000000000000000000000000000000000000c1', to: addressOf(payments[to]) },
      })),
  );

const observe = (from: number, how: 'observe' | 'observeAgain', listed: readonly number[] = [0, 1]) =>
  inTransaction(world.db, async (trx) => {
    const transfers = chain.slice(from).flatMap((block, i) => transfersOf(block, FIRST_HEIGHT + from + i, listed));
    await paymentMatcher[how]?.(trx, TEST_NETWORK, { transfers, collector: [], approvals: [] }, START);
  });

/** A reorg of up to three blocks, that come back, or whose transactions come in others, are left out, or are joined. */
async function reorganise(): Promise<void> {
  const depth = 1 + roll(Math.min(3, chain.length - 1));
  const gone = chain.splice(chain.length - depth);
  const at = chain.length;
  await world.orphan(FIRST_HEIGHT + at - 1);
  await isChains('after a reorg');
  if (roll(3) === 0) chain.push(...gone);
  else {
    const mixed = gone.flatMap((block) => block.txs).filter(() => roll(5) > 0);
    mixed.sort((a, b) => ((a.hash.length + a.hash.charCodeAt(4)) % 5) - ((b.hash.length + b.hash.charCodeAt(4)) % 5));
    for (let n = 0; n < depth; n += 1) mine([...mixed.splice(0, roll(4)), ...(roll(2) === 0 ? [newTx()] : [])]);
    chain.at(-1)?.txs.push(...mixed);
  }
  await observe(at, 'observe');
}

/** What is credited and what is kept aside are together what the chain has. */
async function isChains(what: string): Promise<void> {
  const { rows } = await sql<{ address: string; contract: string; units: bigint }>`
    select recipient as address, contract, sum(units)::numeric(78, 0) as units from (
      select recipient, contract, amount_units as units from credits where canonical and recipient <> '0x'
      union all select recipient, contract, units from dust) as stored group by 1, 2`.execute(world.db);
  const stored = new Map(rows.map(({ address, contract, units }) => [`${address} ${contract}`, units]));
  const truth = new Map<string, bigint>();
  for (const { to, token, units } of chain.flatMap((block) => block.txs.flatMap(({ transfers }) => transfers))) {
    const key = `${addressOf(payments[to])} ${TEST_NETWORK.tokens[token]?.contract}`;
    truth.set(key, (truth.get(key) ?? 0n) + units);
  }
  expect(new Map([...stored].sort()), what).toEqual(new Map([...truth].sort()));
}

async function applyAll(): Promise<void> {
  await world.head(FIRST_HEIGHT + chain.length);
  for (const payment of payments) {
    for (let more = true; more; ) {
      await world.apply(payment);
      const { rows } = await sql`
        select from credits where payment_id = ${payment.id} and applied_at is null limit 1`.execute(world.db);
      more = rows.length > 0;
    }
  }
}

test('what is credited and what is kept aside are together what the chain has, whatever it does', async () => {
  const again = (back: number) => Math.max(0, chain.length - back);
  const moves = [
    reorganise,
    reorganise,
    () => observe(again(3), 'observeAgain'),
    () => observe(again(2), 'observeAgain', [roll(2)]),
    applyAll,
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (chain.length < 3 || roll(2) === 0) {
      const at = chain.length;
      for (let n = roll(2); n >= 0; n -= 1) mine(Array.from({ length: roll(4) }, newTx));
      await observe(at, 'observe');
    } else await moves[roll(moves.length)]?.();
    await isChains(`after round ${round}`);
  }
  await applyAll();
  const { rows } = await sql<{ credits: number; dust: number }>`
    select (select count(*)::integer from credits where canonical and recipient <> '0x') as credits,
           (select count(*)::integer from dust) as dust`.execute(world.db);
  expect(rows[0]?.credits).toBeGreaterThan(50);
  expect(rows[0]?.dust).toBeGreaterThan(50);
});
