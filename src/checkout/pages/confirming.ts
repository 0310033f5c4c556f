import type { components } from '../../../generated/api.ts';
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { networkText } from './format.ts';

type PublicPayment = components['schemas']['PublicPayment'];

/** How far apart the blocks of a network are on the average. Of a network that is not listed we say nothing. */
const BLOCK_MS: Readonly<Record<string, number>> = {
  bitcoin: 10 * MINUTE_MS,
  ethereum: 12 * SECOND_MS,
  polygon: 2 * SECOND_MS,
  base: 2 * SECOND_MS,
  bsc: SECOND_MS,
  arbitrum: SECOND_MS / 4,
};
/** Blocks that are rare are also irregular. */
const RARE_MS = MINUTE_MS;

/** Whether the transfer that completes the payment still waits for a block. */
export const waitsForBlock = ({ confirmations, transactions, token }: PublicPayment): boolean =>
  confirmations.seen === 0 && transactions.some((transfer) => transfer.token === token && transfer.block === 0);

/** How far the confirmation is, and how long the rest takes, where that is known. */
export function confirmingText(payment: PublicPayment): string[] {
  const { confirmations, network } = payment;
  const { seen, required } = confirmations;
  const name = networkText(network);
  const blocks = required === 1 ? 'one block confirms' : `${required} blocks confirm`;
  const progress = waitsForBlock(payment)
    ? `${name} has seen your transfer. It waits for a block now; ${blocks} it.`
    : `${seen} of ${required} confirmations on ${name}.`;
  const every = BLOCK_MS[network];
  if (every === undefined || seen >= required) return [progress];
  const rest = `That takes about ${durationText((required - seen) * every)}.`;
  return [progress, every < RARE_MS ? rest : `${rest} Blocks are irregular, so it can take longer.`];
}

/** `20 minutes`; less than a minute is rounded up to one. */
function durationText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
