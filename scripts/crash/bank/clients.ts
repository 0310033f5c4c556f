import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { askUntilTold, type Desk, type Told } from '../ask.ts';
import { type Customer, FUNDS_CENTS } from './bank.ts';

/** What somebody was told that they did. */
export type Deed = { readonly withdrawalId: string; readonly verb: Verb };
export type Verb = 'create' | 'cancel' | 'approve' | 'reject' | 'process' | 'complete' | 'fail';

/** What everybody does and is told, gathered as it happens. */
export type Diary = {
  readonly deeds: Deed[];
  /** Requests that were done while their answer was lost: the first that was heard was a repetition. */
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

/** Asks for withdrawals on a merchant's behalf, cancels some, and looks at the balance after each. */
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
    const told = await askUntilTold(desk, { method: 'POST', path: '/v1/withdrawals', key: newKey(), body });
    const made = note(diary, told, 'create', [201, 409]);
    if (made !== undefined && randomInt(4) === 0) {
      const path = `/v1/withdrawals/${made}/cancel`;
      note(diary, await askUntilTold(desk, { method: 'POST', path, key: newKey() }), 'cancel', [200, 409]);
    }
    await readBalance(desk, diary, lastSeen);
    await sleep(randomInt(PAUSE_MAX_MS));
  }
}

/** What is there and what is held together only ever go down, by what was paid: a balance that grows, or is below nothing, is a fault. */
async function readBalance(desk: Desk, diary: Diary, lastSeen: { cents: bigint }): Promise<void> {
  const { status, text } = await askUntilTold(desk, { method: 'GET', path: '/v1/settlements/balance' });
  diary.reads += 1;
  const balance = JSON.parse(text) as { availableBalance: number; heldBalance: number; owed: number };
  const cents = BigInt(Math.round((balance.availableBalance + balance.heldBalance) * 100));
  const isWhole = status === 200 && balance.availableBalance >= 0 && balance.heldBalance >= 0 && balance.owed === 0;
  if (!isWhole || cents > lastSeen.cents)
    diary.faults.push(`a balance was read as ${text} after ${lastSeen.cents} cents`);
  lastSeen.cents = cents;
}

/** What can be done to a withdrawal in a state, the likelier the more often it stands here. */
const CHOICES: Readonly<Record<string, readonly Verb[]>> = {
  pending: ['approve', 'approve', 'approve', 'reject'],
  approved: ['process', 'complete', 'complete', 'fail'],
  processing: ['complete', 'complete', 'fail'],
};

/** Decides about withdrawals and completes them, together with others who do the same. */
export async function decideAgainAndAgain(desk: Desk, diary: Diary): Promise<void> {
  while (!diary.isOver()) {
    const status = oneOf(Object.keys(CHOICES));
    const list = await askUntilTold(desk, { method: 'GET', path: `/v1/admin/withdrawals?limit=20&status=${status}` });
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
  const wish = { method: 'POST', path: `/v1/admin/withdrawals/${id}/${verb}`, body: bodies[verb] ?? {} } as const;
  // A claim outlives the process that made it by up to a minute; the transaction's hash lets it be repeated without a key.
  const told = await askUntilTold(desk, verb === 'complete' ? wish : { ...wish, key: newKey() });
  note(diary, told, verb, [200, 409]);
}

/** The id of the withdrawal that it was about, if it was done. */
function note(
  diary: Diary,
  { status, text, replayed }: Told,
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
