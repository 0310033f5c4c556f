import type { Network } from '../ports/chain.ts';

/** On the dev chain the final block is two behind the head. */
const FINALIZED = 3;

/** How many blocks a transfer needs on a test network, its own included. */
export const confirmationsOf = ({ confirmations }: Network): number =>
  confirmations === 'finalized' ? FINALIZED : confirmations;
