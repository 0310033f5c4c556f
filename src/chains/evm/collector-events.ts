import type { BlockRef, CollectorEvent, TokenTransfer } from '../../ports/chain.ts';
import type { EvmNetwork } from './network.ts';
import { addressIn, type Places, type RawLog, takePlace, WORD_LENGTH } from './transfers.ts';

/** keccak256 of the event signatures of SubscriptionCollector.sol. */
export const COLLECTOR_TOPICS = {
  /** Authorized(bytes32 indexed id, address indexed payer, bytes32 indexed ref, Mandate mandate) */
  authorized: '0x2bae8af81907c26173d2ed035dd1538860fa17909ff82fb43e2c7e758a3ea999',
  /** Revoked(bytes32 indexed id, address indexed payer) */
  revoked: '0x5bc2baf870c5baf189838b5e0b0e3b04a3263e2df5d305d1c15f3e6022f5dc45',
  /** Collected(bytes32 indexed id, uint32 indexed number, address indexed payer, uint256 amount) */
  collected: '0x3645e940fe4f0e38cd0192818b2453233f3daccf6db88dc9fe1880b2e60d6f02',
  /** CollectFailed(bytes32 indexed id, uint32 indexed number, Reason reason) */
  collectFailed: '0x7903c6aa67a06799842e89ecfa7e74a9ee4a6fb14320f4be853c43b1a99aaa9f',
} as const;

const MANDATE_WORDS = 8;
const dataLength = (words: number): number => 2 + words * (WORD_LENGTH - 2);

/**
 * The event in a log of the network's collector; undefined for other events and shapes. `findTransfer` finds the
 * transfer of a collection.
 */
export function toCollectorEvent(
  network: EvmNetwork,
  block: BlockRef,
  log: RawLog,
  places: Places,
  findTransfer: (payer: string) => TokenTransfer | null,
): CollectorEvent | undefined {
  const said = readEvent(log, findTransfer);
  const [, mandateId] = log.topics;
  if (said === undefined || mandateId === undefined) return undefined;
  return {
    network: network.name,
    collector: log.address.toLowerCase(),
    block,
    txHash: log.transactionHash,
    place: takePlace(places, log),
    mandateId: mandateId.toLowerCase(),
    ...said,
  };
}

type SaidByEvent = CollectorEvent extends infer E ? (E extends CollectorEvent ? Omit<E, keyof Common> : never) : never;
type Common = Pick<CollectorEvent, 'network' | 'collector' | 'block' | 'txHash' | 'place' | 'mandateId'>;

function readEvent(
  { topics, data }: RawLog,
  findTransfer: (payer: string) => TokenTransfer | null,
): SaidByEvent | undefined {
  const [event, , second, third] = topics;
  const has = (count: number, words: number): boolean => topics.length === count && data.length === dataLength(words);
  if (second === undefined) return undefined;
  switch (event) {
    case COLLECTOR_TOPICS.authorized:
      return has(4, MANDATE_WORDS) ? { kind: 'authorized', payer: addressIn(second) } : undefined;
    case COLLECTOR_TOPICS.revoked:
      return has(3, 0) ? { kind: 'revoked', payer: addressIn(second) } : undefined;
    case COLLECTOR_TOPICS.collected: {
      if (third === undefined || !has(4, 1)) return undefined;
      const payer = addressIn(third);
      const transfer = findTransfer(payer);
      return { kind: 'collected', payer, number: Number(second), amountUnits: BigInt(data), transfer };
    }
    case COLLECTOR_TOPICS.collectFailed:
      return has(3, 1) ? { kind: 'collect_failed', number: Number(second), reason: Number(data) } : undefined;
    default:
      return undefined;
  }
}
