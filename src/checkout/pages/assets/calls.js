// What is asked of contracts, as calldata. Four functions with a selector and a word or two each need no library.

const WORD = 64;

/** @param {string} address */
const addressWord = (address) => address.slice(2).toLowerCase().padStart(WORD, '0');

/** `allowance(owner, spender)` @param {string} owner @param {string} spender */
export const allowanceCall = (owner, spender) => `0xdd62ed3e${addressWord(owner)}${addressWord(spender)}`;

/** `balanceOf(owner)` @param {string} owner */
export const balanceCall = (owner) => `0x70a08231${addressWord(owner)}`;

/** `approve(spender, units)` @param {string} spender @param {bigint} units */
export const approveCall = (spender, units) =>
  `0x095ea7b3${addressWord(spender)}${units.toString(16).padStart(WORD, '0')}`;

/** The collector's `revoke(bytes32)` @param {string} mandateId */
export const revokeCall = (mandateId) => `0xb75c7dc6${mandateId.slice(2)}`;

/** A number that a contract answered; throws when it answered none. @param {string} answer */
export function unitsOf(answer) {
  if (!/^0x[0-9a-f]+$/i.test(answer)) throw new Error('there is no such contract on this network');
  return BigInt(answer);
}

/** Base units as people read them, as `tokenText` in format.ts: `1,500.00 USDT`. @param {bigint} units @param {number} decimals @param {string} token */
export function unitsText(units, decimals, token) {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits
    .slice(digits.length - decimals)
    .replace(/0+$/, '')
    .padEnd(2, '0');
  return `${whole}.${fraction} ${token}`;
}
