import { sql } from 'kysely';
import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';

const test = serviceTest({ settings: { paymentFeeBps: 100 } });
const DAY_MS = 86_400_000;

test('chains the months of a year to the micro, and ends where the ledger stands', async ({ service, merchant }) => {
  expect((await merchant.client.settlements.statements.list()).data).toEqual([]);
  for (const [i, amount] of [25, 33.33, 10.01].entries()) {
    const payment = await merchant.client.payments.create({ amount, currency: 'USD' });
    // The second brings too little, and waits; the last is given back in part.
    await service.chain.transfer(payment, { amount: i === 1 ? '7.000001' : String(amount) });
    await service.runPaymentJobs();
    if (i === 2) await merchant.client.refunds.create(payment.id, { amount: 1, reason: 'Sold out.' });
    service.clock.set(new Date(service.clock.now().getTime() + 40 * DAY_MS));
    await service.runPaymentJobs();
  }
  const { data, pagination } = await merchant.client.settlements.statements.list();
  expect(pagination.total).toBe(data.length);
  expect(data.length).toBeGreaterThanOrEqual(3);
  const months = data.toReversed();
  for (const [i, { month, opening, closing, totals }] of months.entries()) {
    if (i > 0) expect(opening, month).toEqual(months[i - 1]?.closing);
    const micro = (text: string) => BigInt(text.replace('.', ''));
    const changed = Object.values(totals).reduce((sum, total) => sum + micro(total), 0n);
    expect(micro(opening.total) + changed, month).toBe(micro(closing.total));
    const { movements } = await merchant.client.settlements.statements.get(month, { limit: 100 });
    const moved = movements.reduce((sum, { amounts }) => sum + micro(amounts.total), 0n);
    expect(moved, month).toBe(changed);
  }
  const { rows } = await sql<{ kind: string; balance: bigint }>`
    select kind, balance from ledger_balances where owner_id = ${merchant.id}`.execute(service.db);
  const closing = months.at(-1)?.closing;
  for (const { kind, balance } of rows) {
    expect(BigInt(closing?.[kind as 'available'].replace('.', '') ?? 'x'), kind).toBe(balance);
  }
});

test('lists page by page', async ({ merchant }) => {
  const all = (await merchant.client.settlements.statements.list()).data.map(({ month }) => month);
  const second = await merchant.client.settlements.statements.list({ page: 2, limit: 1 });
  expect(second.data.map(({ month }) => month)).toEqual([all[1]]);
});

test('answers 400 for a page that can not be, 401 without a token', async ({ service, merchant }) => {
  const wrong = await service.send('GET', '/v1/settlements/statements?page=0', { token: merchant.token });
  expect(wrong.status).toBe(400);
  expect((await service.send('GET', '/v1/settlements/statements')).status).toBe(401);
});
