import { readText } from '../../src/db/daemon.ts';

/** The pids of the processes that a process has started and that still live (Linux); none when it has ended. */
export const listChildren = (pid: number): number[] =>
  (readText(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);
