/** Where people look up what happened on a public network, by its chain id: the explorers that wallets add. */
const OF_CHAINS: ReadonlyMap<number, string> = new Map([
  [1, 'https://etherscan.io'],
  [10, 'https://optimistic.etherscan.io'],
  [56, 'https://bscscan.com'],
  [137, 'https://polygonscan.com'],
  [8453, 'https://basescan.org'],
  [42161, 'https://arbiscan.io'],
  [43114, 'https://snowtrace.io'],
]);
const OF_BITCOIN = 'https://mempool.space';

type Place = { readonly network: string; readonly chainId: number | null };

/** Where a transaction can be looked up; null on networks that nobody else sees. */
export function explorerUrl({ network, chainId }: Place, hash: string): string | null {
  const explorer = chainId === null ? (network === 'bitcoin' ? OF_BITCOIN : undefined) : OF_CHAINS.get(chainId);
  return explorer === undefined || !/^(0x)?[0-9a-f]{64}$/i.test(hash) ? null : `${explorer}/tx/${hash}`;
}
