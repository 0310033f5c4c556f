import { type Address, createWalletClient, encodeFunctionData, type Hex, http } from 'viem';
import { readContract } from 'viem/actions';
import { foundry } from 'viem/chains';
import { expect } from 'vitest';
import { createAccountSender } from '../../src/chains/evm/account-sender.ts';
import { openReader } from '../../src/chains/evm/client.ts';
import { deterministicAddress } from '../../src/chains/evm/deploy.ts';
import { TRANSFER_PROXY } from '../../src/chains/evm/permit2-deployment.ts';
import { ensureDeployed } from '../../src/chains/evm/test-contracts.ts';
import { HABITS, type Habit, HostileToken } from '../chains/hostile-fixture.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import {
  callsOf,
  gasOf,
  openPayer,
  type Payer,
  PRICE,
  STRANGER,
  untilInPool,
  withoutBlocks,
} from '../support/permit2.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';

const TOKEN = deterministicAddress(HostileToken.bytecode);
/** The most that we pay for one, whatever a token does. */
const GAS_MAX = 180_000;

/** Makes code of one byte, INVALID, which burns whatever it is given. */
const BURNER: Hex = '0x60fe60005360016000f3';

/** A network whose USDT is a token of habits; each test has wallets of its own. */
const test = sandboxTest({
  network: (network) => ({
    ...network,
    tokens: network.tokens.map((token) =>
      token.symbol === 'USDT' ? { ...token, contract: TOKEN.toLowerCase() } : token,
    ),
  }),
});

const call = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: HostileToken.abi, functionName, args });

function senderOf({ network }: SandboxService) {
  const client = openReader(network.rpcUrl);
  return { client, sender: createAccountSender(client, STRANGER, network.chainId) };
}

const tell = (sandbox: SandboxService, data: Hex) => senderOf(sandbox).sender.send({ to: TOKEN, data, gas: 400_000n });

/** A wallet whose tokens behave like this, which has approved Permit2. */
async function openHabit(sandbox: SandboxService, trader: Trader, habit: Habit): Promise<Payer> {
  const { client, sender } = senderOf(sandbox);
  await ensureDeployed(client, sender, HostileToken.bytecode);
  const mint = (to: Address, units: bigint) => tell(sandbox, call('mint', [to, units, HABITS.indexOf(habit)]));
  const payer = await openPayer(sandbox, trader, { token: 'USDT' }, mint);
  await payer.approve();
  return payer;
}

test.for(['ReturnsFalse', 'ReturnsTwo', 'ReturnsOneByte', 'Blocked', 'EatsGas', 'RevertsWithMegabyte'] as const)(
  'a token that does this is not sent: %s',
  async (habit, { sandbox, trader }) => {
    const payer = await openHabit(sandbox, trader, habit);
    await payer.submit(await payer.sign());
    await payer.becomes('refused');
    expect(await payer.read()).toMatchObject({ reason: 'token', transactionHash: null });
    await payer.isUntouched();
  },
);

test('of a token that takes a fee what arrived counts, and the payment still asks for the rest', async ({
  sandbox,
  trader,
}) => {
  const { client } = trader;
  await client.merchants.update(trader.id, { paymentToleranceBps: 0 });
  const payer = await openHabit(sandbox, trader, 'TakesFee');
  await client.merchants.update(trader.id, { paymentToleranceBps: null });
  const signed = await payer.sign();
  await payer.submit(signed);
  await payer.becomes('done');
  await sandbox.node.rpc('evm_mine', []);
  await expect.poll(async () => (await payer.seen()).amountDue).toBe(0.03);
  expect(await payer.seen()).toMatchObject({ status: 'pending', amountReceived: 24.97 });
  expect(await payer.holds(payer.payment.cryptoAddress)).toBe(PRICE - PRICE / 1000n);
});

