import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  encodeAuthorizeBySig,
  encodeRevoke,
  type Mandate,
  mandateDigest,
  mandateId,
} from '../../src/chains/evm/collector.ts';
import { readMandateState, verifyMandateSignature } from '../../src/chains/evm/collector-reader.ts';
import { normalizeSignature } from '../../src/chains/evm/signatures.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deploy, send, walletOf } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { type Collecting, invoke, openCollector, type Payer, UNIT, UNLIMITED } from './collector-fixture.ts';

const { SmartWallet } = compileTestContracts('Wallets.sol');
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
let node: Anvil;
let world: Collecting;
let payer: Payer;
let mandate: Mandate;

beforeAll(async () => {
  node = await startAnvil();
  world = await openCollector(node);
  payer = await world.payer();
  mandate = await world.mandate(payer);
});
afterAll(() => node.stop());

/** Whether the chain accepts a signature; our own check beforehand must agree. */
async function submit(agreement: Mandate, signature: Hex): Promise<boolean> {
  const foreseen = await verifyMandateSignature(world.wallet, world.place, agreement, signature);
  const snapshot = await node.rpc('evm_snapshot');
  const { status } = await send(world.wallet, {
    to: world.collector,
    data: encodeAuthorizeBySig(agreement, signature),
  });
  await node.rpc('evm_revert', [snapshot]);
  expect(foreseen, 'foreseen').toBe(status === 'success');
  return foreseen;
}

const stateOf = (agreement: Mandate) =>
  readMandateState(world.wallet, world.collector, agreement.payer, mandateId(agreement));

test.each<[string, (signature: Hex) => Hex, boolean]>([
  ['left unchanged', (signature) => signature, true],
  ['that is empty', () => '0x', false],
  ['that is cut short', (signature) => signature.slice(0, -2) as Hex, false],
  ['that is too long', (signature) => `${signature}00`, false],
  ['of zeros', () => `0x${'00'.repeat(65)}`, false],
  ['with a changed bit', (signature) => signature.replace(/.(?=.{30}$)/, (c) => (c === '0' ? '1' : '0')) as Hex, false],
  ['with high s', otherForm, false],
  ['with 0 or 1 at the end', shortRecovery, false],
  ['with 0 or 1 at the end, normalised', (signature) => normalizeSignature(shortRecovery(signature)), true],
])('a signature %s is judged by our check as by the chain', async (_, change, valid) => {
  const signature = await world.sign(payer, mandate);
  expect(normalizeSignature(signature)).toBe(signature);
  expect(await submit(mandate, change(signature))).toBe(valid);
});

test('a signature is valid for one mandate, one payer, one chain and one collector', async () => {
  const signature = await world.sign(payer, mandate);
  const other = await world.payer();
  expect(await submit({ ...mandate, maxPerPeriod: 11n * UNIT }, signature)).toBe(false);
  expect(await submit({ ...mandate, payer: other.address }, signature)).toBe(false);
  expect(await submit(mandate, await world.sign(other, mandate))).toBe(false);
  expect(await submit(mandate, await world.sign(payer, mandate, { ...world.place, chainId: 1 }))).toBe(false);
  expect(await submit(mandate, await world.sign(payer, mandate, { ...world.place, collector: world.usdc }))).toBe(
    false,
  );
});

test('a revoked mandate never returns by its old signature, whether that was used before or not', async () => {
  const [relayed, unrelayed] = [await world.mandate(payer), await world.mandate(payer)];
  for (const agreement of [relayed, unrelayed]) {
    const data = encodeAuthorizeBySig(agreement, await world.sign(payer, agreement));
    if (agreement === relayed) expect((await send(world.wallet, { to: world.collector, data })).status).toBe('success');
    await send(payer.wallet, { to: world.collector, data: encodeRevoke(mandateId(agreement)) });
    expect((await send(world.wallet, { to: world.collector, data })).status).toBe('reverted');
    expect((await world.authorize(payer, agreement)).status).toBe('reverted');
    expect((await stateOf(agreement)).status).toBe('revoked');
  }
});

test('a contract wallet authorises by its own rules, and any other return value is a refusal', async () => {
  const address = await deploy(world.wallet, SmartWallet!);
  const callWallet = (name: string, args: readonly unknown[]) =>
    invoke(world.wallet, address, name, args, SmartWallet!.abi);
  await invoke(world.wallet, world.usdc, 'mint', [address, 100n * UNIT]);
  await callWallet('run', [world.usdc, callOfApprove()]);
  const agreement = { ...mandate, payer: address };
  const signature = '0xc0ffee';
  expect(await submit(agreement, signature)).toBe(false);
  await callWallet('agree', [mandateDigest(world.place, agreement), signature]);
  expect(await submit(agreement, '0xbad0')).toBe(false);
  for (const answer of [1, 2, 3]) {
    await callWallet('setAnswer', [answer]);
    expect(await submit(agreement, signature), `answer ${answer}`).toBe(false);
  }
  await callWallet('setAnswer', [4]);
  expect(await submit(agreement, signature), 'a megabyte').toBe(false);
  await callWallet('setAnswer', [0]);
  expect(await submit(agreement, signature)).toBe(true);
  await send(world.wallet, { to: world.collector, data: encodeAuthorizeBySig(agreement, signature) });
  const charge = { mandate: agreement, amount: 3n * UNIT, number: 1 };
  expect((await world.collect(charge)).status).toBe('success');
});

test('a wallet delegated to code (EIP-7702) authorises by its key and by its code', async () => {
  const code = await deploy(world.wallet, SmartWallet!);
  const delegated = await world.payer();
  await node.rpc('anvil_setCode', [delegated.address, `0xef0100${code.slice(2)}`]);
  const agreement = await world.mandate(delegated);
  expect(await submit(agreement, await world.sign(delegated, agreement))).toBe(true);
  expect(await submit(agreement, '0xc0ffee')).toBe(false);
  const digest = mandateDigest(world.place, agreement);
  await invoke(world.wallet, delegated.address, 'agree', [digest, '0xc0ffee'], SmartWallet!.abi);
  expect(await submit(agreement, '0xc0ffee')).toBe(true);
  // With code that does not implement the check, only the key decides.
  await node.rpc('anvil_setCode', [delegated.address, `0xef0100${world.usdc.slice(2)}`]);
  expect(await submit(agreement, await world.sign(delegated, agreement))).toBe(true);
  expect(await submit(agreement, '0xc0ffee')).toBe(false);
});

test('an unreachable node yields an error, not a refusal', async () => {
  const nowhere = walletOf({ url: 'http://127.0.0.1:1' } as Anvil);
  expect(await verifyMandateSignature(nowhere, world.place, mandate, await world.sign(payer, mandate))).toBe(true);
  await expect(verifyMandateSignature(nowhere, world.place, mandate, '0xc0ffee')).rejects.toThrow('fetch failed');
});

const callOfApprove = (): Hex =>
  `0x095ea7b3${world.collector.slice(2).toLowerCase().padStart(64, '0')}${UNLIMITED.toString(16)}`;

/** The other valid signature of the same key over the same digest, which ecrecover accepts too. */
function otherForm(signature: Hex): Hex {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}` as Hex;
}

function shortRecovery(signature: Hex): Hex {
  return `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}` as Hex;
}
