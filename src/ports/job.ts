import type { Channel } from '../lib/channels.ts';

/** One run of a job. `now` is business time; a run ends early when `signal` is aborted. */
export type JobRun = { readonly now: Date; readonly real: Date; readonly signal: AbortSignal };

/**
 * Timed work: a sweep over rows that are due. A lost run is only late and a repeated one does nothing, because the rows decide.
 */
export type Job = {
  readonly name: string;
  /** Cron pattern with seconds, UTC; one process of the cluster runs each tick. */
  readonly cron: string;
  /** A notification on this channel runs the job at once, in every process; its rows' leases keep the runs apart. */
  readonly wakeOn?: Channel;
  readonly run: (run: JobRun) => Promise<void>;
  /** The next business time at which a row will be due, for the sandbox's clock; null when none waits. */
  readonly nextDue?: () => Promise<Date | null>;
};
