import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, askUntilAnswered, type Desk } from '../ask.ts';
import { type Customer, FUNDS_CENTS } from './bank.ts';

/** An answer that a client got about one of its moves. */
export type Deed = { readonly id: string; readonly verb: Verb };
export type Verb = 'create' | 'cancel' | 'approve' | 'reject' | 'process' | 'complete' | 'fail';

/** The requests and answers of all clients, recorded as they happen. */
export type Diary = {
  readonly deeds: Deed[];
  /** Requests that were executed while their answer was lost: the first answer that arrived was a replay. */
  lost: number;
  /** Claims of payers that were taken. */
  claims: number;
  reads: number;
  refusals: number;
  readonly faults: string[];
  readonly isOver: () => boolean;
};

const PAUSE_MAX_MS = 40;
const AMOUNT_MAX_CENTS = 60_000;
const REFUND_MAX_CENTS = 6_000;
let lastHash = `0x${randomBytes(32).toString('hex')}`;
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const newKey = (): string => randomBytes(16).toString('hex');
const oneOf = <T>(choices: readonly T[]): T => choices[randomInt(choices.length)] as T;

/** Requests withdrawals for a merchant, cancels some, and reads the balance after each. */
export async function withdrawAgainAndAgain({ desk }: Customer, diary: Diary): Promise<void> {
  const lastSeen: Seen = { cents: FUNDS_CENTS };
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

type Seen = { cents: bigint };

/** Waiting, available and held money together only fall, by what was paid. One that grows or is negative is a fault. */
async function readBalance(desk: Desk, diary: Diary, lastSeen: Seen): Promise<void> {
  const { status, text } = await askUntilAnswered(desk, { method: 'GET', path: '/v1/settlements/balance' });
  diary.reads += 1;
  const { availableBalance, heldBalance, suspense, owed } = JSON.parse(text) as Record<string, number>;
  const parts = [availableBalance, heldBalance, suspense].map((dollars = Number.NaN) => Math.round(dollars * 100));
  const isWhole = status === 200 && parts.every((part) => part >= 0) && owed === 0;
  const cents = isWhole ? BigInt(parts.reduce((sum, part) => sum + part, 0)) : 0n;
  if (!isWhole || cents > lastSeen.cents)
    diary.faults.push(`a balance was read as ${text} after ${lastSeen.cents} cents`);
  lastSeen.cents = cents;
}

/**
 * Gives back a part of one of a merchant's payments, by a link that its payer claims or to an address that it names,
 * cancels some, and reads the balance after each.
 */
export async function giveBackAgainAndAgain({ desk, payments }: Customer, diary: Diary): Promise<void> {
  const lastSeen: Seen = { cents: FUNDS_CENTS };
  while (!diary.isOver()) {
    const named = randomInt(2) === 0 ? { destinationAddress: WALLET } : {};
    const body = { amount: (100 + randomInt(REFUND_MAX_CENTS)) / 100, reason: 'Of a crash test.', ...named };
    const path = `/v1/payments/${oneOf(payments)}/refunds`;
    const answer = await askUntilAnswered(desk, { method: 'POST', path, key: newKey(), body });
    const made = note(diary, answer, 'create', [201, 409]);
    if (made !== undefined) await goOn(desk, diary, made, answer);
    await readBalance(desk, diary, lastSeen);
    await sleep(randomInt(PAUSE_MAX_MS));
  }
}

/** Its payer claims it, or its merchant takes it back, or both at once. */
async function goOn(desk: Desk, diary: Diary, id: string, { text }: Answer): Promise<void> {
  const { claimUrl } = JSON.parse(text) as { claimUrl: string | null };
  const cancel = async (): Promise<void> => {
    const request = { method: 'POST', path: `/v1/refunds/${id}/cancel`, key: newKey() } as const;
    note(diary, await askUntilAnswered(desk, request), 'cancel', [200, 409]);
  };
  const claim = async (): Promise<void> => {
    const path = `/v1/public/refunds/${claimUrl?.split('/').at(-1)}/claim`;
    const answer = await askUntilAnswered(desk, { method: 'POST', path, body: { destinationAddress: WALLET } });
    // Payers are limited by their address, which all of these share.
    if (![200, 409, 429].includes(answer.status)) diary.faults.push(`claim was answered with ${answer.text}`);
    if (answer.status === 200) diary.claims += 1;
  };
  await Promise.all([claimUrl !== null && randomInt(4) > 0 ? claim() : null, randomInt(4) === 0 ? cancel() : null]);
}

/** The moves for each state; a move that is listed twice is twice as likely. */
const CHOICES: Readonly<Record<'withdrawals' | 'refunds', Readonly<Record<string, readonly Verb[]>>>> = {
  withdrawals: {
    pending: ['approve', 'approve', 'approve', 'reject'],
    approved: ['process', 'complete', 'complete', 'fail'],
    processing: ['complete', 'complete', 'fail'],
  },
  refunds: {
    pending: ['process', 'complete', 'complete', 'fail'],
    processing: ['complete', 'complete', 'fail'],
  },
};

/** Decides about withdrawals and refunds and completes them, concurrently with others who do the same. */
export async function decideAgainAndAgain(desk: Desk, diary: Diary): Promise<void> {
  while (!diary.isOver()) {
    const kind = oneOf(['withdrawals', 'refunds'] as const);
    const status = oneOf(Object.keys(CHOICES[kind]));
    const ids = kind === 'refunds' ? await listRefunds(desk, status) : await listWithdrawals(desk, status);
    const verb = oneOf(CHOICES[kind][status] as readonly Verb[]);
    if (ids.length > 0) await decide(desk, diary, `${kind}/${oneOf(ids)}`, verb);
    await sleep(randomInt(PAUSE_MAX_MS));
  }
}

async function listWithdrawals(desk: Desk, status: string): Promise<string[]> {
  const path = `/v1/admin/withdrawals?limit=20&status=${status}`;
  const { text } = await askUntilAnswered(desk, { method: 'GET', path });
  return (JSON.parse(text) as { data: readonly { id: string }[] }).data.map(({ id }) => id);
}

async function listRefunds(desk: Desk, status: string): Promise<string[]> {
  const { text } = await askUntilAnswered(desk, { method: 'GET', path: '/v1/admin/payouts?limit=100&kind=refund' });
  const { payouts } = JSON.parse(text) as { payouts: readonly { id: string; status: string }[] };
  return payouts.filter((each) => each.status === status).map(({ id }) => id);
}

/** One in four was said of another payout before, or at the same time. */
function newHash(): string {
  if (randomInt(4) > 0) lastHash = `0x${randomBytes(32).toString('hex')}`;
  return lastHash;
}

async function decide(desk: Desk, diary: Diary, payout: string, verb: Verb): Promise<void> {
  const bodies: Partial<Record<Verb, object>> = {
    reject: { reason: 'Of a crash test.' },
    fail: { reason: 'Of a crash test.' },
    complete: { txHash: newHash() },
  };
  const request = { method: 'POST', path: `/v1/admin/${payout}/${verb}`, body: bodies[verb] ?? {} } as const;
  // A claim outlives its process by up to a minute. The transaction's hash makes repeating safe without a key.
  const answer = await askUntilAnswered(desk, verb === 'complete' ? request : { ...request, key: newKey() });
  note(diary, answer, verb, [200, 409]);
}

/** The id of the withdrawal or refund, if the move was done. */
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
  diary.deeds.push({ id, verb });
  return id;
}
