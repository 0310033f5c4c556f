import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { MICRO_DECIMALS, parseUnits } from '../../src/lib/money.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { createTestAdmin, type TestAdmin } from '../support/admins.ts';
import { DESTINATION, secretOf } from '../support/refunds.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';
import { WALLET } from '../support/withdrawals.ts';

const ACCOUNTS = ['available', 'pending', 'hold', 'suspense', 'debt', 'total'] as const;
const REASON = { reason: 'Sold out.' };

type World = { readonly sandbox: SandboxService; readonly trader: Trader; readonly admins: readonly TestAdmin[] };

const micro = (text: string): bigint => parseUnits(text, MICRO_DECIMALS);
const goTo = ({ trader }: World, at: Date) => trader.client.sandbox.clock.advance({ to: at.toISOString() });

/** A payment of this much, to which that much came. */
async function pay({ trader }: World, asked: number, came: string): Promise<string> {
  const { client } = trader;
  const { id } = await client.payments.create({ amount: asked, currency: 'USD', acceptedTokens: ['USDT'] });
  await client.sandbox.payments.pay(id, { amount: came });
  return id;
}

/** An administrator pays what was claimed. */
async function giveBack(world: World, refund: { readonly id: string; readonly claimUrl: string | null }) {
  const { sandbox, trader, admins } = world;
  await sandbox.client().public.refunds.claim(secretOf(refund), { destinationAddress: DESTINATION });
  const { txHash } = await trader.client.sandbox.refunds.pay(refund.id);
  await admins[0]?.client.refunds.complete(refund.id, { txHash });
}

async function withdraw({ trader, admins }: World, decision: 'paid' | 'rejected'): Promise<void> {
  const { client } = trader;
  const { id } = await client.withdrawals.create({ amount: 20, method: 'crypto', destinationAddress: WALLET });
  if (decision === 'rejected') return void (await admins[0]?.client.withdrawals.reject(id, REASON));
  await admins[0]?.client.withdrawals.approve(id, {});
  const { txHash } = await client.sandbox.withdrawals.pay(id);
  await admins[1]?.client.withdrawals.complete(id, { txHash });
}

/** The last minutes of a month. Returns the refund that is still open when it ends. */
async function play(world: World, month: number) {
  const { payments, refunds } = world.trader.client;
  // Figures that differ by month, with a fee that has parts of a cent.
  await pay(world, Number(`${50 + month}.01`), `${50 + month}.01`);
  const over = await pay(world, 30.33, `${33 + month}.5`);
  await giveBack(world, await refunds.create(over, { amount: 'surplus', ...REASON }));
  const short = await pay(world, 40, `${7 + month}.77`);
  await payments.cancel(short);
  const accepted = await pay(world, 40, `${9 + month}.000001`);
  await payments.cancel(accepted);
  await payments.resolve(accepted, { action: 'accept' });
  await refunds.cancel((await refunds.create(over, { amount: 1.11, ...REASON })).id);
  await withdraw(world, month % 2 === 0 ? 'paid' : 'rejected');
  await pay(world, 60, '3.5'); // What waits for the rest when its month ends.
  return refunds.create(short, { amount: 'all', ...REASON });
}

/** The first moment of the month that is so many after the one of `now`, in UTC. */
const monthAfter = (now: Date, months: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));

type Story = { readonly world: World; readonly count: number; readonly first: Date };

/** Plays so many months, up to a moment at which all of them are final. */
async function playMonths({ sandbox, trader }: Omit<World, 'admins'>, count: number): Promise<Story> {
  const { db, clock } = sandbox.service().platform;
  const started = { db, clock, url: sandbox.url(), fetch };
  const world = { sandbox, trader, admins: [await createTestAdmin(started), await createTestAdmin(started)] };
  const settings = world.admins[0]?.client.settings;
  await settings?.update({ version: (await settings.get()).version, paymentFeeBps: 125 });
  // What is read may be a second old.
  const current = () => sandbox.service().platform.settings.current();
  await vi.waitFor(async () => expect((await current()).paymentFeeBps).toBe(125), 60_000);
  const first = monthAfter(clock.now(), 1);
  for (let month = 0; month < count; month += 1) {
    const end = monthAfter(first, month + 1);
    await goTo(world, new Date(end.getTime() - 5 * MINUTE_MS));
    const open = await play(world, month);
    await goTo(world, new Date(end.getTime() + 5 * MINUTE_MS));
    await giveBack(world, open);
  }
  await goTo(world, new Date(monthAfter(first, count + 1).getTime() + 90 * MINUTE_MS));
  return { world, count, first };
}

/** What the journals say of a month: each account at its end, and what each kind of journal brought from outside. */
async function readLedger({ sandbox, trader }: World, to: Date) {
  const { db } = sandbox.service().platform;
  const { rows } = await sql<{ kind: string; sum: string }>`
    select a.kind, sum(e.amount) as sum from entries e join ledger_accounts a on a.id = e.account_id
     where a.owner_id = ${trader.id} and e.created_at < ${to} group by a.kind`.execute(db);
  const sums = new Map(rows.map(({ kind, sum }) => [kind, BigInt(sum)]));
  const total = [...sums.values()].reduce((all, sum) => all + sum, 0n);
  return Object.fromEntries(ACCOUNTS.map((kind) => [kind, kind === 'total' ? total : (sums.get(kind) ?? 0n)]));
}

