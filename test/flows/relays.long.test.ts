import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  type LocalAccount,
  parseAbi,
  parseSignature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { readContract } from 'viem/actions';
import { foundry } from 'viem/chains';
import { expect } from 'vitest';
import { openReader } from '../../src/chains/evm/client.ts';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { readMetrics } from '../harness.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { until } from '../subscriptions/renewal-fixture.ts';
import { gasOf, withoutBlocks } from '../support/permit2.ts';
import { authorizationFor, relayChoice, type SignedTransferView, signTransfer } from '../support/relays.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';

const ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transfer(address to, uint256 amount)',
  'function balanceOf(address account) view returns (uint256)',
]);
const PRICE = 25_000_000n;
const STRANGER = deriveAccounts(MNEMONIC)(7);
/** Gas that a relay takes at most, and that one takes which fails because somebody was faster. */
const GAS = { relayed: 90_000, failed: 60_000 };

const test = sandboxTest().extend('payer', async ({ sandbox, trader }) => openPayer(sandbox, trader));

/** A wallet with USDC and no coin at all, and a payment of 25 dollars. */
async function openPayer(sandbox: SandboxService, { client, reaches }: Trader) {
  const account = privateKeyToAccount(generatePrivateKey());
  const usdc = sandbox.network.tokens.find(({ symbol }) => symbol === 'USDC')!;
  const contract = usdc.contract as Address;
  const fill = (units: bigint) => sandbox.faucet.transfer({ token: usdc, to: account.address, units });
  await fill(PRICE);
  const payment = await client.payments.create({ amount: 25, currency: 'USD' });
  const { payments } = sandbox.client().public;
  const read = () => payments.signedTransfer(payment.id, relayChoice(account.address));
  return {
    ...{ account, payment, contract, fill, read },
    sign: () => authorizationFor(sandbox.client(), payment.id, account),
    submit: (signed: Awaited<ReturnType<typeof authorizationFor>>) => payments.authorize(payment.id, signed),
    becomes: (status: SignedTransferView['status']) => until(async () => (await read()).status === status),
    paid: () => reaches(payment.id, 'paid'),
    seen: () => client.payments.get(payment.id),
    holds: (of: string = account.address) =>
      readContract(openReader(sandbox.network.rpcUrl), {
        ...{ address: contract, abi: ABI, functionName: 'balanceOf', args: [of as Address] },
      }),
  };
}

type Payer = Awaited<ReturnType<typeof openPayer>>;

/** The call that brings a signature to the chain, by whoever likes to. */
function callOf({ message }: { message: Record<string, string> }, signature: Hex): Hex {
  const { r, s, v } = parseSignature(signature);
  const { from, to, value, validAfter, validBefore, nonce } = message;
  const terms = [from as Address, to as Address, BigInt(value!), BigInt(validAfter!), BigInt(validBefore!)] as const;
  const args = [...terms, nonce as Hex, Number(v), r, s] as const;
  return encodeFunctionData({ abi: ABI, functionName: 'transferWithAuthorization', args });
}

/** Sends a call of the token as `by`, before everything else that waits. */
const send = (sandbox: SandboxService, by: LocalAccount, to: Address, data: Hex): Promise<Hex> =>
  createWalletClient({ account: by, chain: foundry, transport: http(sandbox.network.rpcUrl) }).sendTransaction({
    ...{ to, data, gas: 200_000n, maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 80_000_000_000n },
  });

/** What the metrics say that relays cost, in the network's coin. */
async function feesOf(sandbox: SandboxService): Promise<number> {
  const metrics = await readMetrics(sandbox.service());
  return Number(/kasi_operator_fees_day\{network="devnet",purpose="payment.relay"\} (\S+)/.exec(metrics)?.[1]);
}

const typedDataOf = async (payer: Payer) =>
  (await payer.read()).typedData as unknown as { message: Record<string, string> };

test('a payer without a coin pays all of it, once, for the gas that the platform pays', async ({ sandbox, payer }) => {
  const signed = await payer.sign();
  expect(await payer.submit(signed)).toMatchObject({ status: 'signed' });
  await payer.submit(signed);
  await payer.paid();
  await payer.becomes('done');
  const done = await payer.read();
  expect(await payer.seen()).toMatchObject({ exception: null, transactions: [{ hash: done.transactionHash }] });
  expect([await payer.holds(), await payer.holds(payer.payment.cryptoAddress)]).toEqual([0n, PRICE]);
  expect(await gasOf(sandbox, done)).toBeLessThan(GAS.relayed);
  expect(await feesOf(sandbox)).toBeGreaterThan(0);
  const balance = /kasi_account_balance_coins\{network="devnet",account="sweeper"\} (\S+)/;
  const held = async () => Number(balance.exec(await readMetrics(sandbox.service()))?.[1]);
  await expect.poll(held).toBeGreaterThan(0.01);
  await sandbox.node.rpc('evm_mine', []);
  await expect(payer.submit(signed)).resolves.toMatchObject({ status: 'done' });
});

