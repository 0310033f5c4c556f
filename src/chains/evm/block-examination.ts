import type { BlockPlace } from '../../ports/chain.ts';
import type { RpcRequest } from '../json-rpc.ts';
import type { Statement } from '../testimony.ts';
import { mayHave, parseBloom } from './bloom.ts';
import { askForLogs, isWhole } from './logs.ts';
import type { EvmNetwork } from './network.ts';
import type { RawBlock } from './rpc.ts';
import { type RawLog, TRANSFER_TOPIC, WORD_LENGTH } from './transfers.ts';

/** Transfers to look for in a block. */
export type Wanted = {
  readonly contracts: readonly string[];
  readonly recipients: readonly string[];
  /** What is said where they are not there. */
  readonly what: string;
  readonly isThere: (logs: readonly RawLog[]) => boolean;
};

const DATA_START = 2;
/** Nodes refuse a filter of more than a thousand topics; of more recipients than this all transfers are asked for. */
const RECIPIENTS_MAX = 500;

/** Looks for transfers in the very block at its height. Denies for certain only what the block's header rules out. */
export async function examineBlock(
  network: EvmNetwork,
  request: RpcRequest,
  block: BlockPlace,
  wanted: Wanted,
): Promise<Statement> {
  const at = `0x${block.height.toString(16)}`;
  const [chainId, header] = await Promise.all([
    request<string>('eth_chainId', []),
    request<RawBlock | null>('eth_getBlockByNumber', [at, false]),
  ]);
  if (header === null || Number(chainId) !== network.chainId) return undefined;
  if (header.hash !== block.hash) {
    return { what: `has ${header.hash} as block ${block.height}`, certain: true, otherBlock: true };
  }
  const recipients = [...new Set(wanted.recipients)].map(toTopic);
  const logs = await askForLogs(network, request, block, {
    address: [...new Set(wanted.contracts)],
    topics: [[TRANSFER_TOPIC], null, recipients.length > RECIPIENTS_MAX ? null : recipients],
  });
  if (wanted.isThere(logs)) return 'agrees';
  const denial = { what: `${wanted.what} in block ${block.height} (${block.hash})`, otherBlock: false };
  const bloom = parseBloom(header.logsBloom);
  if (bloom === undefined) return { ...denial, certain: false };
  if (!recipients.every((topic) => mayHave(bloom, topic))) return { ...denial, certain: true };
  const whole = await askForLogs(network, request, block, {});
  if (wanted.isThere(whole)) return 'agrees';
  return { ...denial, certain: await isWhole(whole, bloom) };
}

const toTopic = (address: string): string => `0x${address.slice(DATA_START).padStart(WORD_LENGTH - DATA_START, '0')}`;
