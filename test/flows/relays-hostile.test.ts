import { type Address, createWalletClient, encodeFunctionData, http } from 'viem';
import { foundry } from 'viem/chains';
import { expect } from 'vitest';
import { createAccountSender } from '../../src/chains/evm/account-sender.ts';
import { openReader, waitForReceipt } from '../../src/chains/evm/client.ts';
import { deterministicAddress } from '../../src/chains/evm/deploy.ts';
import { ensureDeployed } from '../../src/chains/evm/test-contracts.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { openPayer, STRANGER } from '../support/permit2.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';
import { compileTestContracts } from '../support/solidity.ts';

const { AskingToken, Turncoat } = compileTestContracts('AskingToken.sol');
const TOKEN = deterministicAddress(AskingToken!.bytecode);

/** A network whose USDC asks the code of holders that have some, as Circle's does. */
const test = sandboxTest({
  network: (network) => ({
    ...network,
    tokens: network.tokens.map(({ permit2: _, permit: __, ...token }) =>
      token.symbol === 'USDC'
        ? { ...token, contract: TOKEN.toLowerCase(), authorization: { name: 'Asking Coin', version: '2' } }
        : token,
    ),
  }),
});

/** A wallet with such a USDC, and a payment. */
async function open(sandbox: SandboxService, trader: Trader) {
  const { rpcUrl, chainId } = sandbox.network;
  const [client, sender] = [openReader(rpcUrl), createAccountSender(openReader(rpcUrl), STRANGER, chainId)];
  for (const { bytecode } of [AskingToken!, Turncoat!]) await ensureDeployed(client, sender, bytecode);
  const mint = (to: Address, units: bigint) => {
    const data = encodeFunctionData({ abi: AskingToken!.abi, functionName: 'mint', args: [to, units] });
    return sender.send({ to: TOKEN, data, gas: 120_000n });
  };
  return openPayer(sandbox, trader, { token: 'USDC', method: 'erc3009' }, mint);
}

type Payer = Awaited<ReturnType<typeof open>>;

/** Gives a wallet code (EIP-7702), at the cost of whoever likes to. */
async function delegate({ network }: SandboxService, { account }: Payer, contractAddress: Address): Promise<void> {
  const authorization = await account.signAuthorization({ contractAddress, chainId: network.chainId, nonce: 0 });
  const wallet = createWalletClient({ account: STRANGER, chain: foundry, transport: http(network.rpcUrl) });
  const terms = { to: STRANGER.address, authorizationList: [authorization], gas: 100_000n };
  await waitForReceipt(openReader(network.rpcUrl), await wallet.sendTransaction(terms));
}

test('a wallet whose code says yes to a trial and burns all gas on the chain costs us nothing', async ({
  sandbox,
  trader,
}) => {
  const payer = await open(sandbox, trader);
  const signed = await payer.sign();
  await delegate(sandbox, payer, deterministicAddress(Turncoat!.bytecode));
  await expect(payer.read(), 'nobody has to sign to hear it').rejects.toMatchObject({ status: 409 });
  await payer.submit(signed);
  await expect.poll(async () => (await payer.read()).status).not.toMatch(/^(signed|sent)$/);
  expect(await payer.read()).toMatchObject({ status: 'refused', reason: 'wallet', transactionHash: null });
  await payer.isUntouched();
});

test('of a wallet without code such a token takes the signature of its key', async ({ sandbox, trader }) => {
  const payer = await open(sandbox, trader);
  await payer.submit(await payer.sign());
  await payer.becomes('done');
  await payer.paid();
});
