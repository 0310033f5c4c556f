import fc from 'fast-check';
import { type Address, type Hex, maxUint256, numberToHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testUsdc } from '../../generated/contracts.ts';
import { COLLECT_REASONS } from '../../src/chains/collector.ts';
import {
  encodeAuthorizeBySig,
  encodeCollectMany,
  type Mandate,
  mandateId,
  mandateRef,
} from '../../src/chains/evm/collector.ts';
import { type RawLog, TRANSFER_TOPIC } from '../../src/chains/evm/transfers.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { type CollectorEvent, decodeCollectorLog } from './collector-calls.ts';
import { type Collecting, encode, OPERATOR, OWNER, openCollector, type Payer, STRANGER } from './collector-fixture.ts';
import { chargeOf, type Move, PAYERS, type Play, play } from './collector-fuzz.ts';
import {
  authorize,
  charge,
  createModel,
  findExcess,
  type Model,
  remainderOf,
  revoke,
  type Taken,
} from './collector-model.ts';

/**
 * Any sequence of calls, from any account. Each result must match the model's; and whatever the model says, the money
 * that left the payers, according to the token's logs, must be within their mandates. FUZZ_RUNS=2000 plays new
 * sequences for about half an hour.
 */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40);
const SEED = process.env['FUZZ_RUNS'] === undefined ? 20_260_101 : Date.now() % 2 ** 31;
const START_BALANCE = 90n;
const NOBODY: Address = '0x00000000000000000000000000000000deadbeef';

let node: Anvil;
let world: Collecting;
let payers: Payer[];
const met = new Set<string>();

beforeAll(async () => {
  node = await startAnvil();
  world = await openCollector(node);
  await world.sleepUntil((await world.now()) + 1_000); // Mandates may begin before the sequence does.
});
afterAll(() => node.stop());

