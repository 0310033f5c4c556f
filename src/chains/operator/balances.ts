/** By address and network, in whole coins: what the accounts of this process had when it last looked. */
const balances = new Map<string, Map<string, number>>();
/** A coin has 18 decimals on every chain that we sign for. */
const WEI = 1e18;

/** Notes what an account has of a network's coin. */
export function noteBalance(address: string, network: string, wei: bigint): void {
  const known = balances.get(address) ?? new Map<string, number>();
  balances.set(address, known.set(network, Number(wei) / WEI));
}

/** Of an account, by network, in the network's coin; none before this process has sent something. */
export const knownBalances = (address: string | undefined) =>
  [...(balances.get(address ?? '') ?? [])].map(([network, coins]) => ({ network, coins }));
