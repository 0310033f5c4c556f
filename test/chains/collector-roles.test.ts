import { zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CollectorClosedError } from '../../src/chains/collector.ts';
import { type Charge, encodeRevoke, mandateId } from '../../src/chains/evm/collector.ts';
import { readCollector, readMandateState } from '../../src/chains/evm/collector-reader.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { send, type Wallet, walletOf } from '../support/evm.ts';
import { type Collecting, encode, OPERATOR, OWNER, openCollector, STRANGER, UNIT } from './collector-fixture.ts';

let node: Anvil;
let world: Collecting;
let stranger: Wallet;

beforeAll(async () => {
  node = await startAnvil();
  world = await openCollector(node);
  stranger = walletOf(node, STRANGER);
});
afterAll(() => node.stop());

const callAs = async (from: Wallet, name: string, ...args: readonly unknown[]): Promise<string> =>
  (await world.call(from, name, args)).status;

async function newCharge(): Promise<Charge> {
  const payer = await world.payer();
  const mandate = await world.mandate(payer);
  await world.authorize(payer, mandate);
  return { mandate, amount: UNIT, number: 1 };
}

test('a pause stops charges, and nothing that a payer can do', async () => {
  const charge = await newCharge();
  const payer = walletOf(node, charge.mandate.payer);
  for (const other of [world.operator, stranger, payer]) expect(await callAs(other, 'pause')).toBe('reverted');
  expect(await callAs(world.owner, 'pause')).toBe('success');
  expect((await readCollector(world.wallet, world.collector)).paused).toBe(true);
  expect((await world.collect(charge)).status).toBe('reverted');
  expect((await world.collectMany([charge])).status).toBe('reverted');
  await expect(world.preview([charge])).rejects.toThrow(new CollectorClosedError('paused'));

  const given = await world.mandate(await world.payer());
  const second = { ...given, payer: payer.account.address };
  expect((await send(payer, { to: world.collector, data: encode('authorize', [second]) })).status).toBe('success');
  const ended = await send(payer, { to: world.collector, data: encodeRevoke(mandateId(second)) });
  expect(ended.status).toBe('success');
  const { status } = await readMandateState(world.wallet, world.collector, second.payer, mandateId(second));
  expect(status).toBe('revoked');

  expect(await callAs(world.operator, 'unpause')).toBe('reverted');
  expect(await callAs(world.owner, 'unpause')).toBe('success');
  expect(await world.preview([charge])).toEqual(['Ok']);
  expect((await world.collect(charge)).status).toBe('success');
});

test('only the operator charges, and the owner replaces it in two steps', async () => {
  const charge = await newCharge();
  for (const other of [stranger, world.owner, walletOf(node, charge.mandate.payer)]) {
    expect((await world.collect(charge, other)).status).toBe('reverted');
    expect((await world.collectMany([charge], other)).status).toBe('reverted');
  }
  await expect(world.preview([charge], STRANGER)).rejects.toThrow(new CollectorClosedError('not_operator'));
  expect(await callAs(world.operator, 'proposeOperator', STRANGER)).toBe('reverted');
  expect(await callAs(stranger, 'acceptOperator')).toBe('reverted');

  expect(await callAs(world.owner, 'proposeOperator', STRANGER)).toBe('success');
  expect(await world.preview([charge])).toEqual(['Ok']); // Until the other one accepts.
  expect(await callAs(world.owner, 'acceptOperator')).toBe('reverted');
  // Proposing the zero address withdraws the last proposal, and no one can accept it.
  expect(await callAs(world.owner, 'proposeOperator', zeroAddress)).toBe('success');
  expect(await callAs(stranger, 'acceptOperator')).toBe('reverted');

  expect(await callAs(world.owner, 'proposeOperator', STRANGER)).toBe('success');
  expect(await callAs(stranger, 'acceptOperator')).toBe('success');
  expect(await readCollector(world.wallet, world.collector)).toMatchObject({
    operator: STRANGER,
    proposedOperator: zeroAddress,
  });
  expect((await world.collect(charge)).status).toBe('reverted');
  expect((await world.collect(charge, stranger)).status).toBe('success');
  expect(await callAs(world.operator, 'acceptOperator')).toBe('reverted');

  expect(await callAs(world.owner, 'proposeOperator', OPERATOR)).toBe('success');
  expect(await callAs(world.operator, 'acceptOperator')).toBe('success');
});

test('ownership is transferred in two steps, and cannot be renounced', async () => {
  expect(await callAs(world.owner, 'renounceOwnership')).toBe('reverted');
  expect(await callAs(world.operator, 'transferOwnership', OPERATOR)).toBe('reverted');
  expect(await callAs(world.owner, 'transferOwnership', STRANGER)).toBe('success');
  expect((await readCollector(world.wallet, world.collector)).owner).toBe(OWNER);
  expect(await callAs(world.operator, 'acceptOwnership')).toBe('reverted');
  expect(await callAs(stranger, 'acceptOwnership')).toBe('success');
  expect(await callAs(world.owner, 'pause')).toBe('reverted');
  expect(await callAs(stranger, 'transferOwnership', OWNER)).toBe('success');
  expect(await callAs(world.owner, 'acceptOwnership')).toBe('success');
  expect((await readCollector(world.wallet, world.collector)).owner).toBe(OWNER);
});
