import type { Db } from '../../lib/db-types.ts';
import type { Network } from '../../ports/chain.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { Job, JobRun } from '../../ports/job.ts';
import type { OperatorAccount } from '../../ports/operator.ts';
import { noteTaken, restoreLost, settleMined } from './fate.ts';
import { findMined, move, type OperatorListener, type Pass, type Patience, startPass } from './pass.ts';
import { findOldestUnmined } from './queries.ts';
import { replaceStuck } from './repairs.ts';
import { sendDue } from './sending.ts';
import { claimAccount, listBusyAccounts, listOpen, markMined, releaseAccount } from './transitions.ts';

export type OperatorJobDeps = {
  readonly db: Db;
  readonly chains: Pick<Chains, 'openOperatorNode'>;
  readonly networks: readonly Network[];
  /** Whose key this process holds; null: what was signed is sent all the same, and nothing is replaced. */
  readonly operator: OperatorAccount | null;
  readonly listeners: readonly OperatorListener[];
  /** Names this process among those that work on the same database. */
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
  readonly patience?: Patience;
};

const PATIENCE: Patience = { resendMs: 5_000, stuckMs: 15_000 };
const OPEN_MAX = 200;

/** The timed work on what was enqueued: sending it until it is in a block, and watching it there until it counts. */
export function operatorJobs(deps: OperatorJobDeps): Job[] {
  const tell = createTeller(deps.log);
  return [
    {
      name: 'operator.send',
      cron: '* * * * * *',
      wakeOn: 'kasi_operator',
      run: (run) => sendAll(deps, run, tell),
      // Somebody waits for what is in no block yet, so the sandbox's clock does not run past it.
      nextDue: () =>
        findOldestUnmined(
          deps.db,
          deps.networks.map(({ name }) => name),
        ),
    },
  ];
}

/** A node that is away keeps nobody waiting but its own network. */
async function sendAll(deps: OperatorJobDeps, { now, signal }: JobRun, tell: Teller): Promise<void> {
  if (deps.networks.length === 0) return;
  const names = deps.networks.map(({ name }) => name);
  const busy = await listBusyAccounts(deps.db, names);
  await Promise.all(
    deps.networks.map((network) =>
      tell(network.name, async () => {
        const pass = startPass({ patience: PATIENCE, ...deps }, network, now);
        for (const account of busy.filter((each) => each.network === network.name)) {
          await workOn(deps.worker, { ...pass, account }, signal);
        }
        await settleMined(pass);
      }),
    ),
  );
}

async function workOn(worker: string, pass: Pass, signal: AbortSignal): Promise<void> {
  try {
    do {
      // Whoever has it has heard of the same work.
      if (!(await claimAccount(pass.db, pass.account, worker))) return;
    } while ((await passOnce(pass)) && !signal.aborted);
  } finally {
    await releaseAccount(pass.db, pass.account, worker);
  }
}

/**
 * Looks once at everything of the account that is in no block: notes what is in one now and what never will be, and sends what has to be
 * sent. True when that has changed something, so that another look may show more. May be killed anywhere and run beside others.
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
  const mined = await move(pass, foundIds, (trx) => markMined(trx, found));
  const waiting = open.filter(({ id }) => !foundIds.includes(id));
  const dropped = await noteTaken(pass, waiting, counts);
  const remade = await restoreLost(pass, waiting, counts);
  const handed = await sendDue(pass, waiting, counts);
  const replaced = await replaceStuck(pass, waiting, handed.underpriced);
  return mined + dropped + remade + handed.sent + replaced > 0;
}

type Teller = (network: string, work: () => Promise<void>) => Promise<void>;

/** Runs the work on a network and logs why it failed, but not the same thing every second. */
function createTeller(log: OperatorJobDeps['log']): Teller {
  const told = new Map<string, string>();
  return async (network, work) => {
    try {
      await work();
      told.delete(network);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (told.get(network) !== message) log(error, `${network}: transactions of the operator could not be worked on`);
      told.set(network, message);
    }
  };
}
