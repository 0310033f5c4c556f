import type { RawBuilder } from 'kysely';
import type { Channel } from '../lib/channels.ts';

/** One run of a job. `now` is business time, `real` wall time; the run ends early once `signal` is aborted. */
export type JobRun = { readonly now: Date; readonly real: Date; readonly signal: AbortSignal };

/** Timed work on rows that are due. The rows decide: a lost run is only late, and a repeated one does nothing. */
export type Job = {
  readonly name: string;
  /** Cron pattern with seconds, UTC; one process of the cluster runs each tick. */
  readonly cron: string;
  /** A wake on this channel runs the job at once, in every process; the rows' leases and locks keep the runs apart. */
  readonly wakeOn?: Channel;
  readonly run: (run: JobRun) => Promise<void>;
  /**
   * Whether rows wait for it, as a condition in SQL that costs no more than a few index probes. A tick runs the job
   * only when it is true; all of a second are asked in one statement, so that an idle process is quiet. Without it,
   * each tick runs the job.
   */
  readonly hasWork?: (run: Omit<JobRun, 'signal'>) => RawBuilder<boolean>;
  /** The next business time at which a row is due, for the sandbox's clock; null if no row waits. */
  readonly nextDue?: () => Promise<Date | null>;
};
