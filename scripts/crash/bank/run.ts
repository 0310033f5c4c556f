import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Endings, openStage, type Stage, type StageOptions } from '../stage.ts';
import { type Bank, openBank } from './bank.ts';
import { type Diary, decideAgainAndAgain, giveBackAgainAndAgain, withdrawAgainAndAgain } from './clients.ts';
import { examineLedger, judge } from './verdict.ts';

export type BankCrashOptions = StageOptions & {
  readonly kills: number;
  /** The number of merchants, and of clients of theirs and of the platform that act concurrently. */
  readonly merchants: number;
  readonly clients: number;
  /** They act for at least this long, and until they have created so much and a payer has claimed: machines differ. */
  readonly seconds: number;
  readonly withdrawals: number;
  readonly refunds: number;
  readonly progress: (text: string) => void;
};

export type BankCrashFigures = {
  readonly kills: number;
  /** Kills during a start. */
  readonly early: number;
  readonly withdrawals: number;
  readonly refunds: number;
  /** Moves that a client got an answer about, each counted once. */
  readonly moves: number;
  readonly refusals: number;
  /** Requests that were executed while their answer was lost. */
  readonly lost: number;
  /** Claims of payers that were taken. */
  readonly claims: number;
  /** Balances read, and comparisons of the whole ledger while everything was going on. */
  readonly reads: number;
  readonly audits: number;
  readonly seconds: number;
  /** The faults, in words; empty if all is well. */
  readonly faults: readonly string[];
};

/** Of four clients one withdraws, one gives back, and two decide for the platform. */
const ROLES = 4;
const LOOK_EVERY_MS = 100;

/**
 * Kills the service with SIGKILL at random moments while merchants withdraw and give money back, and administrators
 * decide and pay concurrently, and repeatedly compares the ledger with everything that it stands for. Resolves with
 * the figures once all clients have their answers.
 */
export async function runBankCrash(options: BankCrashOptions, endings: Endings): Promise<BankCrashFigures> {
  const bell = new EventEmitter();
  const stage = await openStage(options, endings);
  const bank = await openBank(stage, options.merchants, () => void bell.emit('sent'), endings);
  const startedAt = performance.now();
  let peace = false;
  const diary: Diary = { deeds: [], lost: 0, claims: 0, reads: 0, refusals: 0, faults: [], isOver: () => peace };
  const work = Promise.all(workOf(bank, options.clients, diary));
  const auditing = auditAgainAndAgain(stage, diary);
  const killing = async (): Promise<void> => {
    for (let kill = 1; kill <= options.kills; kill += 1) {
      await stage.victim.killSoon(() => once(bell, 'sent'));
      options.progress(`killed ${kill} of ${options.kills} times, ${diary.deeds.length} moves`);
    }
    await stage.victim.ready();
    await sleep(Math.max(0, startedAt + options.seconds * 1000 - performance.now()));
    while (!isEnough(diary, options)) await sleep(LOOK_EVERY_MS);
    peace = true;
  };
  const [audits] = await Promise.all([auditing, work, killing()]);
  const [withdrawals, refunds] = [countCreated(diary, 'wd_'), countCreated(diary, 'rfd_')];
  return {
    kills: options.kills,
    early: stage.victim.early(),
    ...{ withdrawals, refunds },
    moves: diary.deeds.length - withdrawals - refunds,
    ...{ refusals: diary.refusals, lost: diary.lost, claims: diary.claims, reads: diary.reads, audits },
    seconds: (performance.now() - startedAt) / 1000,
    faults: [...diary.faults, ...(await judge(stage.db, bank, diary.deeds))],
  };
}

/** A campaign in which no payer claimed has not tried what a claim races with. */
const isEnough = (diary: Diary, { withdrawals, refunds }: BankCrashOptions): boolean =>
  countCreated(diary, 'wd_') >= withdrawals && countCreated(diary, 'rfd_') >= refunds && diary.claims > 0;

const countCreated = ({ deeds }: Diary, prefix: string): number =>
  deeds.filter(({ id, verb }) => verb === 'create' && id.startsWith(prefix)).length;

function workOf({ customers, tellers }: Bank, clients: number, diary: Diary): Promise<void>[] {
  return Array.from({ length: clients }, (_, index) => {
    const [customer, teller] = [
      customers[Math.floor(index / ROLES) % customers.length],
      tellers[index % tellers.length],
    ];
    if (!customer || !teller) throw new Error('a bank has customers and tellers');
    if (index % ROLES === 0) return withdrawAgainAndAgain(customer, diary);
    return index % ROLES === 1 ? giveBackAgainAndAgain(customer, diary) : decideAgainAndAgain(teller, diary);
  });
}

/**
 * Checks that the ledger adds up at every moment, whatever is being killed; the database stays up. Returns the number
 * of checks.
 */
async function auditAgainAndAgain({ db }: Stage, diary: Diary): Promise<number> {
  for (let audits = 0; ; audits += 1) {
    if (diary.isOver()) return audits;
    diary.faults.push(...(await examineLedger(db)));
    await sleep(LOOK_EVERY_MS);
  }
}
