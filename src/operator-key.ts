import { deriveAccounts } from './chains/evm/dev-accounts.ts';
import { operatorOfKey } from './chains/evm/operator-account.ts';
import type { Network } from './ports/chain.ts';
import { MNEMONIC } from './sandbox/anvil.ts';

/** As many accounts as development nodes unlock. */
const DEVELOPMENT_ACCOUNTS = 20;
const DISTINCT_BYTES_MIN = 8;

/**
 * The private key that charges subscriptions, if there is one. What is wrong with it is added to `problems`, in which the key itself never
 * occurs.
 */
export function readOperatorKey(key: string | null, networks: readonly Network[], problems: string[]): string | null {
  const collecting = networks.find(({ collector }) => collector !== null);
  if (key === null) {
    if (collecting)
      problems.push(`OPERATOR_KEY is missing: the private key that charges subscriptions on ${collecting.name}`);
    return null;
  }
  const problem = judgeKey(key, networks);
  if (problem) problems.push(`OPERATOR_KEY ${problem}`);
  return key;
}

function judgeKey(key: string, networks: readonly Network[]): string | null {
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) return 'must be 0x and 64 hexadecimal digits';
  if (new Set(Buffer.from(key.slice(2), 'hex')).size < DISTINCT_BYTES_MIN) return 'is too weak: it must be random';
  const address = addressOf(key);
  if (address === null) return 'is no private key: it lies outside the range of the curve';
  if (isDevelopmentAccount(address)) return 'is the key of a development account, which everybody knows';
  if (networks.some(({ treasury }) => treasury === address))
    return 'is the key of the treasury, which has no business on a server: give the operator an account of its own';
  return null;
}

function addressOf(key: string): string | null {
  try {
    return operatorOfKey(key).address;
  } catch {
    return null; // What is thrown may quote the key.
  }
}

function isDevelopmentAccount(address: string): boolean {
  const accountOf = deriveAccounts(MNEMONIC);
  return Array.from({ length: DEVELOPMENT_ACCOUNTS }, (_, i) => accountOf(i).address.toLowerCase()).includes(address);
}
