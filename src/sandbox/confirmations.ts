import type { Network } from '../ports/chain.ts';
import { confirmationsOn, type SettingsReader } from '../settings/settings.ts';

/** On the dev chain the final block is two behind the head. */
const FINALIZED = 3;

/** The blocks that a transfer needs on a test network at present, its own included. */
export function confirmationsOf(deps: {
  readonly network: Network;
  readonly settings: Pick<SettingsReader, 'latest'>;
}): number {
  const confirmations = confirmationsOn(deps.settings.latest(), deps.network);
  return confirmations === 'finalized' ? FINALIZED : confirmations;
}
