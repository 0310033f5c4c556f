import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceOptions, type ServiceProcess, startServiceProcess } from '../lib/service-process.ts';

/** A service that is killed and restarted again and again. */
export type Victim = {
  /**
   * Kills it with SIGKILL within a new life, possibly before it is ready, and starts it again. Half of the moments are
   * random; the others follow shortly after `event`, when there is work to interrupt.
   */
  readonly killSoon: (event: () => Promise<unknown>) => Promise<void>;
  /** The number of kills before it was ready. */
  readonly early: () => number;
  readonly ready: () => Promise<void>;
  /** Stops it gracefully; no more kills follow. */
  readonly stop: () => Promise<void>;
};

/** Every fourth kill comes during a start. */
const EARLY_OF = 4;
/** How long it may live after the event. */
const AFTERWARDS_MS = 700;

/** Starts the service. A life lasts at most `aliveMaxMs` beyond readiness. Resolves before it is ready. */
export async function startVictim(options: ServiceOptions, aliveMaxMs: number): Promise<Victim> {
  let service: ServiceProcess = await startServiceProcess(options);
  let moving: Promise<void> = Promise.resolve();
  let [ended, kills, startMs] = [false, 0, 1_000];

  const untilReady = async (): Promise<void> => {
    const since = performance.now();
    await service.ready();
    startMs = performance.now() - since;
  };
  const killAndStart = async (): Promise<void> => {
    if (ended) throw new Error('the service was stopped for good');
    await service.kill();
    service = await startServiceProcess(options);
  };
  return {
    killSoon: async (event) => {
      kills += 1;
      if (kills % EARLY_OF === 0) {
        await sleep(randomInt(Math.ceil(startMs)));
      } else {
        await untilReady();
        await sleep(randomInt(aliveMaxMs));
        if (randomInt(2) === 0) await event().then(() => sleep(randomInt(AFTERWARDS_MS)));
      }
      moving = killAndStart();
      await moving;
    },
    early: () => Math.floor(kills / EARLY_OF),
    ready: () => service.ready(),
    stop: async () => {
      ended = true;
      await moving.catch(() => undefined);
      await service.stop();
    },
  };
}
