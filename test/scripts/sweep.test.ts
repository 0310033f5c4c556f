import { encodeFunctionData, getAddress } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { getBalance } from 'viem/actions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionCollector } from '../../generated/contracts.ts';
import { collectorAddress } from '../../src/chains/evm/collector-deploy.ts';
import { depositAddress } from '../../src/chains/evm/deposit-address.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { send, walletOf } from '../support/evm.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';
import { runScript } from '../support/run-script.ts';

/** Anvil's second account, which pays for gas. */
const OPERATOR_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const TREASURY = '0x000000000000000000000000000000000000dEaD';
const OWNER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const FIRST_OPERATOR = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
let node: Anvil;
let network: EvmNetwork;
let world: PaymentWorld;

beforeAll(async () => {
  node = await startAnvil();
  network = await prepareSandboxNetwork({ rpcUrl: node.url });
  world = await createPaymentWorld();
}, 60_000);
afterAll(async () => {
  await world.close();
  await node.stop();
});

const run = (script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runScript(script, args, { DATABASE_URL: world.database.url, EVM_RPC_URL: node.url, ...env });

/** A payment whose deposit address belongs to the network's factory. */
async function createPayment(): Promise<string> {
  const { id } = await world.create();
  await world.db.updateTable('payments').set({ factory_address: network.factory }).where('id', '=', id).execute();
  return id;
}

test('money at the deposit addresses of all payments is swept to the treasury, once', async () => {
  const [paid, empty] = [await createPayment(), await createPayment()];
  const address = depositAddress(getAddress(network.factory), paid);
  const usdt = getAddress(network.tokens[0]!.contract);
  await send(walletOf(node), { to: usdt, data: mintCall(address, 2_500_000n) });
  const swept = await run('sweep.ts', ['devnet', 'USDT'], { OPERATOR_KEY });
  expect(swept).toMatchObject({ code: 0, err: '' });
  expect(swept.out).toContain(`${paid} ${address}: 2.5 USDT swept`);
  expect(swept.out).not.toContain(empty);
  const again = await run('sweep.ts', ['devnet', 'USDT'], { OPERATOR_KEY });
  expect(again.out).toBe('no deposit address of devnet holds any USDT that may be swept\n');
}, 60_000);

test('ether is swept only once the payment can no longer be paid', async () => {
  const id = await createPayment();
  await send(walletOf(node), { to: depositAddress(getAddress(network.factory), id), value: 7n });
  expect((await run('sweep.ts', ['devnet', 'native'], { OPERATOR_KEY })).out).toContain('that may be swept');
  await world.db.updateTable('payments').set({ status: 'expired', late_window_ms: 0n }).where('id', '=', id).execute();
  const before = await getBalance(walletOf(node), { address: getAddress(network.treasury) });
  expect((await run('sweep.ts', ['devnet', 'native'], { OPERATOR_KEY })).out).toContain(
    '0.000000000000000007 native swept',
  );
  expect(await getBalance(walletOf(node), { address: getAddress(network.treasury) })).toBe(before + 7n);
}, 60_000);

test("anyone with gas can deploy a treasury's factory, once, and its address is known beforehand", async () => {
  const dryRun = await run('contracts-deploy.ts', [TREASURY]);
  expect(dryRun.out).toContain('would be 0x5C23Da98b1d07A0840Be75992b6F2DfbFBe33dbe on chain 31337');
  const deployed = await run('contracts-deploy.ts', [TREASURY], { OPERATOR_KEY });
  expect(deployed.out).toMatch(/^Deployed by transaction 0x[0-9a-f]{64}\.\nThe factory of .* is 0x5C23Da98b/);
  expect((await run('contracts-deploy.ts', [TREASURY], { OPERATOR_KEY })).out).toContain('It stands already.');
}, 60_000);

test('the collector is deployed with its owner and operator, and a proposed operator accepts by the same script', async () => {
  const gas = privateKeyToAddress(OPERATOR_KEY);
  const args = [TREASURY, OWNER, FIRST_OPERATOR];
  const collector = collectorAddress({ treasury: TREASURY, owner: OWNER, operator: FIRST_OPERATOR });
  expect((await run('contracts-deploy.ts', args)).out).toContain(`would be ${collector} on chain 31337`);
  const deployed = await run('contracts-deploy.ts', args, { OPERATOR_KEY });
  expect(deployed).toMatchObject({ code: 0, err: '' });
  expect(deployed.out).toContain(`is ${collector} on chain 31337; put it into KASI_NETWORKS.`);
  const { abi } = subscriptionCollector;
  const data = encodeFunctionData({ abi, functionName: 'proposeOperator', args: [gas] });
  await send(walletOf(node, OWNER), { to: collector, data });
  expect((await run('contracts-deploy.ts', args)).out).toContain(`${gas} is proposed as its operator; run this with`);
  const taken = await run('contracts-deploy.ts', args, { OPERATOR_KEY });
  expect(taken.out).toContain(`${gas} is its operator now, no longer ${FIRST_OPERATOR}.`);
}, 60_000);

test.each([
  ['sweep.ts', [], 'Usage:'],
  ['sweep.ts', ['elsewhere', 'USDT'], 'Usage:'],
  ['sweep.ts', ['devnet', 'DOGE'], 'Usage:'],
  ['sweep.ts', ['devnet', 'USDT'], 'A private key is 0x and 64 hexadecimal digits.'],
  ['contracts-deploy.ts', ['0x12'], 'Usage:'],
  ['contracts-deploy.ts', [TREASURY, OWNER], 'Usage:'],
  ['contracts-deploy.ts', [TREASURY, OWNER, OWNER], 'Owner and operator must be two accounts.'],
])('%s %j says what is missing and fails', async (script, args, message) => {
  const { code, err } = await run(script, args);
  expect(code).toBe(1);
  expect(err).toContain(message);
});

const mintCall = (to: string, units: bigint) =>
  `0x40c10f19${to.slice(2).padStart(64, '0')}${units.toString(16).padStart(64, '0')}` as const; // mint(address,uint256)
