import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem';
import { testUsdc, testUsdt } from '../../generated/contracts.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createPayoutCheck } from '../../src/chains/payout.ts';
import type { CheckPayout, PayoutClaim } from '../../src/ports/chain.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { chainsOf } from '../support/chains.ts';
import { deploy, send, tokenNetwork, type Wallet, walletOf } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';

/** Contains letters, so that address case matters. */
export const CUSTOMER = getAddress(`0x${'cafe'.repeat(10)}`);
export const TEN = 10_000_000n;

export type Step = { readonly to: Address; readonly data: Hex };
export type Desk = Awaited<ReturnType<typeof openDesk>>;

const { Puppet, Noise, HostileToken } = compileTestContracts('Puppet.sol', 'Noise.sol', 'HostileToken.sol');

/** A node with two listed tokens, an unlisted one named USDT, one with 18 decimals, and two contract wallets. */
export async function openDesk() {
  const node = await startAnvil();
  const wallet = walletOf(node);
  const usdt = await deploy(wallet, testUsdt);
  const usdc = await deploy(wallet, testUsdc);
  const namesake = await deploy(wallet, testUsdt);
  const fine = await deploy(wallet, HostileToken!);
  const noise = await deploy(wallet, Noise!);
  const [puppet, mirror] = [await deploy(wallet, Puppet!), await deploy(wallet, Puppet!)];
  const network = tokenNetwork(node, { usdt, usdc }, CUSTOMER, 200);
  const pay = async (step: Step, by: Wallet = wallet): Promise<Hex> => (await send(by, step)).transactionHash;
  for (const [token, holder] of [usdt, usdc, namesake].flatMap((each) =>
    [wallet.account.address, puppet].map((to) => [each, to] as const),
  )) {
    await pay({ to: token, data: tokenCall('mint', [holder, 1_000n * TEN]) });
  }
  return {
    ...{ node, wallet, usdt, usdc, namesake, fine, noise, puppet, mirror, network, pay },
    /** The same chain with the 18-decimal token as USDT. */
    fineNetwork: {
      ...network,
      tokens: [{ symbol: 'USDT', contract: fine.toLowerCase(), decimals: 18 }],
    } satisfies EvmNetwork,
    mine: (blocks: number) => node.rpc('anvil_mine', [blocks]),
    close: () => node.stop(),
  };
}

/** Checks payouts at the network's configured depth, or at `confirmations`. */
export const checkOn = (network: EvmNetwork, confirmations = network.confirmations, withinMs?: number): CheckPayout =>
  createPayoutCheck({ networks: [network], chains: chainsOf(), confirmationsOn: async () => confirmations }, withinMs);

/** Ten dollars in USDT to the customer, approved a minute ago, from any wallet. */
export const claimOf = (txHash: string, changes: Partial<PayoutClaim> = {}): PayoutClaim => ({
  network: 'devnet',
  txHash,
  token: 'USDT',
  destination: CUSTOMER,
  minMicro: TEN,
  notBefore: new Date(Date.now() - 60_000),
  senders: [],
  ...changes,
});

type TokenCall = 'mint' | 'transfer' | 'approve' | 'transferFrom';

export const tokenCall = (functionName: TokenCall, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: testUsdt.abi, functionName, args } as never);

export const transfer = (token: Address, to: Address, units: bigint): Step => ({
  to: token,
  data: tokenCall('transfer', [to, units]),
});

export const fineMint = (to: Address, units: bigint, habit = 0): Hex =>
  encodeFunctionData({ abi: HostileToken!.abi as never, functionName: 'mint', args: [to, units, habit] } as never);

export const noiseCall = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: Noise!.abi as never, functionName, args } as never);

/** One transaction in which a contract makes all of these calls. */
export const together = (puppet: Address, steps: readonly Step[]): Step => ({
  to: puppet,
  data: encodeFunctionData({ abi: Puppet!.abi as never, functionName: 'run', args: [steps] } as never),
});

/** A server in place of a node, for one test. */
export async function withServer<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/key-123`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Forwards calls to a node, except those that it answers itself: a provider that lags or lies. */
export function answering(node: Anvil, own: (method: string) => unknown): RequestListener {
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const result = own(method) ?? (await node.rpc(method, params));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
}
