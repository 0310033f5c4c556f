import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { findFreePort } from '../../../src/db/daemon.ts';
import type { Db } from '../../../src/lib/db-types.ts';
import { createTurns } from '../../../src/lib/turns.ts';
import { type ServiceProcess, startServiceProcess } from '../../lib/service-process.ts';
import type { Endings } from '../stage.ts';

/** Processes of one service that are killed and restarted again and again. */
export type Cluster = {
  readonly baseUrl: string;
  /** Kills a random one and restarts it; every fourth is killed again during its start. */
  readonly killOne: () => Promise<void>;
  /** Kills all of them at once and restarts them after `meanwhile`. */
  readonly outage: (meanwhile: () => Promise<void>) => Promise<void>;
  readonly ready: () => Promise<void>;
  readonly kills: () => number;
  /** Kills during a start. */
  readonly early: () => number;
};

type Member = { readonly port: number; readonly env: Readonly<Record<string, string>>; service: ServiceProcess };

const EARLY_OF = 4;

/** Starts a process for each of `roles`. The first takes all requests, so it serves the API. */
export async function startCluster(
  roles: readonly string[],
  { dataDir, env, db }: { readonly dataDir: string; readonly env: Readonly<Record<string, string>>; readonly db: Db },
  endings: Endings,
): Promise<Cluster> {
  const start = ({ port, env: own }: Pick<Member, 'port' | 'env'>) =>
    startServiceProcess({ dataDir, port, env: { ...env, ...own } });
  const members: Member[] = [];
  for (const role of roles) {
    const about = { port: await findFreePort(), env: { KASI_ROLES: role } };
    const member = { ...about, service: await start(about) };
    members.push(member);
    endings.push(() => member.service.kill());
  }
  const inTurn = createTurns();
  let [kills, early, startMs] = [0, 0, 1_000];
  const untilReady = async ({ service }: Member): Promise<void> => {
    const since = performance.now();
    await service.ready();
    startMs = Math.max(100, performance.now() - since);
  };
  const kill = async ({ service }: Member): Promise<void> => {
    kills += 1;
    await service.kill();
    await endLeases(db, service.pid);
  };
  const restart = async (member: Member): Promise<void> => {
    member.service = await start(member);
  };
  await Promise.all(members.map(untilReady));
  return {
    baseUrl: `http://127.0.0.1:${members[0]?.port}`,
    killOne: () =>
      inTurn(async () => {
        const member = members[randomInt(members.length)] as Member;
        await kill(member);
        await restart(member);
        if (kills % EARLY_OF === 0) {
          await sleep(randomInt(Math.ceil(startMs)));
          early += 1;
          await kill(member);
          await restart(member);
        }
        await untilReady(member);
      }),
    outage: (meanwhile) =>
      inTurn(async () => {
        await Promise.all(members.map(kill));
        await meanwhile();
        await Promise.all(members.map(restart));
        await Promise.all(members.map(untilReady));
      }),
    ready: () => inTurn(async () => void (await Promise.all(members.map(untilReady)))),
    kills: () => kills,
    early: () => early,
  };
}

/**
 * Ends leases of dead processes. Leases run on the real clock, for up to a minute, which is months of the campaign's
 * time.
 */
async function endLeases(db: Db, pid: number): Promise<void> {
  for (const table of ['charges', 'operator_accounts', 'chain_cursors']) {
    await sql`update ${sql.table(table)} set locked_until = clock_timestamp() - interval '1 second'
               where locked_by like ${`%:${pid}%`} and locked_until > clock_timestamp()`.execute(db);
  }
}
