import { deriveAccounts, MNEMONIC } from './dev-accounts.ts';
import { type EvmNetwork, treasuriesOf } from './network.ts';
import { operatorOfKey } from './operator-account.ts';

/** As many accounts as development nodes unlock. */
const DEVELOPMENT_ACCOUNTS = 20;
const DISTINCT_BYTES_MIN = 8;

/**
 * What is wrong with an operator's private key, as the rest of a sentence that never quotes it; null when it will do.
 */
export function findKeyProblem(key: string, networks: readonly EvmNetwork[]): string | null {
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) return 'must be 0x and 64 hexadecimal digits';
  if (new Set(Buffer.from(key.slice(2), 'hex')).size < DISTINCT_BYTES_MIN) return 'is too weak: it must be random';
  const address = addressOf(key);
  if (address === null) return 'is no private key: it lies outside the range of the curve';
  if (isDevelopmentAccount(address)) return 'is the key of a development account, which everybody knows';
  if (networks.some((network) => treasuriesOf(network).includes(address)))
    return 'is the key of the treasury, which has no business on a server: give the operator an account of its own';
  return null;
}

function addressOf(key: string): string | null {
  try {
    return operatorOfKey(key).address;
  } catch {
    return null; // The thrown message may quote the key.
  }
}

function isDevelopmentAccount(address: string): boolean {
  const accountOf = deriveAccounts(MNEMONIC);
  return Array.from({ length: DEVELOPMENT_ACCOUNTS }, (_, i) => accountOf(i).address.toLowerCase()).includes(address);
}
