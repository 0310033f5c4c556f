import { encodeFunctionData, maxUint256 } from 'viem';
import { readContract } from 'viem/actions';
import { expect } from 'vitest';
import { openReader } from '../../src/chains/evm/client.ts';
import { PERMIT2, TRANSFER_PROXY } from '../../src/chains/evm/permit2-deployment.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { until } from '../subscriptions/renewal-fixture.ts';
import {
  CONTRACTS,
  callsOf,
  gasOf,
  messageOf,
  openPayer,
  type Payer,
  PRICE,
  STRANGER,
  send,
  sendPoor,
  setCoins,
  succeeded,
  TOKEN,
  tokenCall,
  withoutBlocks,
} from '../support/permit2.ts';
import type { SandboxService } from '../support/sandbox-service.ts';

/** Gas that a relay takes at most: one that goes through, and one that fails because somebody was faster. */
const GAS = { relayed: 100_000, overtaken: 60_000, withdrawn: 80_000 };
/** The same with an allowance. */
const PERMIT_GAS = { relayed: 135_000, overtaken: 70_000, withdrawn: 135_000 };

const test = sandboxTest()
  .extend('usdt', async ({ sandbox, trader }) => openPayer(sandbox, trader, { token: 'USDT' }))
  .extend('usdc', async ({ sandbox, trader }) => openPayer(sandbox, trader, { token: 'USDC', method: 'permit2' }));

test('USDT of a wallet that approved Permit2 once pays without a coin, once', async ({ sandbox, usdt }) => {
  await usdt.approve();
  const shown = await usdt.read();
  expect(shown).toMatchObject({ method: 'permit2', status: 'to_sign', permit: null });
  expect(messageOf(shown)).toMatchObject({
    permitted: { token: usdt.contract, amount: String(PRICE) },
    ...{
      spender: TRANSFER_PROXY.toLowerCase(),
      witness: { to: usdt.payment.cryptoAddress.toLowerCase(), validAfter: '0' },
    },
  });
  const signed = await usdt.sign();
  expect(await usdt.submit(signed)).toMatchObject({ status: 'signed', method: 'permit2' });
  await usdt.submit(signed);
  await usdt.paid();
  await usdt.becomes('done');
  const done = await usdt.read();
  expect(await usdt.seen()).toMatchObject({ exception: null, transactions: [{ hash: done.transactionHash }] });
  expect([await usdt.holds(), await usdt.holds(usdt.payment.cryptoAddress)]).toEqual([0n, PRICE]);
  expect(await gasOf(sandbox, done)).toBeLessThan(GAS.relayed);
  // The contracts in between keep nothing.
  expect([await usdt.holds(TRANSFER_PROXY), await usdt.holds(PERMIT2)]).toEqual([0n, 0n]);
});

test('a wallet that never approved anything signs twice, and pays without a coin', async ({ sandbox, usdc }) => {
  expect((await usdc.read()).permit).toMatchObject({
    nonce: '0',
    typedData: { primaryType: 'Permit', message: { spender: PERMIT2.toLowerCase(), value: String(PRICE) } },
  });
  const signed = await usdc.sign();
  await usdc.submit(signed);
  await usdc.paid();
  await usdc.becomes('done');
  expect([await usdc.holds(), await usdc.holds(usdc.payment.cryptoAddress)]).toEqual([0n, PRICE]);
  expect(await gasOf(sandbox, await usdc.read())).toBeLessThan(PERMIT_GAS.relayed);
  const left = readContract(openReader(sandbox.network.rpcUrl), {
    ...{ address: usdc.contract, abi: TOKEN, functionName: 'allowance', args: [usdc.account.address, PERMIT2] },
  });
  expect(await left, 'nothing is left of the allowance').toBe(0n);
});

test('the same token still asks for one signature where nobody says otherwise', async ({ sandbox, usdc }) => {
  const { payments } = sandbox.client().public;
  const choice = { network: 'devnet', token: 'USDC', payer: usdc.account.address } as const;
  expect(await payments.signedTransfer(usdc.payment.id, choice)).toMatchObject({ method: 'erc3009', permit: null });
  // Whichever way it was signed, it is shown.
  await usdc.submit(await usdc.sign());
  expect(await payments.signedTransfer(usdc.payment.id, choice)).toMatchObject({ method: 'permit2' });
});

test('USDT of a wallet that approved nothing is told to approve, and is not sent', async ({ usdt }) => {
  expect(await usdt.read()).toMatchObject({ status: 'to_approve', permit: null });
  await usdt.submit(await usdt.sign());
  await usdt.becomes('refused');
  expect(await usdt.read()).toMatchObject({ reason: 'allowance', transactionHash: null });
  await usdt.approve();
  await usdt.submit(await usdt.sign());
  await usdt.paid();
});

test('an approval of less than the payment is none', async ({ usdt }) => {
  await usdt.approve(PRICE - 1n);
  expect(await usdt.read()).toMatchObject({ status: 'to_approve' });
});

