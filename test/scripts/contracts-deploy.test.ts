import { encodeFunctionData } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionCollector } from '../../generated/contracts.ts';
import { collectorAddress } from '../../src/chains/evm/collector-deploy.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { send, walletOf } from '../support/evm.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';
import { runScript } from '../support/run-script.ts';

/** Anvil's second account, which pays for gas. */
const GAS_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const TREASURY = '0x000000000000000000000000000000000000dEaD';
const OWNER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const FIRST_OPERATOR = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
let node: Anvil;
let world: PaymentWorld;

beforeAll(async () => {
  node = await startAnvil();
  world = await createPaymentWorld();
}, 60_000);
afterAll(async () => {
  await world.close();
  await node.stop();
});

const run = (script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runScript(script, args, { DATABASE_URL: world.database.url, EVM_RPC_URL: node.url, ...env });

test("anyone with gas can deploy a treasury's factory, once, and its address is known beforehand", async () => {
  const dryRun = await run('contracts-deploy.ts', [TREASURY]);
  expect(dryRun.out).toContain('would be 0x5C23Da98b1d07A0840Be75992b6F2DfbFBe33dbe on chain 31337');
  const deployed = await run('contracts-deploy.ts', [TREASURY], { DEPLOY_KEY: GAS_KEY });
  expect(deployed.out).toMatch(/^Deployed by transaction 0x[0-9a-f]{64}\.\nThe factory of .* is 0x5C23Da98b/);
  expect((await run('contracts-deploy.ts', [TREASURY], { DEPLOY_KEY: GAS_KEY })).out).toContain('It stands already.');
}, 60_000);

test('the collector is deployed with its owner and operator, and a proposed operator accepts by the same script', async () => {
  const gas = privateKeyToAddress(GAS_KEY);
  const args = [TREASURY, OWNER, FIRST_OPERATOR];
  const collector = collectorAddress({ treasury: TREASURY, owner: OWNER, operator: FIRST_OPERATOR });
  expect((await run('contracts-deploy.ts', args)).out).toContain(`would be ${collector} on chain 31337`);
  const deployed = await run('contracts-deploy.ts', args, { DEPLOY_KEY: GAS_KEY });
  expect(deployed).toMatchObject({ code: 0, err: '' });
  expect(deployed.out).toContain(`is ${collector} on chain 31337; put it into KASI_NETWORKS.`);
  const { abi } = subscriptionCollector;
  const data = encodeFunctionData({ abi, functionName: 'proposeOperator', args: [gas] });
  await send(walletOf(node, OWNER), { to: collector, data });
  expect((await run('contracts-deploy.ts', args)).out).toContain(`${gas} is proposed as its operator; run this with`);
  const taken = await run('contracts-deploy.ts', args, { DEPLOY_KEY: GAS_KEY });
  expect(taken.out).toContain(`${gas} is its operator now, no longer ${FIRST_OPERATOR}.`);
}, 60_000);

test.each([
  [['0x12'], {}, 'Usage:'],
  [[TREASURY, OWNER], {}, 'Usage:'],
  [[TREASURY, OWNER, OWNER], {}, 'Owner and operator must be two accounts.'],
  [[TREASURY], { OPERATOR_KEY: GAS_KEY }, 'OPERATOR_KEY no longer deploys'],
])('%j with %j says what is wrong and fails', async (args, env, message) => {
  const { code, err } = await run('contracts-deploy.ts', args, env);
  expect(code).toBe(1);
  expect(err).toContain(message);
});
