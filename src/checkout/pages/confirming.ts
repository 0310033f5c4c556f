import type { components } from '../../../generated/api.ts';
import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { networkText } from './format.ts';
import type { Words } from './words.ts';

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
export const waitsForBlock = ({ confirmations, transactions }: PublicPayment): boolean =>
  confirmations.seen === 0 && transactions.some(({ astray, block }) => astray === null && block === 0);

/** The network whose confirmations are awaited: where the money came, which is not always what was chosen before. */
const networkOf = ({ transactions, network }: PublicPayment): string =>
  transactions.find(({ astray }) => astray === null)?.network ?? network;

/** How far the confirmation is, and how long the rest takes, where that is known. */
export function confirmingText(payment: PublicPayment, { say }: Words): string[] {
  const { confirmations } = payment;
  const network = networkOf(payment);
  const { seen, required } = confirmations;
  const name = networkText(network);
  const progress = waitsForBlock(payment)
    ? say('payment.confirming.seen', { network: name, required })
    : say('payment.confirming.progress', { network: name, seen, required });
  const every = BLOCK_MS[network];
  if (every === undefined || seen >= required) return [progress];
  // Less than a minute is rounded up to one.
  const minutes = Math.max(1, Math.round(((required - seen) * every) / MINUTE_MS));
  const rest = say('payment.confirming.takes', { minutes });
  return [progress, every < RARE_MS ? rest : `${rest} ${say('payment.confirming.irregular')}`];
}
