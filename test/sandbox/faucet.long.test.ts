import { getAddress, type Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkNetworkContracts } from '../../src/chains/evm/check-network.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet } from '../../src/chains/evm/faucet.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { prepareSandboxNetwork, sandboxOperatorKey } from '../../src/sandbox/network.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { runAndDie } from '../support/orphans.ts';

const project = new URL('../..', import.meta.url).pathname;
const TREASURY = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';
const PAYER_1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let node: Anvil;
let network: EvmNetwork;

beforeAll(async () => {
  node = await startAnvil();
  network = await prepareSandboxNetwork({ rpcUrl: node.url });
});

afterAll(() => node.stop());

let payees = 0;
const newPayee = (): string => {
  payees += 1;
  return `0x${payees.toString(16).padStart(40, 'e')}`;
};

async function balanceOf(holder: string, token: string, at: Anvil = node): Promise<bigint> {
  const data = `0x70a08231${holder.slice(2).toLowerCase().padStart(64, '0')}`;
  return BigInt(await at.rpc<string>('eth_call', [{ to: token, data }, 'latest']));
}

const blockOf = async (at: Anvil = node) => Number(await at.rpc('eth_blockNumber'));

test('preparing twice changes nothing, and gives the same addresses on another chain', async () => {
  const before = await blockOf();
  expect(await prepareSandboxNetwork({ rpcUrl: node.url })).toEqual(network);
  expect(await blockOf()).toBe(before);
  const other = await startAnvil({ timestamp: 1_700_000_000 });
  try {
    expect(await prepareSandboxNetwork({ rpcUrl: other.url })).toEqual({ ...network, rpcUrl: other.url });
  } finally {
    await other.stop();
  }
});

test('a chain of an older version, without collector and operator funds, gets both', async () => {
  const other = await startAnvil();
  try {
    await prepareSandboxNetwork({ rpcUrl: other.url });
    await other.rpc('anvil_setCode', [network.collector, '0x']);
    await other.rpc('anvil_setNonce', [network.collector, '0x0']);
    const operator = privateKeyToAddress(sandboxOperatorKey() as Hex);
    await other.rpc('anvil_setBalance', [operator, '0x0']);
    expect(await prepareSandboxNetwork({ rpcUrl: other.url })).toEqual({ ...network, rpcUrl: other.url });
    expect(BigInt(await other.rpc<string>('eth_getBalance', [operator, 'latest']))).toBe(100n * 10n ** 18n);
    expect(await checkNetworkContracts({ ...network, rpcUrl: other.url }, sandboxOperatorKey())).toBeUndefined();
  } finally {
    await other.stop();
  }
});

test('the treasury is the tenth account of the well-known phrase, and the payers hold both tokens', async () => {
  expect(getAddress(network.treasury)).toBe(TREASURY);
  for (const { contract } of network.tokens) expect(await balanceOf(PAYER_1, contract)).toBe(10n ** 15n);
});

test('several processes that prepare one chain concurrently agree', async () => {
  const other = await startAnvil();
  try {
    const prepared = await Promise.all(Array.from({ length: 4 }, () => prepareSandboxNetwork({ rpcUrl: other.url })));
    for (const one of prepared) expect(one).toEqual({ ...network, rpcUrl: other.url });
    for (const { contract } of network.tokens) {
      expect(await balanceOf(PAYER_1, contract, other)).toBeGreaterThanOrEqual(10n ** 15n);
    }
  } finally {
    await other.stop();
  }
});

test('a preparation killed at any moment is finished by the next start', async () => {
  const other = await startAnvil();
  try {
    for (const afterMs of [0, 60, 120, 200]) {
      await runAndDie(`
        const { prepareSandboxNetwork } = await import('${project}/src/sandbox/network.ts');
        setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${afterMs});
        await prepareSandboxNetwork({ rpcUrl: '${other.url}' });`);
    }
    expect(await prepareSandboxNetwork({ rpcUrl: other.url })).toEqual({ ...network, rpcUrl: other.url });
    for (const { contract } of network.tokens) {
      expect(await balanceOf(PAYER_1, contract, other)).toBeGreaterThanOrEqual(10n ** 15n);
    }
  } finally {
    await other.stop();
  }
});

