import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../src/lib/db-types.ts';
import { createRpc, type Rpc } from '../../../src/sandbox/anvil.ts';
import type { ChainControl } from '../../../src/sandbox/chain-control.ts';
import { moveClock } from '../../../src/sandbox/clock.ts';
import { pauseSandboxMiner } from '../../lib/pause-miner.ts';
import { until } from '../../lib/wait.ts';
import type { Endings } from '../stage.ts';
import { CONFIRMATIONS } from './cast.ts';
import { findBreak } from './chain-facts.ts';

/** Business time, moved by the campaign without the service; its processes are notified as of any move. */
export type Time = {
  readonly now: () => Date;
  /** Sets the clocks of service and chain, and wakes the jobs instead of waiting for their next second. */
  readonly goTo: (time: Date) => Promise<void>;
  /**
   * Resolves when all that is due is done and confirmed; with `all`, when nothing at all is in progress. Moves the
   * clock for what was put off by minutes. Throws, with what is left, if that does not happen.
   */
  readonly rest: (all?: 'all') => Promise<void>;
  /** Resolves when a transaction is in the node's pool, or after a while, because often there is none. */
  readonly untilSent: () => Promise<void>;
};

const SECOND_MS = 1000;
/** What only the service delays is retried within this time. */
const SOON_MS = 3_600_000;
const LOOK_BACK = 5_000;
/** How far our clock may be behind that of a process. */
const CLOCKS_MS = 50;
const REST_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 20;
/** How long the service may take for the newest block before we assume that it waits for the next one. */
const MINE_EVERY_MS = 150;
const SENT_WITHIN_MS = 1_500;
const HOLD_EVERY_MS = 2_000;

/** Begins now and pauses the service's own miner: only the campaign makes blocks. */
export async function createTime(db: Db, chain: ChainControl, endings: Endings): Promise<Time> {
  const rpc = createRpc(chain.rpcUrl);
  let now = new Date();
  let movedAt = Date.now();
  // The clocks of the service go on from where they were moved to, and what it puts off is due by them.
  const present = (): Date => new Date(now.getTime() + Date.now() - movedAt + CLOCKS_MS);
  await pauseSandboxMiner(db);
  const holding = setInterval(() => pauseSandboxMiner(db).catch(() => undefined), HOLD_EVERY_MS);
  endings.push(async () => clearInterval(holding));
  const goTo = async (time: Date): Promise<void> => {
    now = time;
    movedAt = Date.now();
    await moveClock(db, { now: () => now, real: () => new Date() }, time);
    await chain.setTime(new Date(time.getTime() + SECOND_MS));
    await wake(db);
  };
  return {
    now: () => now,
    goTo,
    untilSent: async () => {
      const isAnySent = async () => Number((await rpc<{ pending: string }>('txpool_status')).pending) > 0;
      await until('a transaction is sent', SENT_WITHIN_MS, isAnySent, LOOK_EVERY_MS).catch(() => undefined);
    },
    rest: async (extent) => {
      const end = performance.now() + REST_WITHIN_MS;
      let quietSince = performance.now();
      for (;;) {
        const left = await countLeft(db, present(), extent === 'all');
        const names = Object.keys(left).filter((name) => left[name] !== 0);
        if (names.length === 0) {
          const soon = await findPutOff(db, present());
          if (!soon) return;
          await goTo(soon);
          continue;
        }
        if (performance.now() > end) {
          const [all, broken] = [await countLeft(db, present(), true), await findBreak(chain.rpcUrl, LOOK_BACK)];
          const lacks = broken ? `; the node lacks block ${broken.height} of ${broken.head}` : '';
          throw new Error(`it does not come to rest: ${JSON.stringify(all)}${lacks}`);
        }
        const onlyBlocks = left['dueSubscriptions'] === 0 && left['dueCharges'] === 0 && left['events'] === 0;
        if (!onlyBlocks || !(await isHeadSeen(db, rpc))) quietSince = performance.now();
        if (performance.now() - quietSince > MINE_EVERY_MS) {
          await chain.mine(CONFIRMATIONS);
          quietSince = performance.now();
        }
        await sleep(LOOK_EVERY_MS);
      }
    },
  };
}

/** Whether the service has read the whole chain. */
async function isHeadSeen(db: Db, rpc: Rpc): Promise<boolean> {
  const { rows } = await sql<{ height: bigint }>`select height from chain_cursors`.execute(db);
  return Number(rows[0]?.height) === Number(await rpc('eth_blockNumber'));
}

const wake = (db: Db): Promise<unknown> => sql`select pg_notify('kasi_subscriptions', '')`.execute(db);

/** When the next charge that was put off briefly is due again. */
async function findPutOff(db: Db, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ soon: Date | null }>`
    select min(due_at) as soon from charges
     where status = 'due' and due_at > ${now} and due_at < ${new Date(now.getTime() + SOON_MS)}`.execute(db);
  return rows[0]?.soon ?? null;
}

/** Remaining work, by name; with `all`, also work that nothing else waits for. */
async function countLeft(db: Db, now: Date, all: boolean): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from subscriptions where next_action_at <= ${now}) as "dueSubscriptions",
           (select count(*)::int from charges where status = 'due' and due_at <= ${now}) as "dueCharges",
           (select count(*)::int from charges where status = 'sending') as sending,
           (select count(*)::int from charges where status = 'confirming') as confirming,
           (select count(*)::int from collector_events where applied_at is null and parked_at is null) as events,
           (select count(*)::int from subscription_signals) as signals,
           (select count(*)::int from mandates
             where signature is not null and authorized_at is null and revoked_at is null) as signed,
           (select count(*)::int from operator_transactions
             where ${all} and status in ('signed', 'sent', 'mined')) as operator`.execute(db);
  return rows[0] ?? {};
}
