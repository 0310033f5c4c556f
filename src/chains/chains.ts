import type { Network } from '../ports/chain.ts';
import type { ChainKind, Chains } from '../ports/chain-kind.ts';

/** The kinds of chains and the networks of a process, as features ask about them. */
export function createChains(kinds: readonly ChainKind[], networks: readonly Network[]): Chains {
  const kindOf = ({ kind }: Pick<Network, 'kind'>): ChainKind => {
    const found = kinds.find(({ name }) => name === kind);
    if (!found) throw new Error(`no kind of chain is called ${kind}`);
    return found;
  };
  const enabled = kinds.filter(({ name }) => networks.some(({ kind }) => kind === name));
  const own = new Map(
    enabled.map((kind) => [
      kind.name,
      new Set(
        networks
          .filter((network) => network.kind === kind.name)
          .flatMap((network) => kind.listOwnAddresses(network).map(kind.addresses.canonical)),
      ),
    ]),
  );
  const kindOfAddress = (address: string): ChainKind | undefined =>
    kinds.find(({ addresses }) => addresses.isAddress(address));
  const isAddressOn = (network: Network, text: string): boolean => {
    const kind = kindOf(network);
    return kind.addresses.isAddress(text) && (kind.isOnNetwork?.(network, text) ?? true);
  };
  return {
    kindOf,
    isAddress: (text) => networks.some((network) => isAddressOn(network, text)),
    isAddressOn,
    presentAddress: (address) => {
      const found = kindOfAddress(address) ?? kinds.find(({ addresses }) => addresses.isCanonical?.(address));
      return found?.addresses.present(address) ?? address;
    },
    paymentUri: (request) => kindOfAddress(request.address)?.paymentUri(request) ?? null,
    isOwnerless: (address) => kinds.some(({ addresses }) => addresses.isOwnerless(address)),
    isOwnAddress: (address) =>
      enabled.some(
        ({ name, addresses }) =>
          addresses.isAddress(address) && own.get(name)?.has(addresses.canonical(address)) === true,
      ),
    keysOf: (address) =>
      kinds.flatMap(({ name, addresses }) =>
        addresses.isAddress(address) ? [{ kind: name, address: addresses.canonical(address) }] : [],
      ),
    openWitness: (network) => kindOf(network).openWitness?.(network) ?? null,
    writePayouts: async (network, order) =>
      (await kindOf(network).writePayouts?.(network, order)) ?? { safe: null, psbt: null },
    leastPayout: (network) => kindOf(network).leastPayout ?? 1n,
    openSignatures: (network) => kindOf(network).openSignatures?.(network) ?? null,
    openSignedTransfers: (network) => kindOf(network).openSignedTransfers?.(network) ?? null,
    openCollector: (network) => kindOf(network).openCollector?.(network) ?? null,
    openOperatorNode: (network) => {
      const { name, operator } = kindOf(network);
      if (!operator) throw new Error(`nothing is signed for chains of the kind ${name}`);
      return operator.openNode(network);
    },
  };
}