test('a node of another chain is refused with a remedy', async () => {
  const other = await startAnvil({ chainId: 1 });
  try {
    await expect(prepareSandboxNetwork({ rpcUrl: other.url })).rejects.toThrow(
      /EVM_RPC_URL leads to chain 1; the sandbox needs a development chain with id 31337/,
    );
  } finally {
    await other.stop();
  }
});

test('200 concurrent transfers all arrive, each once', async () => {
  const [token, to] = [network.tokens[0]!, newPayee()];
  const faucet = createFaucet(network, MNEMONIC);
  const receipts = await Promise.all(Array.from({ length: 200 }, () => faucet.transfer({ token, to, units: 7n })));
  expect(new Set(receipts.map(({ txHash }) => txHash)).size).toBe(200);
  expect(await balanceOf(to, token.contract)).toBe(1_400n);
  const { txHash, blockNumber, from } = receipts[0]!;
  const mined = await node.rpc<{ blockNumber: string; from: string }>('eth_getTransactionReceipt', [txHash]);
  expect(mined).toMatchObject({ blockNumber: `0x${blockNumber.toString(16)}`, from: from.toLowerCase() });
});

test('faucets of other processes with the same wallets do not interfere', async () => {
  const [token, to] = [network.tokens[1]!, newPayee()];
  const faucets = Array.from({ length: 3 }, () => createFaucet(network, MNEMONIC));
  const transfers = faucets.flatMap((faucet) =>
    Array.from({ length: 20 }, () => faucet.transfer({ token, to, units: 5n, patient: true })),
  );
  await Promise.all(transfers);
  expect(await balanceOf(to, token.contract)).toBe(300n);
});

test('a payer with too small a balance is topped up', async () => {
  const [token, to] = [network.tokens[0]!, newPayee()];
  const units = 10n ** 16n;
  const faucet = createFaucet(network, MNEMONIC);
  await Promise.all(Array.from({ length: 3 }, () => faucet.transfer({ token, to, units, patient: true })));
  expect(await balanceOf(to, token.contract)).toBe(3n * units);
});

test('a transfer dropped by a reorg is sent again', async () => {
  const [token, to] = [network.tokens[0]!, newPayee()];
  const faucet = createFaucet(network, MNEMONIC);
  await node.rpc('evm_setAutomine', [false]);
  const transfer = faucet.transfer({ token, to, units: 9n });
  await expect.poll(() => node.rpc<{ pending: string }>('txpool_status')).toMatchObject({ pending: '0x1' });
  await node.rpc('anvil_dropAllTransactions');
  await node.rpc('evm_setAutomine', [true]);
  await transfer;
  expect(await balanceOf(to, token.contract)).toBe(9n);
});

test('a transfer that cannot succeed is an error, and the next one arrives', async () => {
  const [token, to] = [network.tokens[0]!, newPayee()];
  const faucet = createFaucet(network, MNEMONIC);
  const noContract = { ...token, contract: newPayee() };
  await expect(faucet.transfer({ token: noContract, to, units: 1n, patient: true })).rejects.toThrow();
  await faucet.transfer({ token, to, units: 2n, patient: true });
  expect(await balanceOf(to, token.contract)).toBe(2n);
});

test('a new wallet holds what is reported, and has its own key', async () => {
  const wallet = await createFaucet(network, MNEMONIC).createWallet();
  expect(privateKeyToAddress(wallet.privateKey as `0x${string}`)).toBe(wallet.address);
  expect(wallet.tokens.map(({ token }) => token.symbol)).toEqual(['USDT', 'USDC']);
  for (const { token, units } of wallet.tokens) {
    expect(units).toBe(10_000_000_000n);
    expect(await balanceOf(wallet.address, token.contract)).toBe(units);
  }
  expect(BigInt(await node.rpc<string>('eth_getBalance', [wallet.address, 'latest']))).toBe(wallet.wei);
});
