import { judgePayout, refuseForNow } from '../../../src/chains/payout-rules.ts';
import { UnknownBlockError } from '../../../src/chains/unknown-block.ts';
import type { Network } from '../../../src/ports/chain.ts';
import type { ChainKind, ChainReader } from '../../../src/ports/chain-kind.ts';
import type { ToyChain } from './chain.ts';

export type ToyNetwork = Network & { readonly chain: ToyChain };

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
  assignDeposit: async (_trx, _network, paymentId) => ({ address: `TOY:${paymentId.toUpperCase()}`, factory: null }),
  paymentUri: ({ address, units }) => `${address}?units=${units}`,
  describe: ({ name }) => ({ chain: `toy:${name}`, contracts: [] }),
  listOwnAddresses: () => ['toy:treasury'],
  openReader: ({ chain, name }): ChainReader => ({
    identify: async () => ({ chainId: null, genesisHash: chain.blocks[0]!.ref.hash }),
    getHead: async () => chain.blocks.at(-1)!.ref,
    findFinalized: async () => undefined,
    findBlocks: async (heights) => heights.map((height) => chain.blocks[height]?.ref),
    listSightings: async (asked) => {
      const found = asked.map(({ hash }) => chain.blocks.find(({ ref }) => ref.hash === hash));
      if (found.includes(undefined)) throw new UnknownBlockError(name);
      return { transfers: found.flatMap((block) => block!.transfers), collector: [], approvals: [] };
    },
  }),
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
