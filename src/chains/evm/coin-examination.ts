import { zeroAddress } from 'viem';
import { max } from '../../lib/money.ts';
import type { BlockPlace, Witnessed } from '../../ports/chain.ts';
import type { RpcRequest } from '../json-rpc.ts';
import type { Statement } from '../testimony.ts';
import { UnknownBlockError } from '../unknown-block.ts';
import { readBalances } from './balances.ts';
import { coinSweepFilter, isCoinSweep, sweptAddress } from './coin-sweeps.ts';
import { askForLogs } from './logs.ts';
import type { EvmNetwork } from './network.ts';
import type { RawBlock } from './rpc.ts';

type RawTransaction = {
  readonly blockHash: string | null;
  readonly to: string | null;
  readonly value: string;
};

/**
 * Looks for coins that came in the very block at its height: what the addresses hold after it and before it, and what
 * was swept from them in it, all by this endpoint. One that no longer has those states is asked for the transactions
 * themselves; where it can't say by those either it says nothing.
 */
export async function examineCoins(
  network: EvmNetwork,
  request: RpcRequest,
  block: BlockPlace,
  coins: readonly Witnessed[],
): Promise<Statement> {
  const [chainId, header] = await Promise.all([
    request<string>('eth_chainId', []),
    request<RawBlock | null>('eth_getBlockByNumber', [`0x${block.height.toString(16)}`, false]),
  ]);
  if (header === null || Number(chainId) !== network.chainId) return undefined;
  if (header.hash !== block.hash) {
    return { what: `has ${header.hash} as block ${block.height}`, certain: true, otherBlock: true };
  }
  const wanted = wantedOf(coins);
  const grown = await readGrowth(network, request, header, [...wanted.keys()]);
  if (grown === undefined) return (await areMined(request, block, coins)) ? 'agrees' : undefined;
  const { growth, held } = grown;
  const ofAddress = new Map(coins.map((coin) => [coin.to, coin]));
  const missing = [...wanted].flatMap(([address, units]) => {
    if ((growth.get(address) ?? 0n) >= units) return [];
    // A reading that could not find the block names a later one than that in which it came: then all together counts.
    const lacking = (ofAddress.get(address)?.total ?? units) - (held.get(address) ?? 0n);
    const { sweptIn = [], sweptMore = false } = ofAddress.get(address) ?? {};
    return lacking > 0n ? [{ address, lacking, sweptIn, sweptMore }] : [];
  });
  if (missing.length === 0) return 'agrees';
  const swept = await readSwept(network, request, missing);
  if (swept === undefined) return undefined;
  if (missing.every(({ address, lacking }) => (swept.get(address) ?? 0n) >= lacking)) return 'agrees';
  const what = `shows less than that at the address after block ${block.height} (${block.hash})`;
  return { what, certain: !missing.some(({ sweptMore }) => sweptMore), otherBlock: false };
}

/** How much has to have come to each address: what came once proves no second arrival that is asked about later. */
function wantedOf(coins: readonly Witnessed[]): ReadonlyMap<string, bigint> {
  const wanted = new Map<string, bigint>();
  for (const { to, units } of coins) wanted.set(to, (wanted.get(to) ?? 0n) + units);
  for (const { to, through = 0n } of coins) wanted.set(to, max(through, wanted.get(to) ?? 0n));
  return wanted;
}

type Missing = { readonly address: string; readonly sweptIn: readonly BlockPlace[] };

/**
 * What this endpoint itself shows to have been swept from addresses in blocks before; undefined where it no longer has
 * those. What we have stored of that may be the lie of another endpoint.
 */
async function readSwept(
  network: EvmNetwork,
  request: RpcRequest,
  missing: readonly Missing[],
): Promise<ReadonlyMap<string, bigint> | undefined> {
  const swept = new Map<string, bigint>();
  try {
    for (const { address, sweptIn } of missing) {
      const filter = sweepsOf(network, [address]);
      const logs = await Promise.all(sweptIn.map((block) => askForLogs(network, request, block, filter)));
      const own = logs.flat().filter((log) => isCoinSweep(network, log) && sweptAddress(log) === address);
      swept.set(
        address,
        own.reduce((sum, { data }) => sum + BigInt(data), 0n),
      );
    }
  } catch (error) {
    if (error instanceof UnknownBlockError) return undefined;
    throw error;
  }
  return swept;
}

const sweepsOf = (network: EvmNetwork, addresses: readonly string[]) => ({
  address: addresses,
  ...coinSweepFilter(network),
});

/** How much came to addresses in a block, and what they hold after it; undefined without the states. */
async function readGrowth(network: EvmNetwork, request: RpcRequest, header: RawBlock, addresses: readonly string[]) {
  try {
    const [after, before, logs] = await Promise.all([
      readBalances(request, network, zeroAddress, addresses, header),
      readBalances(request, network, zeroAddress, addresses, { hash: header.parentHash }),
      askForLogs(network, request, header, sweepsOf(network, addresses)),
    ]);
    const growth = new Map(addresses.map((address, i) => [address, (after[i] ?? 0n) - (before[i] ?? 0n)]));
    for (const log of logs) {
      const address = sweptAddress(log);
      if (isCoinSweep(network, log)) growth.set(address, (growth.get(address) ?? 0n) + BigInt(log.data));
    }
    return { growth, held: new Map(addresses.map((address, i) => [address, after[i] ?? 0n])) };
  } catch (error) {
    if (error instanceof UnknownBlockError) return undefined;
    throw error;
  }
}

/** Whether all of them are transactions of this block that pay their addresses directly, and went through. */
async function areMined(request: RpcRequest, block: BlockPlace, coins: readonly Witnessed[]): Promise<boolean> {
  const isMined = async ({ txHash, to, units, throughTx = units }: Witnessed): Promise<boolean> => {
    // A transaction pays an address directly once, however often an endpoint names it.
    if (!txHash.startsWith('0x') || throughTx !== units) return false;
    const [transaction, receipt] = await Promise.all([
      request<RawTransaction | null>('eth_getTransactionByHash', [txHash]),
      request<{ readonly status?: string } | null>('eth_getTransactionReceipt', [txHash]),
    ]);
    const pays = transaction?.to?.toLowerCase() === to && BigInt(transaction.value) === units;
    return pays && transaction.blockHash === block.hash && receipt?.status === '0x1';
  };
  return (await Promise.all(coins.map(isMined))).every(Boolean);
}
