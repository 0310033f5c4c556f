// The wallets in this browser (EIP-1193), their discovery (EIP-6963), their networks, and the meaning of their errors.
import { coinOf, describeNetwork } from './networks.js';
import { say } from './words.js';

/**
 * @typedef {{
 *   request: (args: { method: string, params?: readonly unknown[] }) => Promise<any>,
 *   on?: (event: string, listener: (...args: any[]) => void) => void,
 * }} Provider
 * @typedef {{ id: string, name: string, icon: string | null, provider: Provider }} Wallet
 */

const NAME_MAX = 40;
const SAID_MAX = 160;
/** The codes of EIP-1193, JSON-RPC and EIP-1474 for a method that a wallet doesn't support. */
const UNSUPPORTED = [4200, -32601, -32004];

/**
 * Adds each wallet that announces itself to `wallets` and calls `changed`.
 * @param {Map<string, Wallet>} wallets @param {() => void} changed
 */
export function findWallets(wallets, changed) {
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = /** @type {any} */ (event).detail ?? {};
    if (typeof provider?.request !== 'function' || typeof info?.name !== 'string') return;
    wallets.delete('');
    const id = String(info.rdns || info.uuid);
    const icon = /^data:image\//.test(info.icon) ? info.icon : null;
    wallets.set(id, { id, name: info.name.slice(0, NAME_MAX), icon, provider });
    changed();
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
  // Older wallets, and the browsers inside wallet apps, only set window.ethereum; some set it late.
  const older = () => {
    const provider = /** @type {any} */ (window).ethereum;
    if (wallets.size > 0 || typeof provider?.request !== 'function') return;
    wallets.set('', { id: '', name: say('wallet.yours'), icon: null, provider });
    changed();
  };
  addEventListener('ethereum#initialized', older);
  older();
  setTimeout(older, 1000);
}

/**
 * A button with the picture of a wallet and, without other words, its name.
 * @param {Wallet} choice @param {string} words
 */
export function walletButton({ id, name, icon }, words = name) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'button', textContent: words });
  button.dataset.wallet = id;
  if (icon) button.prepend(Object.assign(document.createElement('img'), { src: icon, alt: '' }));
  return button;
}

/**
 * Shows a button for each wallet. One that is there stays: it may have the keyboard's focus, or be at work.
 * @param {Element} list @param {Map<string, Wallet>} wallets @param {(wallet: Wallet) => HTMLElement} make
 */
export function listWallets(list, wallets, make) {
  const shown = new Set();
  for (const button of /** @type {HTMLElement[]} */ ([...list.children])) {
    const { wallet } = button.dataset;
    if (wallet !== undefined && wallets.has(wallet)) shown.add(wallet);
    else button.remove();
  }
  for (const wallet of wallets.values()) if (!shown.has(wallet.id)) list.append(make(wallet));
}

/** An error of our own, whose message is for the customer. */
export class Said extends Error {}

/** The error codes that a wallet gave, including wrapped ones. @param {any} error */
const codesOf = (error) =>
  [error?.code, error?.data?.code, error?.data?.originalError?.code, error?.cause?.code].map(Number);

/** Whether the wallet's owner declined the request. @param {unknown} error */
export const isDeclined = (error) => codesOf(error).includes(4001);

/** Whether the wallet doesn't know the chain that it should switch to. @param {unknown} error */
export const isUnknownChain = (error) => codesOf(error).includes(4902);

/**
 * Moves a wallet to a network, which it is told about when it doesn't know it. Throws the wallet's errors unchanged.
 * @param {Provider} provider @param {number} chainId @param {string | undefined} sandboxUrl of the API's sandbox, where
 * the network is the sandbox's
 */
export async function switchNetwork(provider, chainId, sandboxUrl) {
  const change = () =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: `0x${chainId.toString(16)}` }] });
  try {
    await change();
  } catch (error) {
    const network = isUnknownChain(error) ? await describeNetwork(chainId, sandboxUrl) : undefined;
    if (!network) throw error;
    await provider.request({ method: 'wallet_addEthereumChain', params: [network] });
    if (Number(await provider.request({ method: 'eth_chainId' })) !== chainId) await change();
  }
}

/** Whether a transaction succeeded; null while that is unknown. @param {Provider} provider @param {string} hash */
export async function wentThrough(provider, hash) {
  const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] }).catch(() => null);
  return receipt ? Number(receipt.status) === 1 : null;
}

/** Whether the wallet doesn't support the request at all. @param {unknown} error */
export const isUnsupported = (error) => codesOf(error).some((code) => UNSUPPORTED.includes(code));

/**
 * Tells the customer what to do about an error. @param {any} error @param {{ network: string, chainId: number }} place
 */
export function explain(error, { network, chainId }) {
  if (error instanceof Said) return error.message;
  const said = String(error?.data?.message ?? error?.message ?? error);
  const codes = codesOf(error);
  if (/insufficient funds|gas required exceeds/i.test(`${said} ${error?.message}`)) {
    return say('wallet.no_fee', { coin: coinOf(chainId), network });
  }
  for (const code of codes) {
    if (UNSUPPORTED.includes(code)) return say('wallet.unsupported');
    switch (code) {
      case 4001:
        return say('wallet.declined');
      case 4100:
        return say('wallet.unauthorized');
      case 4900:
        return say('wallet.disconnected');
      case 4901:
        return say('wallet.unreachable', { network });
      case 4902:
        return say('wallet.unknown_network', { network, chain: chainId });
      case -32002:
        return say('wallet.waits');
    }
  }
  return say('wallet.says', { said: said.slice(0, SAID_MAX) });
}
