import { type Address, encodeDeployData } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionCollector } from '../../generated/contracts.ts';
import {
  type Charge,
  COLLECT_BATCH_MAX,
  encodeAuthorizeBySig,
  encodeRevoke,
  mandateId,
} from '../../src/chains/evm/collector.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { send } from '../support/evm.ts';
import { type Collecting, invoke, OPERATOR, OWNER, openCollector, UNIT } from './collector-fixture.ts';
import { expectRecordedGas } from './gas-record.ts';

/** Gas of each call, per charge in batches. */
const RECORD = new URL('./collector-gas.json', import.meta.url);
const BATCH = 50;

let node: Anvil;
let world: Collecting;
const measured: Record<string, number> = {};
const note = (what: string, gas: bigint, share = 1): void => {
  measured[what] = Math.round(Number(gas) / share);
};

beforeAll(async () => {
  node = await startAnvil();
  world = await openCollector(node);
  // The very first transfer would pay for the treasury's storage slot.
  await invoke(world.wallet, world.usdc, 'mint', [world.treasury, 1n]);
  await invoke(world.wallet, world.usdt, 'mint', [world.treasury, 1n]);
});
afterAll(() => node.stop());

test('records the gas of deploying, and of giving and ending a mandate', async () => {
  const { abi, bytecode } = subscriptionCollector;
  const deployed = await send(world.wallet, {
    data: encodeDeployData({ abi, bytecode, args: [world.treasury, OWNER, OPERATOR] }),
  });
  note('deploy', deployed.gasUsed);
  const payer = await world.payer();
  const [own, signed] = [await world.mandate(payer), await world.mandate(payer)];
  note('authorize', (await world.authorize(payer, own)).gasUsed);
  note('authorize again', (await world.authorize(payer, own)).gasUsed);
  const brought = encodeAuthorizeBySig(signed, await world.sign(payer, signed));
  note('authorizeBySig', (await send(world.operator, { to: world.collector, data: brought })).gasUsed);
  note('revoke', (await send(payer.wallet, { to: world.collector, data: encodeRevoke(mandateId(own)) })).gasUsed);
  expect(deployed.status).toBe('success');
});

test.each([
  ['USDC', () => world.usdc],
  ['USDT', () => world.usdt],
])('records the gas of a charge of %s, alone and in a batch of 50', async (name, token) => {
  const alone = await world.collect(await newCharge(token()));
  note(`${name}, collectMany of 1`, alone.gasUsed);
  const charges: Charge[] = [];
  for (let i = 0; i < BATCH; i += 1) charges.push(await newCharge(token()));
  const many = await world.collectMany(charges);
  note(`${name}, collectMany of ${BATCH}`, many.gasUsed, BATCH);
  expect(world.fates(many, charges)).toEqual(charges.map(() => 'Ok'));
  // The largest batch fits into one transaction (EIP-7825), even at the cost of single charges.
  expect(alone.gasUsed * BigInt(COLLECT_BATCH_MAX)).toBeLessThan(16_777_216n);
});

test('records the gas of a refused charge in a batch of 50', async () => {
  const charge = await newCharge(world.usdc);
  const short = await newCharge(world.usdc, 0n);
  for (const [what, refused] of [
    ['PeriodLimit', { ...charge, amount: 11n * UNIT }],
    ['InsufficientBalance', short],
  ] as const) {
    const many = await world.collectMany(Array.from({ length: BATCH }, () => refused));
    expect(new Set(world.events(many).map((event) => event.kind === 'failed' && event.reason))).toEqual(
      new Set([what]),
    );
    note(`${what}, collectMany of ${BATCH}`, many.gasUsed, BATCH);
  }
});

test('the recorded figures match this code', () => {
  expectRecordedGas(RECORD, measured);
});

/** A small charge of a new payer, the mandate's first; the payer keeps some, so that no storage slot is cleared. */
async function newCharge(token: Address, balance = 100n * UNIT): Promise<Charge> {
  const payer = await world.payer(token, balance);
  const mandate = await world.mandate(payer, { token });
  await world.authorize(payer, mandate);
  return { mandate, amount: 2n * UNIT, number: 1 };
}
