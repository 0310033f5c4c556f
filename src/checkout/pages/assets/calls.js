// Calldata for contracts. Seven functions with a selector and a few words each need no library.

const WORD = 64;

/** @param {string} address */
const addressWord = (address) => address.slice(2).toLowerCase().padStart(WORD, '0');

/** @param {string | number | bigint} number */
const numberWord = (number) => BigInt(number).toString(16).padStart(WORD, '0');

/** `allowance(owner, spender)` @param {string} owner @param {string} spender */
export const allowanceCall = (owner, spender) => `0xdd62ed3e${addressWord(owner)}${addressWord(spender)}`;

/** `balanceOf(owner)` @param {string} owner */
export const balanceCall = (owner) => `0x70a08231${addressWord(owner)}`;

/** `transfer(to, units)` @param {string} to @param {bigint} units */
export const transferCall = (to, units) => `0xa9059cbb${addressWord(to)}${numberWord(units)}`;

/** `approve(spender, units)` @param {string} spender @param {bigint} units */
export const approveCall = (spender, units) => `0x095ea7b3${addressWord(spender)}${numberWord(units)}`;

/** The collector's `authorize(Mandate)` @param {Record<string, any>} mandate the contract's Mandate */
export function authorizeCall({ payer, token, maxPerPeriod, period, start, end, carry, ref }) {
  const numbers = [maxPerPeriod, period, start, end, carry].map(numberWord).join('');
  return `0x9c2ab971${addressWord(payer)}${addressWord(token)}${numbers}${ref.slice(2)}`;
}

/** The collector's `state(payer, bytes32)` @param {string} payer @param {string} mandateId */
export const stateCall = (payer, mandateId) => `0x12da608c${addressWord(payer)}${mandateId.slice(2)}`;

/** The collector's `revoke(bytes32)` @param {string} mandateId */
export const revokeCall = (mandateId) => `0xb75c7dc6${mandateId.slice(2)}`;

/** The number that a contract returned; throws when it returned nothing. @param {string} answer */
export function unitsOf(answer) {
  if (!/^0x[0-9a-f]+$/i.test(answer)) throw new Error('there is no such contract on this network');
  return BigInt(answer);
}

/** The first of several numbers that a contract returned; throws as above. @param {string} answer */
export const firstUnitsOf = (answer) => unitsOf(answer.slice(0, '0x'.length + WORD));

/** As many as a token of ours can have. */
const DECIMALS_MAX = 18;
const number = new Intl.NumberFormat(globalThis.document?.documentElement.lang || 'en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: DECIMALS_MAX,
});

/**
 * Base units for display in the language of the page, like `tokens` in words.ts: `1,500.00 USDT`.
 * @param {bigint} units @param {number} decimals @param {string} token
 */
export function unitsText(units, decimals, token) {
  const digits = units.toString().padStart(decimals + 1, '0');
  const places = digits.length - decimals;
  // As text, because a number of so many digits is no longer exact.
  const exact = /** @type {`${number}`} */ (`${digits.slice(0, places)}.${digits.slice(places)}`);
  return `${number.format(exact)} ${token}`;
}
