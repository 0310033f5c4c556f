import { expect } from 'vitest';
import { cell } from '../../src/lib/csv.ts';
import { test } from '../fixture.ts';

test('has every movement between the opening and the closing, and its columns add up', async ({
  service,
  merchant,
}) => {
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  await service.chain.transfer(payment);
  await service.runPaymentJobs();
  const { client } = merchant;
  const statement = await client.settlements.statements.get('2026-01', { limit: 100 });
  const text = await client.settlements.statements.csv('2026-01');
  expect(text.endsWith('\r\n')).toBe(true);
  const [names = [], ...lines] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  const rows = lines.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i]])));
  expect(rows.map(({ line }) => line)).toEqual(['opening', ...statement.movements.map(() => 'movement'), 'closing']);
  expect(rows.slice(1, -1).map(({ id }) => id)).toEqual(statement.movements.map(({ id }) => id));
  for (const account of ['available', 'pending', 'hold', 'suspense', 'debt', 'total'] as const) {
    const sum = rows.slice(0, -1).reduce((total, row) => total + Number(row[account]), 0);
    expect(sum).toBe(Number(rows.at(-1)?.[account]));
    expect(rows.at(-1)?.[account]).toBe(statement.closing[account]);
  }
  expect(rows.find(({ kind }) => kind === 'credit')).toMatchObject({ token: 'USDT', fiatAmount: '25.00', rate: '1' });
});

test('is a file', async ({ service, merchant }) => {
  const answer = await service.send('GET', '/v1/settlements/statements/2026-01/csv', { token: merchant.token });
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="statement-2026-01.csv"');
});

test.for([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['-2.500000', '-2.500000'],
  ['a,"b"', '"a,""b"""'],
  ['=HYPERLINK("x")\n', '"\'=HYPERLINK(""x"")\n"'],
  [null, ''],
] as const)('writes %j as %j', ([value, written]) => {
  expect(cell(value)).toBe(written);
});

test('answers 404 for a month to come and for none, 401 without a token', async ({ service, merchant }) => {
  const read = (month: string, token?: string) =>
    service.send('GET', `/v1/settlements/statements/${month}/csv`, token === undefined ? {} : { token });
  expect((await read('2999-01', merchant.token)).status).toBe(404);
  expect((await read('january', merchant.token)).status).toBe(404);
  expect((await read('2026-01')).status).toBe(401);
});
