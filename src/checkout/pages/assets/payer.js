// The requests to the payer's wallet for a subscription, one function each. Throws the wallet's errors unchanged.
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
import { Said } from './wallets.js';
import { say } from './words.js';

/**
 * @typedef {import('./wallets.js').Provider} Provider
 * @typedef {Record<string, any>} Subscription the contract's PublicSubscription
 * @typedef {{ allowance: bigint, balance: bigint, coin: bigint, mustReset: boolean, isAuthorized: boolean }} Facts
 *   `isAuthorized`: the chain already has the mandate that the page asks for
 */

const UNITS_MAX = 2n ** 256n - 1n;
/** The collector's `Status.Active`. */
const ACTIVE = 1n;

/** What one charge may take. @param {Subscription} subscription */
export const oneCharge = (subscription) => BigInt(subscription.mandate.maxPerPeriod);

/**
 * The allowance to ask for: enough for a year, on top of what is left for other subscriptions.
 * See decision checkout/an-allowance-for-a-year.
 * @param {Subscription} subscription @param {bigint} left
 */
export function wanted({ allowance }, left) {
  const sum = BigInt(allowance.recommended) + left;
  return sum > UNITS_MAX ? UNITS_MAX : sum;
}

/**
 * Reads the wallet's relevant state from the chain.
 * @param {Provider} provider @param {Subscription} subscription @returns {Promise<Facts>}
 */
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
  return { allowance, balance, coin, mustReset, isAuthorized: status === ACTIVE };
}

/** Some tokens, including USDT on Ethereum, require the allowance to be zero before it gets another value. */
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

/**
 * Asks for the transaction that sets the allowance; resolves with its hash.
 * @param {Provider} provider @param {Subscription} subscription @param {bigint} units @returns {Promise<string>}
 */
export const approve = (provider, subscription, units) =>
  send(provider, subscription, subscription.tokenContract, approveCall(subscription.collector, units));

/**
 * Asks for the transaction that authorizes the mandate; resolves with its hash.
 * @param {Provider} provider @param {Subscription} subscription @returns {Promise<string>}
 */
export const authorize = (provider, subscription) =>
  send(provider, subscription, subscription.collector, authorizeCall(subscription.mandate));

/**
 * Asks for the transaction that revokes the mandate; resolves with its hash.
 * @param {Provider} provider @param {Subscription} subscription @returns {Promise<string>}
 */
export const revoke = (provider, subscription) =>
  send(provider, subscription, subscription.collector, revokeCall(subscription.mandate.id));

const send = (
  /** @type {Provider} */ provider,
  /** @type {Subscription} */ { walletAddress, chainId },
  /** @type {string} */ to,
  /** @type {string} */ data,
) => {
  // Named, because a wallet whose owner goes to another network meanwhile would send it there.
  const sending = { from: walletAddress, to, data, chainId: `0x${Number(chainId).toString(16)}` };
  return provider.request({ method: 'eth_sendTransaction', params: [sending] });
};

/**
 * Asks for the signature of the mandate. @param {Provider} provider @param {Subscription} subscription @returns
 * {Promise<string>}
 */
export const sign = (provider, { walletAddress, typedData }) =>
  provider.request({ method: 'eth_signTypedData_v4', params: [walletAddress, JSON.stringify(typedData)] });

/**
 * Submits the signature. True: the signature is no longer needed, because it was accepted or nothing is left to sign.
 * False: it is not a signature of this payer. Throws a sentence for the customer when the signature should be kept for
 * another attempt.
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
  throw new Said(say(answer?.status === 429 ? 'agree.too_fast' : 'agree.unreachable', { wallet }));
}
