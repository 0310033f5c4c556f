import type { Db } from '../../lib/db-types.ts';
import type { Network } from '../../ports/chain.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { Job, JobRun } from '../../ports/job.ts';
import type { OperatorAccount } from '../../ports/operator.ts';
import { confirmMined, noteTaken, restoreLost } from './fate.ts';
import { findMined, type OperatorListener, type Pass, type Patience, startPass, transition } from './pass.ts';
import { findOldestUnmined } from './queries.ts';
import { replaceStuck } from './repairs.ts';
import { sendDue } from './sending.ts';
import { claimAccount, isAnyUnsettled, listBusyAccounts, listOpen, markMined, releaseAccount } from './transitions.ts';

export type OperatorJobDeps = {
  readonly db: Db;
  readonly chains: Pick<Chains, 'openOperatorNode'>;
  readonly networks: readonly Network[];
  /** The accounts whose keys this process has; what others have signed is sent all the same, and never replaced. */
  readonly accounts: readonly OperatorAccount[];
  readonly listeners: readonly OperatorListener[];
  /** This process's name among those that work on the same database. */
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
  readonly patience?: Patience;
};

const PATIENCE: Patience = { resendMs: 5_000, stuckMs: 15_000 };
const OPEN_MAX = 200;

/** Sends what was enqueued until it is in a block, and follows it there until it is confirmed. */
export function operatorJobs(deps: OperatorJobDeps): Job[] {
  const logOnce = createLogOnce(deps.log);
  return [
    {
      name: 'operator.send',
      cron: '* * * * * *',
      wakeOn: 'kasi_operator',
      hasWork: () => isAnyUnsettled,
      run: (run) => sendAll(deps, run, logOnce),
      // Unmined transactions stop the sandbox's clock, so that it does not run past their outcome.
      nextDue: () =>
        findOldestUnmined(
          deps.db,
          deps.networks.map(({ name }) => name),
        ),
    },
  ];
}

/** Works on all networks at once: a node that is away delays only its own. */
async function sendAll(deps: OperatorJobDeps, { now, signal }: JobRun, logOnce: LogOnce): Promise<void> {
  if (deps.networks.length === 0) return;
  const names = deps.networks.map(({ name }) => name);
  const busy = await listBusyAccounts(deps.db, names);
  await Promise.all(
    deps.networks.map((network) =>
      logOnce(network.name, async () => {
        const pass = startPass({ patience: PATIENCE, ...deps }, network, now);
        for (const account of busy.filter((each) => each.network === network.name)) {
          await workOn(deps.worker, { ...pass, account }, signal);
        }
        await confirmMined(pass);
      }),
    ),
  );
}

async function workOn(worker: string, pass: Pass, signal: AbortSignal): Promise<void> {
  try {
    do {
      // The worker that has the lease was woken for the same work.
      if (!(await claimAccount(pass.db, pass.account, worker))) return;
    } while ((await passOnce(pass)) && !signal.aborted);
  } finally {
    await releaseAccount(pass.db, pass.account, worker);
  }
}

/**
 * Looks once at the account's unmined transactions: notes which are in a block now and which never will be, and sends
 * what is due. True when that changed something, so that another look may show more. May be killed anywhere and run
 * concurrently.
 */
async function passOnce(pass: Pass): Promise<boolean> {
  const open = await listOpen(pass.db, pass.account, OPEN_MAX);
  if (open.length === 0) return false;
  const counts = await pass.node.readCounts(pass.account.address);
  const found = await findMined(
    pass,
    open.filter(({ nonce }) => nonce < counts.mined),
  );
  const foundIds = found.map(({ id }) => id);
  const mined = await transition(pass, foundIds, (trx) => markMined(trx, found));
  const waiting = open.filter(({ id }) => !foundIds.includes(id));
  const dropped = await noteTaken(pass, waiting, counts);
  const remade = await restoreLost(pass, waiting, counts);
  const handed = await sendDue(pass, waiting, counts);
  const replaced = await replaceStuck(pass, waiting, handed.underpriced);
  return mined + dropped + remade + handed.sent + replaced > 0;
}

type LogOnce = (network: string, work: () => Promise<void>) => Promise<void>;

/** Runs the work on a network and logs why it failed, the same message only once in a row. */
function createLogOnce(log: OperatorJobDeps['log']): LogOnce {
  const logged = new Map<string, string>();
  return async (network, work) => {
    try {
      await work();
      logged.delete(network);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (logged.get(network) !== message)
        log(error, `${network}: transactions of the operator could not be worked on`);
      logged.set(network, message);
    }
  };
}
