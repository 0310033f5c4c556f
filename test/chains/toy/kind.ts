import { judgePayout, refuseForNow } from '../../../src/chains/payout-rules.ts';
import { UnknownBlockError } from '../../../src/chains/unknown-block.ts';
import type { Network, PoolSight } from '../../../src/ports/chain.ts';
import type { ChainKind, ChainReader, ChainView } from '../../../src/ports/chain-kind.ts';
import type { ToyChain } from './chain.ts';

export type ToyNetwork = Network & {
  readonly chain: ToyChain;
  /** Endpoints of the chain, the preferred one first. All show its blocks; absent: there is one. */
  readonly endpoints?: readonly ToyEndpoint[];
};

export type ToyEndpoint = {
  readonly name: string;
  /** How its pool differs from the chain's. */
  lacks: (txHash: string) => boolean;
  /** Whether it answers. */
  answers: boolean;
};

/** A kind of chain without contracts. It is called `bitcoin` because the database takes only that name beside `evm`. */
export const toy: ChainKind<ToyNetwork> = {
  name: 'bitcoin',
  addresses: {
    isAddress: (text) => /^toy:[\w-]+$/i.test(text),
    canonical: (address) => address.toLowerCase(),
    present: (address) => address.toUpperCase(),
    isOwnerless: (address) => address.toLowerCase() === 'toy:nobody',
  },
  networkSchema: { type: 'object', required: ['name', 'tokens'] },
  parseNetwork: (entry) =>
    ({
      kind: 'bitcoin',
      chainId: null,
      confirmations: 2,
      pollMs: 20,
      batchMax: 10,
      collector: null,
      ...entry,
    }) as never,
  findConflicts: () => [],
  checkNetwork: async () => undefined,
  assignDeposit: async (_trx, _network, paymentId) => {
    const address = `TOY:${paymentId.toUpperCase()}`;
    return { address, canonical: address.toLowerCase(), factory: null };
  },
  paymentUri: ({ address, units }) => `${address}?units=${units}`,
  describe: ({ name }) => ({ chain: `toy:${name}`, contracts: [] }),
  listOwnAddresses: () => ['toy:treasury'],
  openReader: (network): ChainReader => {
    const { endpoints = [] } = network;
    const views = endpoints.map((endpoint) => openView(network, endpoint));
    const [first] = views;
    if (!first) return ask(network);
    return { ...first, several: { pick: () => first, leave: () => undefined, all: views } };
  },
  openPayoutCheck: (network) => async (claim, confirmations) => {
    const transfers = network.chain.blocks
      .flatMap((block) => block.transfers)
      .filter(({ txHash }) => txHash === claim.txHash);
    const [first] = transfers;
    if (!first) return refuseForNow('payout_not_found', `${network.name} has no transaction ${claim.txHash}`);
    const depth = network.chain.blocks.length - first.block.height;
    const shallow = depth >= Number(confirmations) ? null : `it is only ${depth} blocks deep`;
    return judgePayout(claim, first.token, { block: first.block, succeeded: true, transfers, shallow });
  },
};

const openView = (network: ToyNetwork, endpoint: ToyEndpoint): ChainView => ({
  ...ask(network, endpoint),
  name: endpoint.name,
  restsMs: () => 0,
  trouble: () => null,
  isWell: () => true,
  blame: () => undefined,
  acquit: () => undefined,
});

function ask({ chain, name, native }: ToyNetwork, endpoint?: ToyEndpoint): Omit<ChainReader, 'several'> {
  return {
    identify: async () => ({ chainId: null, genesisHash: chain.blocks[0]!.ref.hash }),
    getHead: async () => chain.blocks.at(-1)!.ref,
    findFinalized: async () => undefined,
    findBlocks: async (heights) => heights.map((height) => chain.blocks[height]?.ref),
    listSightings: async (asked) => {
      const found = asked.map(({ hash }) => chain.blocks.find(({ ref }) => ref.hash === hash));
      if (found.includes(undefined)) throw new UnknownBlockError(name);
      const transfers = found.flatMap((block) => block!.transfers);
      if (native === undefined) return { transfers, collector: [], approvals: [] };
      const spends = new Map(transfers.map(({ txHash }) => [txHash, () => chain.known.get(txHash)?.spends ?? []]));
      return { transfers, collector: [], approvals: [], spends };
    },
    ...(native && { readPool: openPool(chain, endpoint) }),
  };
}

/** The pool of an endpoint, which remembers what it has shown. */
function openPool(chain: ToyChain, endpoint?: ToyEndpoint): NonNullable<ChainReader['readPool']> {
  let shown = new Set<string>();
  return async (stored): Promise<PoolSight> => {
    if (endpoint?.answers === false) throw new Error(`${endpoint.name} does not answer`);
    const waits = [...chain.pool.values()].filter(({ txHash }) => !endpoint?.lacks(txHash));
    const arrived = waits.filter(({ txHash }) => !shown.has(txHash));
    shown = new Set(waits.map(({ txHash }) => txHash));
    const spenderOf = (outpoint: string) => waits.find(({ spends }) => spends.includes(outpoint))?.txHash;
    const gone = stored
      .filter(({ txHash }) => !shown.has(txHash))
      .map(({ txHash, spends }) => ({ txHash, by: spends.map(spenderOf).find(Boolean) ?? null }));
    return { arrived, gone };
  };
}