test('no sequence of calls takes more than agreed, sends it elsewhere, or charges a number twice', async () => {
  await fc.assert(
    fc.asyncProperty(play, async (one) => {
      const stage = await openStage(one);
      for (const mandate of one.given) await perform(stage, { kind: 'authorize', mandate, by: 'payer' });
      for (const move of one.moves) await perform(stage, move);
      await finishPlay(stage);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
  // The sequences cover something: every possible outcome occurred.
  const unmet = COLLECT_REASONS.filter((reason) => reason !== 'TokenRefused' && !met.has(reason));
  expect(unmet).toEqual([]);
}, 3_600_000);

type Stage = {
  readonly mandates: readonly Mandate[];
  readonly model: Model;
  readonly taken: Taken[];
  now: number;
  operator: Address;
  paused: boolean;
};

/** New payers and mandates; the roles are the initial ones. */
async function openStage({ terms }: Play): Promise<Stage> {
  payers = [];
  // One after the other: one account funds them, and the node may give its next nonce to two concurrent requests.
  while (payers.length < PAYERS) payers.push(await world.payer(world.usdc, START_BALANCE));
  const now = (await world.now()) + 1;
  const mandates = terms.map(({ payer, startsIn, lasts, firstNumber, ...limits }, i): Mandate => {
    const start = now + startsIn;
    const ref = mandateRef(`sub_${now}_${i}`, firstNumber);
    return { payer: payers[payer]!.address, token: world.usdc, ...limits, start, end: start + lasts, ref };
  });
  const model = createModel();
  for (const { address } of payers) {
    model.balances.set(address, START_BALANCE);
    model.allowances.set(address, maxUint256);
  }
  return { mandates, model, taken: [], now, operator: OPERATOR, paused: false };
}

/** Restores the roles for the next play, and compares all balances with the logs. */
async function finishPlay(stage: Stage): Promise<void> {
  if (stage.paused) await perform(stage, { kind: 'unpause' });
  if (stage.operator !== OPERATOR) await perform(stage, { kind: 'replaceOperator' });
  for (const { address } of payers) {
    expect(await world.balance(world.usdc, address)).toBe(stage.model.balances.get(address));
  }
  for (const account of [OPERATOR, STRANGER, OWNER, world.collector]) {
    expect(await world.balance(world.usdc, account)).toBe(0n);
  }
}

async function perform(stage: Stage, move: Move): Promise<void> {
  switch (move.kind) {
    case 'wait':
      stage.now += move.seconds;
      return;
    case 'await': {
      const { start, period, end } = stage.mandates[move.mandate]!;
      const window = start + Math.max(0, Math.ceil((stage.now + 1 - start) / period)) * period;
      stage.now = Math.max(stage.now, (move.edge === 'end' ? end : window) + move.after - 1);
      return;
    }
    case 'authorize':
      return agree(stage, move);
    case 'revoke':
      return end(stage, move);
    case 'collectMany':
      return collect(stage, move);
    case 'replaceOperator':
      return replaceOperator(stage);
    case 'pause':
    case 'unpause': {
      const { done } = await transact(stage, OWNER, world.collector, encode(move.kind, []));
      expect(done).toBe(stage.paused === (move.kind === 'unpause'));
      stage.paused = move.kind === 'pause';
      return;
    }
    default:
      return moveMoney(stage, move);
  }
}

async function agree(stage: Stage, { mandate: place, by }: Extract<Move, { kind: 'authorize' }>): Promise<void> {
  const mandate = stage.mandates[place]!;
  const data =
    by === 'signature'
      ? encodeAuthorizeBySig(mandate, await world.sign(payerOf(mandate), mandate))
      : encode('authorize', [mandate]);
  const { done } = await transact(stage, by === 'payer' ? mandate.payer : STRANGER, world.collector, data);
  expect(done).toBe(by !== 'stranger' && authorize(stage.model, mandate, stage.now));
}

async function end(stage: Stage, { mandate: place, by }: Extract<Move, { kind: 'revoke' }>): Promise<void> {
  const mandate = stage.mandates[place]!;
  const id = mandateId(mandate);
  const data = encode('revoke', [id]);
  const { done } = await transact(stage, by === 'stranger' ? STRANGER : mandate.payer, world.collector, data);
  expect(done).toBe(true); // A stranger revokes their own mandate of that id, which does not exist.
  if (by !== 'stranger') revoke(stage.model, mandate);
}

async function collect(stage: Stage, move: Extract<Move, { kind: 'collectMany' }>): Promise<void> {
  const { model } = stage;
  const addresses = payers.map(({ address }) => address);
  const remainder = (mandate: Mandate) => remainderOf(model, mandate, stage.now + 1);
  const charges = move.charges.map((one) => chargeOf(stage.mandates, one, remainder, addresses));
  const from = move.by === 'operator' ? stage.operator : otherThan(stage.operator);
  const { done, events, transfers } = await transact(stage, from, world.collector, encodeCollectMany(charges));
  if (move.by !== 'operator' || stage.paused) return expect(done).toBe(false);
  const reasons = charges.map((one) => charge(model, one, stage.now));
  for (const reason of reasons) met.add(reason);
  const good = charges.filter((_, i) => reasons[i] === 'Ok');
  expect(events.map((event) => (event.kind === 'failed' ? event.reason : 'Ok'))).toEqual(reasons);
  // Each successful charge moved its amount from its payer to the treasury, and nothing else moved.
  expect(transfers).toEqual(
    good.map(({ mandate, amount }) => ({ from: lower(mandate.payer), to: lower(world.treasury), amount })),
  );
  stage.taken.push(...good.map((one) => ({ charge: one, at: stage.now })));
  expect(findExcess(stage.taken, stage.now)).toEqual([]);
}

async function replaceOperator(stage: Stage): Promise<void> {
  const next = otherThan(stage.operator);
  await transact(stage, OWNER, world.collector, encode('proposeOperator', [next]));
  expect((await transact(stage, next, world.collector, encode('acceptOperator', []))).done).toBe(true);
  stage.operator = next;
}

async function moveMoney(stage: Stage, move: Extract<Move, { amount: bigint }>): Promise<void> {
  const { address } = payers[move.payer]!;
  const { balances, allowances } = stage.model;
  if (move.kind === 'allow') {
    await transact(stage, address, world.usdc, encode('approve', [world.collector, move.amount], testUsdc.abi));
    allowances.set(address, move.amount);
    return;
  }
  const held = balances.get(address) ?? 0n;
  const spent = move.amount < held ? move.amount : held;
  balances.set(address, move.kind === 'earn' ? held + move.amount : held - spent);
  const data =
    move.kind === 'earn'
      ? encode('mint', [address, move.amount], testUsdc.abi)
      : encode('transfer', [NOBODY, spent], testUsdc.abi);
  await transact(stage, address, world.usdc, data);
}

type Outcome = {
  readonly done: boolean;
  readonly events: readonly CollectorEvent[];
  readonly transfers: readonly { readonly from: string; readonly to: string; readonly amount: bigint }[];
};

/** Sends a transaction in a block one second later. */
async function transact(stage: Stage, from: Address, to: Address, data: Hex): Promise<Outcome> {
  stage.now += 1;
  await world.at(stage.now);
  const transaction = { from, to, data, gas: numberToHex(2_000_000) };
  const hash = await node.rpc<Hex>('eth_sendTransaction', [transaction]);
  let receipt: { readonly status: Hex; readonly logs: readonly RawLog[] } | null = null;
  // Mined at once, but not before the response.
  while (receipt === null) receipt = await node.rpc('eth_getTransactionReceipt', [hash]);
  const moved = receipt.logs.filter(({ topics }) => topics[0] === TRANSFER_TOPIC);
  return {
    done: receipt.status === '0x1',
    events: receipt.logs.map((log) => decodeCollectorLog(world.collector, log)).filter((event) => event !== null),
    transfers: moved.map(({ topics, data: amount }) => ({
      from: `0x${topics[1]!.slice(26)}`,
      to: `0x${topics[2]!.slice(26)}`,
      amount: BigInt(amount),
    })),
  };
}

const payerOf = ({ payer }: Mandate): Payer => payers.find(({ address }) => address === payer)!;
const otherThan = (operator: Address): Address => (operator === OPERATOR ? STRANGER : OPERATOR);
const lower = (address: string): string => address.toLowerCase();
