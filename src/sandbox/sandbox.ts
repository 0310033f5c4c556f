import { MNEMONIC } from '../chains/evm/dev-accounts.ts';
import { createFaucet, type Faucet } from '../chains/evm/faucet.ts';
import { type EvmNetwork, isEvmNetwork } from '../chains/evm/network.ts';
import type { Clock } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { createTurnsByKey, type TurnsByKey } from '../lib/turns.ts';
import type { Network } from '../ports/chain.ts';
import type { Job } from '../ports/job.ts';
import type { SettingsReader } from '../settings/settings.ts';
import type { SubscribeDeps } from '../subscriptions/service.ts';
import { openBitcoin, type SandboxBitcoin } from './bitcoin.ts';
import type { ChainControl } from './chain-control.ts';
import type { MissingNetwork } from './network.ts';
import { createWalk, type Walk } from './walk.ts';

export type SandboxDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** The network that `prepareSandboxNetwork` returned is among them. */
  readonly networks: readonly Network[];
  readonly settings: Pick<SettingsReader, 'latest'>;
  /** The dependencies for subscribing a customer. */
  readonly subscribing: SubscribeDeps;
  readonly chain: ChainControl;
  /** The networks that could not start. */
  readonly missing?: readonly MissingNetwork[];
  /** All jobs of the features: a walk runs them at every stop. */
  readonly jobs: readonly Job[];
  /** Makes this process's watcher look now instead of at its next poll. */
  readonly poke?: () => void;
  readonly log: (error: unknown, message: string) => void;
};

/** The sandbox of a process. */
export type Sandbox = SandboxDeps & {
  readonly network: EvmNetwork;
  /** Null where no Bitcoin node could be started. */
  readonly bitcoin: SandboxBitcoin | null;
  readonly mnemonic: string;
  readonly faucet: Faucet;
  readonly walk: Walk;
  /**
   * A queue for each payment that is being paid, so that a double click does not pay twice, and for each wallet that is
   * changed.
   */
  readonly inTurn: TurnsByKey;
};

/** Builds what the sandbox's operations, buttons and jobs share; once per process. */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const network = deps.networks.find(isEvmNetwork);
  if (!network) throw new Error('the sandbox has no network');
  const bitcoin = openBitcoin(deps.networks, deps.clock);
  return {
    ...deps,
    network,
    bitcoin,
    mnemonic: MNEMONIC,
    faucet: createFaucet(network, MNEMONIC),
    walk: createWalk({ ...deps, network, bitcoin }),
    inTurn: createTurnsByKey(),
  };
}
