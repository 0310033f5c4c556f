import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readText } from '../../src/db/daemon.ts';
import { untilAnswers } from '../../src/lib/until-answers.ts';

const ASK_EVERY_MS = 50;

/** The pids of the processes that a process has started and that still live (Linux); none when it has ended. */
export const listChildren = (pid: number): number[] =>
  (readText(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number);

/** Whether a process that we have started is gone. */
export const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Sends a process that we have started a signal, and resolves when it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasExited(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Resolves once what a process was started for answers. Throws what `failure` makes of it if that never happens. */
export async function requireAnswers(
  child: ChildProcess,
  ask: () => Promise<unknown>,
  failure: (why: string) => Error,
): Promise<void> {
  if (!(await untilAnswers(() => hasExited(child), { ask, everyMs: ASK_EVERY_MS, failure }))) throw failure('ended');
}

/** Resolves once a process answers there that it is well. Throws like `requireAnswers`. */
export const untilOk = (url: string, child: ChildProcess, failure: (why: string) => Error): Promise<void> =>
  requireAnswers(
    child,
    async () => {
      const { ok, status } = await fetch(url);
      if (!ok) throw new Error(`it answers ${status}`);
    },
    failure,
  );
