import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeFunctionData } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { subscriptionCollector } from '../../generated/contracts.ts';
import { collectorAddress } from '../../src/chains/evm/collector-deploy.ts';
import { factoryAddress } from '../../src/chains/evm/deploy.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { send, walletOf } from '../support/evm.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';
import { makeTestFolder } from '../support/run-folder.ts';
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
});
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
});

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
});

test.each([
  [['0x12'], {}, 2, 'Usage:'],
  [[TREASURY, OWNER], {}, 2, 'Usage:'],
  [[TREASURY, OWNER, OWNER], {}, 1, 'Owner and operator must be two accounts.'],
  [[TREASURY], { OPERATOR_KEY: GAS_KEY }, 1, 'OPERATOR_KEY no longer deploys'],
])('%j with %j says what is wrong and fails', async (args, env, expected, message) => {
  const { code, err } = await run('contracts-deploy.ts', args, env);
  expect(code).toBe(expected);
  expect(err).toContain(message);
});

describe('contracts:verify', () => {
  const roles = { owner: OWNER, operator: FIRST_OPERATOR } as const;
  const collector = collectorAddress({ treasury: TREASURY, ...roles });
  const entry = {
    ...{ name: 'local', chainId: 31337, confirmations: 1, factory: factoryAddress(TREASURY), treasury: TREASURY },
    ...{ collector, collectorRoles: roles, tokens: [{ symbol: 'USDT', contract: TREASURY, decimals: 6 }] },
  };
  const verifyIn = (caller: string, change: object = {}, ...args: string[]) => {
    const file = join(makeTestFolder(inject('runFolder')), 'networks.json');
    writeFileSync(file, JSON.stringify({ networks: [{ ...entry, rpcUrl: node.url, ...change }], rates: [] }));
    return runScript('contracts-verify.ts', ['local', ...args], {
      DATABASE_URL: world.database.url,
      ...{ KASI_NETWORKS: file, INIT_CWD: caller },
    });
  };
  const verify = (change: object = {}, ...args: string[]) => verifyIn('.', change, ...args);

  beforeAll(async () => {
    await run('contracts-deploy.ts', [TREASURY, OWNER, FIRST_OPERATOR], { DEPLOY_KEY: GAS_KEY });
  });

  test('finds what contracts:deploy has deployed to be ours, and writes what explorers ask for', async () => {
    const folder = makeTestFolder(inject('runFolder'));
    const { code, out, err } = await verify({}, folder);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`ok       DepositFactory ${entry.factory} is ours`);
    expect(out).toContain(`ok       SubscriptionCollector ${collector} is ours`);
    expect(out).toContain('contract SubscriptionCollector.sol:SubscriptionCollector, compiler v0.8.37+commit.f401782d');
    const words = [TREASURY, OWNER, FIRST_OPERATOR].map((address) => address.slice(2).toLowerCase().padStart(64, '0'));
    expect(out).toContain(`constructor arguments ${words.join('')}`);
    const input = JSON.parse(readFileSync(join(folder, 'SubscriptionCollector.standard.json'), 'utf8'));
    expect(input).toMatchObject({ language: 'Solidity', settings: { evmVersion: 'cancun', viaIR: true } });
    expect(Object.keys(input.sources)).toContain('@openzeppelin/contracts/access/Ownable2Step.sol');
  });

  test('means a folder as seen from where it was called, and refuses one that takes no files in one line', async () => {
    const caller = makeTestFolder(inject('runFolder'));
    expect(await verifyIn(caller, {}, 'papers')).toMatchObject({ code: 0, err: '' });
    expect(existsSync(join(caller, 'papers/DepositFactory.standard.json'))).toBe(true);
    writeFileSync(join(caller, 'file'), '');
    for (const folder of ['file', 'file/papers', '/proc/papers']) {
      const { code, err } = await verifyIn(caller, {}, folder);
      expect(err).toMatch(/^A file or folder can not be used: E[A-Z]+: [^\n]*(file|papers)'\. Name one that [^\n]*\n$/);
      expect(code).toBe(1);
    }
  });

  test('says what differs: the treasury, the first roles, one byte of the code, or nothing at all there', async () => {
    const other = await verify({ treasury: OWNER, collector: undefined, collectorRoles: undefined });
    expect(other.code).toBe(1);
    expect(other.out).toMatch(/its immutable TREASURY is 0x0+dead, not 0x0+90f79bf6eb2c4f870365e785982e1f101e93b906/);
    expect(other.out).toContain('with these constructor arguments it would stand at');
    expect((await verify({ collectorRoles: { owner: FIRST_OPERATOR, operator: OWNER } })).out).toMatch(
      /problem {2}SubscriptionCollector .*:\n +with these constructor arguments/,
    );
    const code = (await node.rpc('eth_getCode', [collector, 'latest'])) as string;
    await node.rpc('anvil_setCode', [collector, `${code.slice(0, -2)}fe`]);
    expect((await verify()).out).toMatch(/problem {2}SubscriptionCollector .*:\n +its code is not the compiled one\n/);
    await node.rpc('anvil_setCode', [collector, `${code}00`]);
    expect((await verify()).out).toMatch(/its code has \d+ bytes, the compiled one \d+/);
    await node.rpc('anvil_setCode', [collector, code]);
    expect((await verify({ factory: OWNER, collector: undefined, collectorRoles: undefined })).out).toContain(
      `nothing stands at ${OWNER} on chain 31337`,
    );
  });

  test.each([
    [{ chainId: 5 }, 'The node serves chain 31337, not 5'],
    [{ name: 'other' }, 'KASI_NETWORKS has no network local; it has: other.'],
  ])('with %j says what to mend', async (change, message) => {
    expect(await verify(change)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
  });
});
