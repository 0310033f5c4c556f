import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, askUntilAnswered, type Desk } from '../ask.ts';
import { type Customer, FUNDS_CENTS } from './bank.ts';

/** An answer that a client got about one of its moves. */
export type Deed = { readonly withdrawalId: string; readonly verb: Verb };
export type Verb = 'create' | 'cancel' | 'approve' | 'reject' | 'process' | 'complete' | 'fail';

/** The requests and answers of all clients, recorded as they happen. */
export type Diary = {
  readonly deeds: Deed[];
  /** Requests that were executed while their answer was lost: the first answer that arrived was a replay. */
  lost: number;
  reads: number;
  refusals: number;
  readonly faults: string[];
  readonly isOver: () => boolean;
};

const PAUSE_MAX_MS = 40;
const AMOUNT_MAX_CENTS = 60_000;
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const newKey = (): string => randomBytes(16).toString('hex');
const oneOf = <T>(choices: readonly T[]): T => choices[randomInt(choices.length)] as T;

/** Requests withdrawals for a merchant, cancels some, and reads the balance after each. */
export async function withdrawAgainAndAgain({ desk }: Customer, diary: Diary): Promise<void> {
  const lastSeen = { cents: FUNDS_CENTS };
  while (!diary.isOver()) {
    const amount = (1_000 + randomInt(AMOUNT_MAX_CENTS)) / 100;
    const bank = {
      method: 'bank',
      bankAccountNumber: '0072 3456 7890',
      bankName: 'Bank of Ceylon',
      bankBranch: 'Kandy',
    };
    const body = { amount, ...(randomInt(4) === 0 ? bank : { method: 'crypto', destinationAddress: WALLET }) };
    const answer = await askUntilAnswered(desk, { method: 'POST', path: '/v1/withdrawals', key: newKey(), body });
    const made = note(diary, answer, 'create', [201, 409]);
    if (made !== undefined && randomInt(4) === 0) {
      const path = `/v1/withdrawals/${made}/cancel`;
      note(diary, await askUntilAnswered(desk, { method: 'POST', path, key: newKey() }), 'cancel', [200, 409]);
    }
    await readBalance(desk, diary, lastSeen);
    await sleep(randomInt(PAUSE_MAX_MS));
  }
}

/** Available and held money together only fall, by what was paid. A balance that grows or is negative is a fault. */
async function readBalance(desk: Desk, diary: Diary, lastSeen: { cents: bigint }): Promise<void> {
  const { status, text } = await askUntilAnswered(desk, { method: 'GET', path: '/v1/settlements/balance' });
  diary.reads += 1;
  const balance = JSON.parse(text) as { availableBalance: number; heldBalance: number; owed: number };
  const cents = BigInt(Math.round((balance.availableBalance + balance.heldBalance) * 100));
  const isWhole = status === 200 && balance.availableBalance >= 0 && balance.heldBalance >= 0 && balance.owed === 0;
  if (!isWhole || cents > lastSeen.cents)
    diary.faults.push(`a balance was read as ${text} after ${lastSeen.cents} cents`);
  lastSeen.cents = cents;
}

/** The moves for each state; a move that is listed twice is twice as likely. */
const CHOICES: Readonly<Record<string, readonly Verb[]>> = {
  pending: ['approve', 'approve', 'approve', 'reject'],
  approved: ['process', 'complete', 'complete', 'fail'],
  processing: ['complete', 'complete', 'fail'],
};

/** Decides about withdrawals and completes them, concurrently with others who do the same. */
export async function decideAgainAndAgain(desk: Desk, diary: Diary): Promise<void> {
  while (!diary.isOver()) {
    const status = oneOf(Object.keys(CHOICES));
    const list = await askUntilAnswered(desk, {
      method: 'GET',
      path: `/v1/admin/withdrawals?limit=20&status=${status}`,
    });
    const { data } = JSON.parse(list.text) as { data: readonly { id: string }[] };
    if (data.length > 0) await decide(desk, diary, oneOf(data).id, oneOf(CHOICES[status] as readonly Verb[]));
    await sleep(randomInt(PAUSE_MAX_MS));
  }
}

async function decide(desk: Desk, diary: Diary, id: string, verb: Verb): Promise<void> {
  const bodies: Partial<Record<Verb, object>> = {
    reject: { reason: 'Of a crash test.' },
    fail: { reason: 'Of a crash test.' },
    complete: { txHash: `0x${randomBytes(32).toString('hex')}` },
  };
  const request = { method: 'POST', path: `/v1/admin/withdrawals/${id}/${verb}`, body: bodies[verb] ?? {} } as const;
  // A claim outlives its process by up to a minute. The transaction's hash makes repeating safe without a key.
  const answer = await askUntilAnswered(desk, verb === 'complete' ? request : { ...request, key: newKey() });
  note(diary, answer, verb, [200, 409]);
}

/** The id of the withdrawal, if the move was done. */
function note(
  diary: Diary,
  { status, text, replayed }: Answer,
  verb: Verb,
  expected: readonly number[],
): string | undefined {
  if (replayed) diary.lost += 1;
  if (!expected.includes(status)) diary.faults.push(`${verb} was answered with ${status}: ${text}`);
  if (status >= 300) {
    diary.refusals += 1;
    return undefined;
  }
  const { id } = JSON.parse(text) as { id: string };
  diary.deeds.push({ withdrawalId: id, verb });
  return id;
}
