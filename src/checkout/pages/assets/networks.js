// What wallets have to know of public networks: the coin that pays fees and, to add a network that a wallet does not
// know (EIP-3085), its name and one of its own public nodes.

/** @typedef {{ coin: string, name: string, rpc?: string }} Known */

/** @type {Map<number, Known>} */
const KNOWN = new Map([
  [1, { coin: 'ETH', name: 'Ethereum' }],
  [
    10,
    {
      coin: 'ETH',
      name: 'OP Mainnet',
      rpc: 'https://mainnet.optimism.io',
    },
  ],
  [
    56,
    {
      coin: 'BNB',
      name: 'BNB Smart Chain',
      rpc: 'https://bsc-dataseed.bnbchain.org',
    },
  ],
  [137, { coin: 'POL', name: 'Polygon', rpc: 'https://polygon-rpc.com' }],
  [8453, { coin: 'ETH', name: 'Base', rpc: 'https://mainnet.base.org' }],
  [42161, { coin: 'ETH', name: 'Arbitrum One', rpc: 'https://arb1.arbitrum.io/rpc' }],
  [
    43114,
    {
      coin: 'AVAX',
      name: 'Avalanche C-Chain',
      rpc: 'https://api.avax.network/ext/bc/C/rpc',
    },
  ],
  [31337, { coin: 'ETH', name: 'Kasi devnet' }],
]);
const PREFIX = 'Kasi ';

/** The name of the coin for fees. @param {number} chainId */
export const coinOf = (chainId) => KNOWN.get(chainId)?.coin ?? "the network's own coin";

/**
 * What `wallet_addEthereumChain` takes; undefined when nothing is known. The sandbox says by itself where its node is.
 * @param {number} chainId @param {string | undefined} sandboxUrl
 */
export async function describeNetwork(chainId, sandboxUrl) {
  const known = KNOWN.get(chainId);
  if (sandboxUrl) return describeSandbox(chainId, sandboxUrl);
  if (!known?.rpc) return undefined;
  return describe(chainId, known.name, known.rpc, known.coin);
}

/** @param {number} chainId @param {string} sandboxUrl */
async function describeSandbox(chainId, sandboxUrl) {
  const answer = await fetch(sandboxUrl);
  if (!answer.ok) return undefined;
  const { networks } = await answer.json();
  const found = networks.find((/** @type {any} */ network) => network.chainId === chainId);
  return found && describe(chainId, `${PREFIX}${found.network}`, found.rpcUrl, 'ETH');
}

/** @param {number} chainId @param {string} name @param {string} rpc @param {string} coin */
const describe = (chainId, name, rpc, coin) => ({
  chainId: `0x${chainId.toString(16)}`,
  chainName: name,
  rpcUrls: [rpc],
  nativeCurrency: { name: coin, symbol: coin, decimals: 18 },
});