test('a stranger who sends the very call first pays the payment, and nothing is paid twice', async ({
  sandbox,
  usdt,
}) => {
  await usdt.approve();
  await usdt.fill(PRICE);
  const [shown, signed] = [await usdt.read(), await usdt.sign()];
  const { address, data } = callsOf(usdt, shown, signed).settle();
  await withoutBlocks(sandbox, async () => {
    await usdt.submit(signed);
    await usdt.becomes('sent');
    await send(sandbox, STRANGER, address, data);
  });
  await usdt.becomes('reverted');
  await usdt.paid();
  expect([await usdt.holds(), await usdt.holds(usdt.payment.cryptoAddress)]).toEqual([PRICE, PRICE]);
  expect(await usdt.seen()).toMatchObject({ exception: null, transactions: [expect.anything()] });
  expect(await gasOf(sandbox, await usdt.read())).toBeLessThan(GAS.overtaken);
  // Neither does the same signature ever pay again.
  expect(await succeeded(sandbox, await send(sandbox, STRANGER, address, data))).toBe(false);
});

test('a stranger who sends the allowance first changes nothing', async ({ sandbox, usdc }) => {
  const [shown, signed] = [await usdc.read(), await usdc.sign()];
  const { permit } = callsOf(usdc, shown, signed);
  await withoutBlocks(sandbox, async () => {
    await usdc.submit(signed);
    await usdc.becomes('sent');
    await send(sandbox, STRANGER, permit().address, permit().data);
  });
  await usdc.paid();
  await usdc.becomes('done');
});

test('a stranger who sends both first pays the payment', async ({ sandbox, usdc }) => {
  const [shown, signed] = [await usdc.read(), await usdc.sign()];
  const { address, data } = callsOf(usdc, shown, signed).settleWithPermit();
  await withoutBlocks(sandbox, async () => {
    await usdc.submit(signed);
    await usdc.becomes('sent');
    await send(sandbox, STRANGER, address, data);
  });
  await usdc.becomes('reverted');
  await usdc.paid();
  expect(await gasOf(sandbox, await usdc.read())).toBeLessThan(PERMIT_GAS.overtaken);
});

test('nobody can bring what is signed anywhere else, or more of it, by any contract', async ({ sandbox, usdt }) => {
  await usdt.approve();
  await usdt.fill(PRICE);
  const [shown, signed] = [await usdt.read(), await usdt.sign()];
  const calls = callsOf(usdt, shown, signed);
  const usdc = sandbox.network.tokens.find(({ symbol }) => symbol === 'USDC')!.contract;
  const attacks = [
    calls.settle({}, { to: STRANGER.address }),
    calls.settle({}, { validAfter: 1n }),
    calls.settle({ permitted: { token: usdt.contract, amount: PRICE * 2n } }),
    calls.settle({ permitted: { token: usdt.contract, amount: 1n } }),
    calls.settle({ permitted: { token: usdc, amount: PRICE } }),
    calls.settle({ nonce: 1n }),
    calls.settle({ deadline: maxUint256 }),
    calls.transfer(),
    calls.witnessTransfer(),
  ];
  for (const { address, data } of attacks) {
    expect(await succeeded(sandbox, await send(sandbox, STRANGER, address, data))).toBe(false);
  }
  expect([await usdt.holds(), await usdt.holds(STRANGER.address)]).toEqual([PRICE * 2n, expect.any(BigInt)]);
  await usdt.submit(signed);
  await usdt.paid();
});

test('refuses other terms, other payments, other keys and stray allowances', async ({ usdt, usdc }) => {
  await usdt.approve();
  const shown = await usdt.read();
  const other = await usdt.open();
  const message = messageOf(shown);
  const altered = (change: object) =>
    usdt.account.signTypedData({ ...shown.typedData, message: { ...message, ...change } } as never);
  const good = await usdt.sign();
  const wrong = [
    await altered({ witness: { ...message.witness, to: STRANGER.address } }),
    await altered({ witness: { ...message.witness, validAfter: '1' } }),
    await altered({ permitted: { ...message.permitted, amount: String(PRICE * 2n) } }),
    await altered({ permitted: { ...message.permitted, token: usdc.contract } }),
    await altered({ spender: STRANGER.address }),
    await altered({ nonce: '7' }),
    await altered({ deadline: String(maxUint256) }),
    (await usdt.sign(other.id)).signature,
    await STRANGER.signTypedData(shown.typedData as never),
  ];
  for (const signature of wrong) {
    await expect(usdt.submit({ ...good, signature })).rejects.toMatchObject({
      ...{ status: 400, fields: [{ path: 'signature' }] },
    });
  }
  const both = await usdc.sign();
  const permits = [
    { nonce: '1', signature: both.permit!.signature },
    { nonce: '9'.repeat(78), signature: both.permit!.signature },
    { nonce: '0', signature: both.signature },
  ];
  for (const permit of permits) {
    await expect(usdc.submit({ ...both, permit })).rejects.toMatchObject({ status: 400, fields: [{ path: 'permit' }] });
  }
  await expect(usdt.submit({ ...good, permit: both.permit! })).rejects.toMatchObject({ fields: [{ path: 'permit' }] });
  expect((await usdt.read()).status).toBe('to_sign');
  await usdt.isUntouched();
});

