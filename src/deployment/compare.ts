import { assetsOf } from '../ports/assets.ts';
import type { Asset, Network } from '../ports/chain.ts';
import type { NetworkIdentity, OwnContract } from '../ports/chain-kind.ts';

/** A network of the configuration, with what it is. */
export type Configured = { readonly network: Network; readonly identity: NetworkIdentity };

/** A chain that the database knows. */
export type KnownNetwork = {
  readonly chain: string;
  readonly kind: string;
  /** What rows about it say. */
  readonly name: string;
  readonly genesisHash: string | null;
  /** Every name that it ever had in a configuration. */
  readonly names: readonly string[];
  readonly contracts: readonly OwnContract[];
  /** What payments were ever taken in: tokens, and the chain's coin. */
  readonly tokens: readonly Asset[];
};

/** How the configuration differs from what was recorded of a network. */
export type Difference =
  /** The factory of deposit addresses that were given out is not listed any more. */
  | { readonly kind: 'factory gone'; readonly address: string }
  /** The account that addresses of payments are of is not listed any more; `address` is its first one. */
  | { readonly kind: 'account gone'; readonly address: string }
  /** A contract is said to pay another treasury than it does. */
  | { readonly kind: 'other treasury'; readonly contract: OwnContract; readonly treasury: string }
  | { readonly kind: 'other token'; readonly recorded: Asset; readonly token: Asset };

/** What the configuration adds, and in what it differs. `known` is undefined for a chain at first sight. */
export function compareNetwork(
  { network, identity }: Configured,
  known: KnownNetwork | undefined,
): {
  readonly contracts: readonly OwnContract[];
  readonly tokens: readonly Asset[];
  readonly differences: readonly Difference[];
} {
  const recordedContracts = known?.contracts ?? [];
  const recordedTokens = known?.tokens ?? [];
  const findContract = ({ role, address }: OwnContract, list: readonly OwnContract[]) =>
    list.find((each) => each.role === role && each.address === address);
  const findToken = ({ contract }: Asset, list: readonly Asset[]) => list.find((each) => each.contract === contract);
  return {
    contracts: identity.contracts.filter((contract) => !findContract(contract, recordedContracts)),
    tokens: assetsOf(network).filter((token) => !findToken(token, recordedTokens)),
    differences: [
      ...recordedContracts
        .filter((contract) => contract.role !== 'collector' && !findContract(contract, identity.contracts))
        .map(
          ({ role, address }): Difference => ({ kind: role === 'account' ? 'account gone' : 'factory gone', address }),
        ),
      ...identity.contracts.flatMap((contract): Difference[] => {
        const treasury = findContract(contract, recordedContracts)?.treasury ?? null;
        const differs = treasury !== null && contract.treasury !== null && treasury !== contract.treasury;
        return differs ? [{ kind: 'other treasury', contract, treasury }] : [];
      }),
      ...assetsOf(network).flatMap((token): Difference[] => {
        const recorded = findToken(token, recordedTokens);
        const differs = recorded && (recorded.decimals !== token.decimals || recorded.symbol !== token.symbol);
        return differs ? [{ kind: 'other token', recorded, token }] : [];
      }),
    ],
  };
}

/** A difference as a sentence with its cure. */
export function describeDifference(name: string, difference: Difference): string {
  if (difference.kind === 'factory gone') {
    return (
      `KASI_NETWORKS no longer lists the factory ${difference.address} of ${name}, whose deposit addresses payers ` +
      'have: put it back as the factory, or list it among the former ones beside its successor'
    );
  }
  if (difference.kind === 'account gone') {
    return (
      `KASI_NETWORKS gives ${name} another accountKey than that of the addresses that payers have: put the former one ` +
      'back, or list it in formerAccountKeys if the wallet was changed on purpose and both are kept'
    );
  }
  if (difference.kind === 'other treasury') {
    const { contract, treasury } = difference;
    return (
      `The ${contract.role} ${contract.address} of ${name} pays the treasury ${treasury}, for ever, and KASI_NETWORKS says ` +
      `${contract.treasury}: correct the treasury, or deploy and list a new ${contract.role} for the new one`
    );
  }
  const { recorded, token } = difference;
  return (
    `The token ${recorded.contract} of ${name} is ${recorded.symbol} with ${recorded.decimals} decimals in this database, ` +
    `where payments offer it, and ${token.symbol} with ${token.decimals} in KASI_NETWORKS: correct KASI_NETWORKS`
  );
}
