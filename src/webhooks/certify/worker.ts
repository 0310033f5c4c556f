import { randomUUID } from 'node:crypto';
import type { Subscribe } from '../../lib/channels.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db-types.ts';
import type { JobRun } from '../../ports/job.ts';
import { type Bell, createBell } from '../bell.ts';
import { listKeys, type SigningKeys } from '../keys.ts';
import { type EndpointDeps, playAtEndpoint } from './endpoint-player.ts';
import { pendingChecks, playSuite, verdictOf } from './play.ts';
import { type ClaimedRun, claimRuns, finishRun, interruptRuns, releaseRun, saveProgress } from './queries.ts';

// What is played, and in which order: decision webhooks/only-handlers-get-the-whole-suite.

/** How many certifications a process plays at once. */
const CONCURRENCY = 16;
/** How often a run looks for new certifications while it waits for slow endpoints. */
const POLL_MS = SECOND_MS;

export type CertifierDeps = EndpointDeps & {
  readonly db: Db;
  readonly keys: SigningKeys;
  readonly subscribe: Subscribe;
  readonly log: (error: unknown, message: string) => void;
};

/**
 * Plays waiting certifications. The returned function runs until none waits and none is being played, or until its
 * signal is aborted and the requests in flight have ended. Another process continues with the rest.
 */
export function createCertifier(deps: CertifierDeps): (run: JobRun) => Promise<void> {
  const worker = randomUUID();
  const bell = createBell();
  deps.subscribe('kasi_certifications', bell.ring);
  return ({ signal }) => playWaiting(deps, worker, bell, signal);
}

async function playWaiting(deps: CertifierDeps, worker: string, bell: Bell, signal: AbortSignal): Promise<void> {
  let playing = 0;
  for (;;) {
    await interruptRuns(deps.db, deps.clock.now());
    const free = signal.aborted ? 0 : CONCURRENCY - playing;
    const claimed = free > 0 ? await claimRuns(deps.db, worker, free, pendingChecks()) : [];
    for (const run of claimed) {
      playing += 1;
      void playOne(deps, worker, run, signal).finally(() => {
        playing -= 1;
        bell.ring();
      });
    }
    if (playing === 0) return;
    await bell.wait(POLL_MS);
  }
}

/**
 * Plays one run to its end. A run whose lease we lose, or that fails through our own fault, starts over when its lease
 * has ended.
 */
async function playOne(deps: CertifierDeps, worker: string, run: ClaimedRun, stopped: AbortSignal): Promise<void> {
  const lost = new AbortController();
  try {
    const checks = await playSuite({
      ...playAtEndpoint(deps, run, await openKeys(deps, run.merchantId)),
      signal: AbortSignal.any([stopped, lost.signal]),
      onProgress: async (made) => {
        if (!(await saveProgress(deps.db, worker, run, made))) lost.abort();
      },
    });
    if (lost.signal.aborted) return;
    if (stopped.aborted) await releaseRun(deps.db, worker, run);
    else await finishRun(deps.db, worker, run, { checks, verdict: verdictOf(checks) }, deps.clock.now());
  } catch (error) {
    deps.log(error, `the certification ${run.id} broke off`);
  }
}

async function openKeys(deps: CertifierDeps, merchantId: string) {
  const ids = (await listKeys(deps.db, merchantId, deps.clock.real())).map(({ id }) => id);
  const opened = await deps.keys(ids);
  const keys = ids.flatMap((id) => opened.get(id) ?? []);
  if (keys.length === 0 || keys.length < ids.length) throw new Error(`a webhook key of ${merchantId} does not open`);
  return keys;
}
