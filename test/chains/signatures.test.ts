import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, hashMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEvmSignatures } from '../../src/chains/evm/signatures.ts';
import type { IsSigned } from '../../src/ports/chain.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deploy, tokenNetwork, type Wallet, walletOf } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { invoke } from './collector-fixture.ts';

const { SmartWallet, LuringWallet } = compileTestContracts('Wallets.sol');
const MESSAGE = 'I want my refund sent to this wallet.\n\nඔව්';
const NOWHERE = '0x00000000000000000000000000000000000000A1';

const networkOf = (at: Anvil) => tokenNetwork(at, { usdt: NOWHERE, usdc: NOWHERE }, NOWHERE, 50);

let node: Anvil;
let wallet: Wallet;
let isSigned: IsSigned;
beforeAll(async () => {
  node = await startAnvil();
  wallet = walletOf(node);
  isSigned = openEvmSignatures(networkOf(node));
});
afterAll(() => node.stop());

test('the key of an account signs for it, and for no other text or account', async () => {
  const [account, other] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
  const signature = await account.signMessage({ message: MESSAGE });
  const claim = { account: account.address, message: MESSAGE, signature };
  expect(await isSigned(claim)).toBe(true);
  expect(await isSigned({ ...claim, account: account.address.toLowerCase() })).toBe(true);
  // As some hardware wallets give it.
  const short = `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}`.toUpperCase().replace('0X', '0x');
  expect(await isSigned({ ...claim, signature: short })).toBe(true);
  expect(await isSigned({ ...claim, message: `${MESSAGE} ` })).toBe(false);
  expect(await isSigned({ ...claim, account: other.address })).toBe(false);
  expect(await isSigned({ ...claim, signature: '0x' })).toBe(false);
});

test('a contract wallet signs by its own rules (ERC-1271)', async () => {
  const account = await deploy(wallet, SmartWallet!);
  const claim = { account, message: MESSAGE, signature: '0xc0ffee' };
  expect(await isSigned(claim)).toBe(false);
  await invoke(wallet, account, 'agree', [hashMessage(MESSAGE), '0xc0ffee' satisfies Hex], SmartWallet!.abi);
  expect(await isSigned(claim)).toBe(true);
  expect(await isSigned({ ...claim, message: 'Something else' })).toBe(false);
});

test('a contract that sends its reader to a URL says no, and nothing is fetched', async () => {
  const visits: string[] = [];
  const server = createServer((request, answer) => {
    visits.push(request.url ?? '');
    answer.end(JSON.stringify({ data: '0x' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const account = await deploy(wallet, LuringWallet!);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/internal`;
    await invoke(wallet, account, 'lureTo', [url], LuringWallet!.abi);
    expect(await isSigned({ account, message: MESSAGE, signature: '0xc0ffee' })).toBe(false);
    expect(visits).toEqual([]);
  } finally {
    server.close();
  }
});

test('a node that does not answer is an error, no refusal', async () => {
  const silent = openEvmSignatures(networkOf({ ...node, url: 'http://127.0.0.1:1' }));
  await expect(silent({ account: NOWHERE, message: MESSAGE, signature: '0xc0ffee' })).rejects.toThrow();
});