test('one that was sent by somebody else pays the payment, and is not sent again', async ({ sandbox, payer }) => {
  const signed = await payer.sign();
  const data = callOf(await typedDataOf(payer), signed.signature);
  await withoutBlocks(sandbox, async () => {
    await payer.submit(signed);
    await payer.becomes('sent');
    await send(sandbox, STRANGER, payer.contract, data);
  });
  await payer.becomes('reverted');
  await payer.paid();
  expect(await payer.holds(payer.payment.cryptoAddress)).toBe(PRICE);
  expect(await payer.seen()).toMatchObject({ exception: null, transactions: [expect.anything()] });
  expect(await gasOf(sandbox, await payer.read())).toBeLessThan(GAS.failed);
});

test('a wallet that is emptied first costs one failing transaction, and no second one', async ({ sandbox, payer }) => {
  const signed = await payer.sign();
  await sandbox.node.rpc('anvil_setBalance', [payer.account.address, '0xde0b6b3a7640000']);
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [STRANGER.address, PRICE] });
  await withoutBlocks(sandbox, async () => {
    await payer.submit(signed);
    await payer.becomes('sent');
    await send(sandbox, payer.account, payer.contract, data);
  });
  await payer.becomes('reverted');
  expect(await gasOf(sandbox, await payer.read())).toBeLessThan(GAS.failed);
  await payer.fill(PRICE);
  await expect(payer.submit(signed)).rejects.toMatchObject({ status: 409 });
  expect(await payer.read()).toMatchObject({ status: 'reverted' });
  expect(await payer.holds()).toBe(PRICE);
});

test('too little money is not sent, and said; then the wallet signs again', async ({ sandbox, payer }) => {
  const signed = await payer.sign();
  await sandbox.node.rpc('anvil_setBalance', [payer.account.address, '0xde0b6b3a7640000']);
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [STRANGER.address, 1n] });
  await send(sandbox, payer.account, payer.contract, data);
  await payer.submit(signed);
  await payer.becomes('refused');
  expect(await payer.read()).toMatchObject({ reason: 'balance', transactionHash: null });
  await payer.fill(1n);
  await payer.submit(await payer.sign());
  await payer.paid();
});

test('what its owner has called off is not sent', async ({ sandbox, payer }) => {
  const signed = await payer.sign();
  const { domain, message } = (await payer.read()).typedData as never as {
    domain: Record<string, unknown>;
    message: { nonce: Hex };
  };
  const { nonce } = message;
  const off = await payer.account.signTypedData({
    domain,
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.account.address, nonce },
  });
  const { r, s, v } = parseSignature(off);
  const args = [payer.account.address, nonce, Number(v), r, s] as const;
  await send(
    sandbox,
    STRANGER,
    payer.contract,
    encodeFunctionData({ abi: ABI, functionName: 'cancelAuthorization', args }),
  );
  await payer.submit(signed);
  await payer.becomes('refused');
  expect(await payer.read()).toMatchObject({ reason: 'spent', transactionHash: null });
});

test('what was paid meanwhile is not paid again', async ({ sandbox, payer }) => {
  const signed = await payer.sign();
  await sandbox.transfer(payer.payment, 'USDC', PRICE);
  await payer.paid();
  await expect(payer.submit(signed)).rejects.toMatchObject({ status: 409 });
  expect(await payer.holds()).toBe(PRICE);
});

test('what was signed is good until the payment’s deadline, for us and on the chain', async ({ sandbox, payer }) => {
  const signed = await payer.sign();
  const data = callOf(await typedDataOf(payer), signed.signature);
  await sandbox.client().sandbox.clock.advance({ seconds: 3700 });
  await expect(payer.submit(signed)).rejects.toMatchObject({ status: 409 });
  const hash = await send(sandbox, STRANGER, payer.contract, data);
  // The node mines what it was sent a moment after it has answered.
  const receipt = () => sandbox.node.rpc('eth_getTransactionReceipt', [hash]);
  await expect.poll(receipt).toMatchObject({ status: '0x0' });
  expect([await payer.holds(), await payer.holds(payer.payment.cryptoAddress)]).toEqual([PRICE, 0n]);
});

test('a process that dies with a signature sends it once it is back', async ({ sandbox, payer }) => {
  const signed = await payer.sign();
  await withoutBlocks(sandbox, async () => {
    await payer.submit(signed);
    await payer.becomes('sent');
    await sandbox.stop();
    await sandbox.node.rpc('anvil_dropAllTransactions', []);
  });
  await sandbox.start();
  await payer.paid();
  expect([await payer.holds(), await payer.holds(payer.payment.cryptoAddress)]).toEqual([0n, PRICE]);
  await sandbox.node.rpc('evm_mine', []);
  await payer.becomes('done');
});

test('signing another address, or more, brings nothing to the chain', async ({ payer }) => {
  const shown = await payer.read();
  const { message, ...data } = shown.typedData as unknown as { message: Record<string, string> };
  for (const change of [{ to: STRANGER.address }, { value: String(PRICE * 2n) }]) {
    const signature = await signTransfer({ typedData: { ...data, message: { ...message, ...change } } }, payer.account);
    await expect(payer.submit({ ...relayChoice(payer.account.address), signature })).rejects.toMatchObject({
      status: 400,
    });
  }
  expect(await payer.read()).toMatchObject({ status: 'to_sign' });
});
