import type { OperatorTransaction } from '../../src/chains/operator/queries.ts';

/** Why a transaction of a command did not do what it is for, or may not; null where nothing is wrong with it. */
export function problemOf(
  { hash, network, status, succeeded }: Pick<OperatorTransaction, 'hash' | 'network' | 'status' | 'succeeded'>,
  waited: boolean,
): string | null {
  const name = `${hash} on ${network}`;
  if (status === 'dropped') return `${name} was given up: another transaction has its nonce. Run this again.`;
  if (succeeded === false) return `${name} was reverted: nothing was moved by it.`;
  if (status !== 'signed' || !waited) return null;
  return (
    `${name} was taken by no node so far: does the service run, with this key, and has its account coin for gas? ` +
    'npx kasi doctor says what is wrong.'
  );
}