/** What left to outside accounts and to the platform in a month, by the first word of the journals' kinds. */
async function readMoved({ sandbox, trader }: World, from: Date, to: Date) {
  const { db } = sandbox.service().platform;
  const { rows } = await sql<{ word: string; account: string; sum: string }>`
    select split_part(j.kind, '.', 1) as word, a.kind as account, -sum(e.amount) as sum
      from journals j join entries e on e.journal_id = j.id join ledger_accounts a on a.id = e.account_id
     where j.merchant_id = ${trader.id} and a.kind in ('external', 'fees')
       and j.created_at >= ${from} and j.created_at < ${to} group by 1, 2`.execute(db);
  const moved = (words: readonly string[], account: string): bigint =>
    rows.filter((row) => words.includes(row.word) && row.account === account).reduce((s, r) => s + BigInt(r.sum), 0n);
  return {
    received: moved(['credit', 'payment'], 'external'),
    fees: moved(['credit', 'payment', 'refund'], 'fees'),
    refunds: moved(['refund'], 'external'),
    payouts: moved(['withdrawal'], 'external'),
    payoutFees: moved(['withdrawal'], 'fees'),
    ...{ reversals: 0n, other: 0n },
  };
}

const inMicro = (amounts: object): Record<string, bigint> =>
  Object.fromEntries(Object.entries(amounts).map(([name, text]) => [name, micro(String(text))]));

/** Every month that was played, oldest first. */
async function readStatements({ trader }: World) {
  const { data } = await trader.client.settlements.statements.list({ limit: 100 });
  return data.toReversed();
}

async function expectLedger({ world, count, first }: Story): Promise<void> {
  const months = await readStatements(world);
  // Refunds of the last month were paid in the one after it.
  expect(months).toHaveLength(count + 1);
  for (const [i, { month, final, opening, closing, totals }] of months.entries()) {
    const [from, to] = [monthAfter(first, i), monthAfter(first, i + 1)];
    expect([month, final]).toEqual([from.toISOString().slice(0, 7), true]);
    expect(inMicro(opening), month).toEqual(await readLedger(world, from));
    expect(inMicro(closing), month).toEqual(await readLedger(world, to));
    expect(opening, month).toEqual(i === 0 ? opening : months[i - 1]?.closing);
    expect(inMicro(totals), month).toEqual(await readMoved(world, from, to));
    const changed = Object.values(inMicro(totals)).reduce((sum, total) => sum + total, 0n);
    expect(micro(opening.total) + changed, month).toBe(micro(closing.total));
  }
  expect(inMicro(months[0]?.opening ?? {})).toEqual(Object.fromEntries(ACCOUNTS.map((account) => [account, 0n])));
}

async function expectSums({ world, count }: Story): Promise<void> {
  const months = await readStatements(world);
  const sum = (name: 'received' | 'refunds' | 'payouts') =>
    months.reduce((total, { totals }) => total + micro(totals[name]), 0n);
  const played = BigInt(count);
  // Each month brings a dollar more than the one before, in each of four payments: 0 + 1 + 2 + …
  const more = micro(String((count * (count - 1)) / 2));
  expect(sum('received')).toBe(played * micro('103.780001') + 4n * more);
  expect(sum('refunds')).toBe(-(played * micro('10.94') + 2n * more));
  for (const { hold, suspense } of months.slice(0, -1).map(({ closing }) => closing)) {
    expect([micro(hold) > 0n, micro(suspense) > 0n]).toEqual([true, true]);
  }
  expect(months.at(-1)?.closing).toMatchObject({ hold: '0.000000', debt: '0.000000', pending: '0.000000' });
  expect(micro(months.at(-1)?.closing.suspense ?? '')).toBe(played * micro('3.5'));
}

async function expectTables({ world }: Story): Promise<void> {
  const { statements } = world.trader.client.settlements;
  for (const { month, opening, closing } of await readStatements(world)) {
    const [names = [], ...lines] = (await statements.csv(month))
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const rows = lines.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])));
    const { movements, pagination } = await statements.get(month, { limit: 100 });
    expect(movements).toHaveLength(pagination.total);
    expect(rows.slice(1, -1).map(({ id }) => id)).toEqual(movements.map(({ id }) => id));
    for (const account of ACCOUNTS) {
      expect([rows[0]?.[account], rows.at(-1)?.[account]], month).toEqual([opening[account], closing[account]]);
      const sum = rows.slice(0, -1).reduce((total, row) => total + micro(row[account] ?? ''), 0n);
      expect(sum, `${month} ${account}`).toBe(micro(closing[account]));
      const moved = movements.reduce((total, { amounts }) => total + micro(amounts[account]), micro(opening[account]));
      expect(moved, `${month} ${account}`).toBe(micro(closing[account]));
    }
  }
}

/** The tests of the statements of so many months. */
export function testMonths(count: number): void {
  const test = sandboxTest();
  let story: Story;
  test.beforeAll(async ({ sandbox, trader }) => {
    story = await playMonths({ sandbox, trader }, count);
  });

  test('each month opens as the one before closes, and its totals and closing are those of the journals', () =>
    expectLedger(story));
  test('the statements say what was played', () => expectSums(story));
  test('the tables of all months have the same movements, and add up', () => expectTables(story));
}
