// What the payer's wallet is asked to do and to read for a subscription, one function each. Refusals are thrown as the wallet gives them.
import {
  allowanceCall,
  approveCall,
  authorizeCall,
  balanceCall,
  firstUnitsOf,
  revokeCall,
  stateCall,
  unitsOf,
} from './calls.js';
import { isUnknownChain, Said } from './wallets.js';

/**
 * @typedef {import('./wallets.js').Provider} Provider
 * @typedef {Record<string, any>} Subscription the contract's PublicSubscription
 * @typedef {{ allowance: bigint, balance: bigint, coin: bigint, mustReset: boolean, stands: boolean }} Facts `stands`: the chain
 *   has the mandate that is to be agreed to
 */

const UNITS_MAX = 2n ** 256n - 1n;
/** The collector's `Status.Active`. */
const ACTIVE = 1n;
const CHAIN_PREFIX = 'Kasi ';

/** What one charge may take. @param {Subscription} subscription */
export const oneCharge = (subscription) => BigInt(subscription.mandate.maxPerPeriod);

/** What to let the collector take: enough for a year, besides what is left for others. @param {Subscription} subscription @param {bigint} left */
export function wanted({ allowance }, left) {
  const sum = BigInt(allowance.recommended) + left;
  return sum > UNITS_MAX ? UNITS_MAX : sum;
}

/** What matters of the wallet, as the chain has it now. @param {Provider} provider @param {Subscription} subscription @returns {Promise<Facts>} */
export async function readFacts(provider, subscription) {
  const { walletAddress, collector, tokenContract, mandate, typedData } = subscription;
  const call = (/** @type {string} */ to, /** @type {string} */ data) =>
    provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] });
  const [allowance, balance, coin, status] = await Promise.all([
    call(tokenContract, allowanceCall(walletAddress, collector)).then(unitsOf),
    call(tokenContract, balanceCall(walletAddress)).then(unitsOf),
    provider.request({ method: 'eth_getBalance', params: [walletAddress, 'latest'] }).then(unitsOf),
    typedData === null ? null : call(collector, stateCall(walletAddress, mandate.id)).then(firstUnitsOf),
  ]);
  const raise = allowance > 0n && allowance < oneCharge(subscription);
  const mustReset = raise && !(await canRaise(provider, subscription, allowance));
  return { allowance, balance, coin, mustReset, stands: status === ACTIVE };
}

/** Some tokens, USDT on Ethereum among them, want an allowance set to zero before it gets another value. */
async function canRaise(
  /** @type {Provider} */ provider,
  /** @type {Subscription} */ subscription,
  /** @type {bigint} */ left,
) {
  const { walletAddress, collector, tokenContract } = subscription;
  const data = approveCall(collector, wanted(subscription, left));
  try {
    await provider.request({
      method: 'eth_call',
      params: [{ from: walletAddress, to: tokenContract, data }, 'latest'],
    });
    return true;
  } catch {
    return false;
  }
}

/** Asks for the transaction that sets the allowance, and answers its hash. @param {Provider} provider @param {Subscription} subscription @param {bigint} units @returns {Promise<string>} */
export const approve = (provider, subscription, units) =>
  send(provider, subscription, subscription.tokenContract, approveCall(subscription.collector, units));

/** Asks for the transaction that gives the agreement, and answers its hash. @param {Provider} provider @param {Subscription} subscription @returns {Promise<string>} */
export const authorize = (provider, subscription) =>
  send(provider, subscription, subscription.collector, authorizeCall(subscription.mandate));

/** Asks for the transaction that ends the agreement, and answers its hash. @param {Provider} provider @param {Subscription} subscription @returns {Promise<string>} */
export const revoke = (provider, subscription) =>
  send(provider, subscription, subscription.collector, revokeCall(subscription.mandate.id));

const send = (
  /** @type {Provider} */ provider,
  /** @type {Subscription} */ { walletAddress },
  /** @type {string} */ to,
  /** @type {string} */ data,
) => provider.request({ method: 'eth_sendTransaction', params: [{ from: walletAddress, to, data }] });

/** What became of a transaction: true, false, or null while nobody knows. @param {Provider} provider @param {string} hash */
export async function wentThrough(provider, hash) {
  const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] }).catch(() => null);
  return receipt ? Number(receipt.status) === 1 : null;
}

/** Asks for the signature. @param {Provider} provider @param {Subscription} subscription @returns {Promise<string>} */
export const sign = (provider, { walletAddress, typedData }) =>
  provider.request({ method: 'eth_signTypedData_v4', params: [walletAddress, JSON.stringify(typedData)] });

/** Brings the wallet to the network of the subscription; in the sandbox it is told of it first. @param {Provider} provider @param {Subscription} subscription @param {string | undefined} sandboxUrl */
export async function switchNetwork(provider, { chainId }, sandboxUrl) {
  const id = `0x${chainId.toString(16)}`;
  const change = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: id }] });
  try {
    await change();
  } catch (error) {
    if (!isUnknownChain(error) || !sandboxUrl) throw error;
    const answer = await fetch(sandboxUrl);
    if (!answer.ok) throw error;
    const { networks } = await answer.json();
    const found = networks.find((/** @type {any} */ network) => network.chainId === chainId);
    if (!found) throw error;
    await provider.request({
      method: 'wallet_addEthereumChain',
      params: [
        {
          chainId: id,
          chainName: `${CHAIN_PREFIX}${found.network}`,
          rpcUrls: [found.rpcUrl],
          nativeCurrency: { name: 'Test ether', symbol: 'ETH', decimals: 18 },
        },
      ],
    });
    if (Number(await provider.request({ method: 'eth_chainId' })) !== chainId) await change();
  }
}

/**
 * Hands the signature in. True: it is no longer needed (taken, or nothing is to be signed any more). Throws a sentence for the customer
 * when it is worth keeping; `refused` on it says that it is worth nothing.
 * @param {string} url @param {string} signature @param {string} wallet
 */
export async function submit(url, signature, wallet) {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ signature }),
  };
  const answer = await fetch(url, request).catch(() => null);
  if (answer?.ok || answer?.status === 409) return true;
  if (answer?.status === 400) return false;
  const wait =
    answer?.status === 429
      ? 'Too much was asked for from where you are. Please wait a minute'
      : 'We could not be reached';
  throw new Said(`${wait}; your signature by ${wallet} is kept. Then send it again: you need not sign anew.`);
}