test('a token that says yes and moves nothing costs us one transaction, and pays nothing', async ({
  sandbox,
  trader,
}) => {
  const payer = await openHabit(sandbox, trader, 'Standard');
  const signed = await payer.sign();
  const code = await sandbox.node.rpc<string>('eth_getCode', [TOKEN, 'latest']);
  // Answers 1 to every question.
  await sandbox.node.rpc('anvil_setCode', [TOKEN, '0x60015f5260205ff3']);
  try {
    await payer.submit(signed);
    await payer.becomes('done');
  } finally {
    await sandbox.node.rpc('anvil_setCode', [TOKEN, code]);
  }
  expect(await payer.submit(signed)).toMatchObject({ status: 'done' });
  expect(await payer.seen()).toMatchObject({ status: 'initiated', amountReceived: 0, transactions: [] });
  await payer.isUntouched();
});

test('a token that turns between trial and block costs no more than the limit, once', async ({ sandbox, trader }) => {
  const payer = await openHabit(sandbox, trader, 'Standard');
  const signed = await payer.sign();
  await withoutBlocks(sandbox, async () => {
    await payer.submit(signed);
    await payer.becomes('sent');
    await untilInPool(sandbox);
    const code = await sandbox.node.rpc<string>('eth_getCode', [TOKEN, 'latest']);
    await sandbox.node.rpc('anvil_setCode', [TOKEN, '0x5b5f56']); // A loop without an end.
    await sandbox.node.rpc('evm_mine', []);
    await sandbox.node.rpc('anvil_setCode', [TOKEN, code]);
  });
  await payer.becomes('reverted');
  expect(await gasOf(sandbox, await payer.read())).toBeLessThanOrEqual(GAS_MAX);
  await expect(payer.submit(signed)).rejects.toMatchObject({ status: 409 });
  await payer.isUntouched();
});

test('a token that calls back in the middle of a transfer gets nothing by it', async ({ sandbox, trader }) => {
  const payer = await openHabit(sandbox, trader, 'ReentersQuietly');
  await payer.fill(PRICE);
  const [shown, signed] = [await payer.read(), await payer.sign()];
  await tell(sandbox, call('setReentry', [TRANSFER_PROXY, callsOf(payer, shown, signed).settle().data]));
  await payer.submit(signed);
  await payer.paid();
  expect([await payer.holds(), await payer.holds(payer.payment.cryptoAddress)]).toEqual([PRICE, PRICE]);
  const reentered = readContract(openReader(sandbox.network.rpcUrl), {
    ...{ address: TOKEN, abi: HostileToken.abi, functionName: 'reentered' },
  });
  expect(await reentered).toBe(false);
});

test('one delegation to code that burns all gas makes one transfer of a wallet fail, and not all', async ({
  sandbox,
  trader,
}) => {
  const payer = await openPayer(sandbox, trader, { token: 'USDC', method: 'permit2' });
  const { client, sender } = senderOf(sandbox);
  await ensureDeployed(client, sender, BURNER);
  const ids = [payer.payment.id, (await payer.open()).id, (await payer.open()).id];
  await withoutBlocks(sandbox, async () => {
    for (const id of ids) await payer.submit(await payer.sign(id), id);
    await payer.becomes('sent');
    const delegation = await payer.account.signAuthorization({
      ...{ contractAddress: deterministicAddress(BURNER), chainId: sandbox.network.chainId, nonce: 0 },
    });
    await createWalletClient({
      account: STRANGER,
      chain: foundry,
      transport: http(sandbox.network.rpcUrl),
    }).sendTransaction({
      ...{ to: STRANGER.address, authorizationList: [delegation], gas: 100_000n },
      ...{ maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 80_000_000_000n },
    });
  });
  await payer.becomes('reverted');
  expect(await gasOf(sandbox, await payer.read())).toBeLessThan(260_000);
  const { db } = sandbox.service().platform;
  const others = () => db.selectFrom('relays').selectAll().where('payment_id', 'in', ids.slice(1)).execute();
  const refused = { status: 'refused', reason: 'wallet', sent_by: null };
  await expect.poll(others).toMatchObject([refused, refused]);
});
