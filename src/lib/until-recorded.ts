import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from './clock.ts';

export type Recording = {
  /** Records what was done; does nothing when that is recorded already. */
  readonly record: () => Promise<unknown>;
  /** How long to retry: no longer than the lease, after which another process may do the same work. */
  readonly seconds: number;
  /** Told of each attempt that fails. */
  readonly log: (error: unknown) => void;
  /** Ends the attempts. */
  readonly signal: AbortSignal;
};

/** Records what can't be undone, such as what was sent, each second again while the database is away. */
export async function untilRecorded({ record, seconds, log, signal }: Recording): Promise<void> {
  for (let waited = 0; ; waited += 1) {
    try {
      await record();
      return;
    } catch (error) {
      log(error);
      if (signal.aborted || waited >= seconds) throw error;
      await sleep(SECOND_MS);
    }
  }
}