test('an allowance that is missing is said, and the wallet signs again', async ({ usdc }) => {
  const { permit: _, ...one } = await usdc.sign();
  await usdc.submit(one);
  await usdc.becomes('refused');
  const refused = await usdc.read();
  expect(refused).toMatchObject({ reason: 'allowance', permit: { nonce: '0' } });
  await usdc.submit(await usdc.sign());
  await usdc.paid();
});

test('one number pays once, and what its owner has called off is not sent', async ({ sandbox, usdt }) => {
  await usdt.approve();
  const signed = await usdt.sign();
  const nonce = BigInt(messageOf(await usdt.read()).nonce);
  const data = encodeFunctionData({
    ...{ abi: CONTRACTS, functionName: 'invalidateUnorderedNonces', args: [nonce >> 8n, 1n << (nonce & 255n)] },
  });
  await sendPoor(sandbox, usdt.account, PERMIT2, data);
  await usdt.submit(signed);
  await usdt.becomes('refused');
  expect(await usdt.read()).toMatchObject({ reason: 'spent', transactionHash: null });
  await usdt.isUntouched();
});

test('an approval that is withdrawn between trial and block costs one failing transaction, and no second one', async ({
  sandbox,
  usdt,
}) => {
  await usdt.approve();
  const signed = await usdt.sign();
  await setCoins(sandbox, usdt.account, '0xde0b6b3a7640000');
  await withoutBlocks(sandbox, async () => {
    await usdt.submit(signed);
    await usdt.becomes('sent');
    await send(sandbox, usdt.account, usdt.contract, tokenCall('approve', [PERMIT2, 0n]));
  });
  await usdt.becomes('reverted');
  expect(await gasOf(sandbox, await usdt.read())).toBeLessThan(GAS.withdrawn);
  await expect(usdt.submit(signed)).rejects.toMatchObject({ status: 409 });
  await usdt.isUntouched();
});

test('a wallet that is emptied between trial and block, with an allowance, too', async ({ sandbox, usdc }) => {
  const signed = await usdc.sign();
  await setCoins(sandbox, usdc.account, '0xde0b6b3a7640000');
  await withoutBlocks(sandbox, async () => {
    await usdc.submit(signed);
    await usdc.becomes('sent');
    await send(sandbox, usdc.account, usdc.contract, tokenCall('transfer', [STRANGER.address, PRICE]));
  });
  await usdc.becomes('reverted');
  expect(await gasOf(sandbox, await usdc.read())).toBeLessThan(PERMIT_GAS.withdrawn);
});

test('too little money is not sent, and said', async ({ sandbox, usdt }) => {
  await usdt.approve();
  const signed = await usdt.sign();
  await sendPoor(sandbox, usdt.account, usdt.contract, tokenCall('transfer', [STRANGER.address, 1n]));
  await usdt.submit(signed);
  await usdt.becomes('refused');
  expect(await usdt.read()).toMatchObject({ reason: 'balance', transactionHash: null });
});

test('a wallet with code is not asked what it signs', async ({ sandbox, usdt }) => {
  await usdt.approve();
  const signed = await usdt.sign();
  // An account that has handed itself over to code, as EIP-7702 allows; whatever it is asked, it would answer anything.
  await sandbox.node.rpc('anvil_setCode', [usdt.account.address, `0xef0100${usdt.contract.slice(2)}`]);
  await expect(usdt.read()).rejects.toMatchObject({ status: 409, message: expect.stringContaining('contract') });
  await usdt.submit(signed);
  await until(async () => (await relayOf(sandbox, usdt))?.status === 'refused');
  expect(await relayOf(sandbox, usdt)).toMatchObject({ reason: 'wallet', sent_by: null });
  await usdt.isUntouched();
});

const relayOf = (sandbox: SandboxService, { payment }: Payer) =>
  sandbox
    .service()
    .platform.db.selectFrom('relays')
    .selectAll()
    .where('payment_id', '=', payment.id)
    .executeTakeFirst();

test('the database keeps what is on its way', async ({ sandbox, usdc }) => {
  await usdc.submit(await usdc.sign());
  await usdc.becomes('done');
  const row = sandbox.service().platform.db.updateTable('relays').where('payment_id', '=', usdc.payment.id);
  await expect(row.set({ method: 'erc3009', permit_signature: null, permit_deadline: null }).execute()).rejects.toThrow(
    'is on its way',
  );
  await expect(row.set({ permit_deadline: null }).execute()).rejects.toThrow();
});

test('what was signed is good until the payment’s deadline, for us and on the chain', async ({ sandbox, usdt }) => {
  await usdt.approve();
  const [shown, signed] = [await usdt.read(), await usdt.sign()];
  const { address, data } = callsOf(usdt, shown, signed).settle();
  await sandbox.client().sandbox.clock.advance({ seconds: 3700 });
  await expect(usdt.submit(signed)).rejects.toMatchObject({ status: 409 });
  expect(await succeeded(sandbox, await send(sandbox, STRANGER, address, data))).toBe(false);
  await usdt.isUntouched();
});
