import { type Address, decodeEventLog, type Hex } from 'viem';
import { subscriptionCollector } from '../../generated/contracts.ts';
import { reasonOf } from '../../src/chains/collector.ts';
import type { Mandate } from '../../src/chains/evm/collector.ts';
import type { RawLog } from '../../src/chains/evm/transfers.ts';
import type { CollectReason } from '../../src/ports/collector.ts';

/** What payers and their wallets can do with a collector, and the service never does itself. */
const { abi } = subscriptionCollector;

/** A log of the collector. Addresses are in lower case. */
export type CollectorEvent =
  | { readonly kind: 'authorized'; readonly id: Hex; readonly mandate: Mandate }
  | { readonly kind: 'revoked'; readonly id: Hex; readonly payer: Address }
  | {
      readonly kind: 'collected';
      readonly id: Hex;
      readonly number: number;
      readonly payer: Address;
      /** The amount that left the payer; a token with a fee on transfer delivers less, as its own Transfer log says. */
      readonly amount: bigint;
    }
  | { readonly kind: 'failed'; readonly id: Hex; readonly number: number; readonly reason: CollectReason };

/** Decodes a log; null when it is another contract's or concerns no mandate. */
export function decodeCollectorLog(
  collector: string,
  log: Pick<RawLog, 'address' | 'topics' | 'data'>,
): CollectorEvent | null {
  if (log.address.toLowerCase() !== collector.toLowerCase()) return null;
  const topics = log.topics as [Hex, ...Hex[]];
  const event = decodeEventLog({ abi, topics, data: log.data as Hex });
  switch (event.eventName) {
    case 'Authorized': {
      const { id, mandate } = event.args;
      return {
        kind: 'authorized',
        id,
        mandate: { ...mandate, payer: lower(mandate.payer), token: lower(mandate.token) },
      };
    }
    case 'Collected':
      return { kind: 'collected', ...event.args, payer: lower(event.args.payer) };
    case 'CollectFailed':
      return { kind: 'failed', ...event.args, reason: reasonOf(event.args.reason) };
    case 'Revoked':
      return { kind: 'revoked', ...event.args, payer: lower(event.args.payer) };
    default:
      return null;
  }
}

const lower = (address: Address): Address => address.toLowerCase() as Address;
