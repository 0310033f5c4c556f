import type { CallOptions, Endpoint } from '../endpoints.ts';
import type { BitcoinNetwork } from './network.ts';
import { type BlockCalls, openBlockCalls } from './node-blocks.ts';
import { type Calls, openCalls } from './node-calls.ts';
import { openTransactionCalls, type TransactionCalls } from './node-transactions.ts';

/** One endpoint of a network, asked in the words of Bitcoin Core. What it answers was checked against its hash. */
export type Node = Pick<Calls, 'endpoint' | 'getInfo'> & BlockCalls & TransactionCalls;

/** Asks one endpoint. `options` are for everything but whole blocks. */
export function openNode(network: BitcoinNetwork, endpoint: Endpoint, options: CallOptions = {}): Node {
  const calls = openCalls(network, endpoint, options);
  return { endpoint, getInfo: calls.getInfo, ...openBlockCalls(calls), ...openTransactionCalls(calls) };
}
