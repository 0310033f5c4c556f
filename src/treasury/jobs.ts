import { unlessReorganised } from '../chains/unknown-block.ts';
import { messageOf } from '../lib/errors.ts';
import { assetsOf } from '../ports/assets.ts';
import type { Network } from '../ports/chain.ts';
import type { Job, JobRun } from '../ports/job.ts';
import type { OperatorAccount } from '../ports/operator.ts';
import { settleSweeps } from './settle.ts';
import { planSweep, type SweepDeps, storeSweeps } from './sweep.ts';

export type TreasuryJobDeps = SweepDeps & {
  readonly networks: readonly Network[];
  /** The account that pays for sweeps; null: this process sweeps nothing. */
  readonly sweeper: OperatorAccount | null;
  readonly log: (error: unknown, message: string) => void;
};

/** Sweeps deposits into the treasury once an hour where that pays, and looks after each sweep until it is confirmed. */
export const treasuryJobs = (deps: TreasuryJobDeps): Job[] => [
  { name: 'treasury.sweep', cron: '0 23 * * * *', run: (run) => sweepAll(deps, run) },
  { name: 'treasury.settle', cron: '*/20 * * * * *', run: ({ now }) => settleSweeps(deps, deps.networks, now) },
];

async function sweepAll(deps: TreasuryJobDeps, { now, signal }: JobRun): Promise<void> {
  const { sweeper, networks, log } = deps;
  if (sweeper === null) return;
  for (const network of networks) {
    for (const asset of assetsOf(network)) {
      if (signal.aborted) return;
      // A node that is away, or a token that refuses everything, holds up nothing else.
      try {
        const plan = await unlessReorganised(() => planSweep(deps, network, asset, { from: sweeper.address, now }));
        if (plan) await storeSweeps({ ...deps, sweeper }, plan, now);
      } catch (error) {
        log(error, `${network.name}: ${asset.symbol} could not be swept: ${messageOf(error)}`);
      }
    }
  }
}
