import { describe, expect, test } from 'vitest';
import { findTableFaults, readTables } from '../../scripts/checks/tables.ts';

const TABLES = new Set(['payments', 'credits']);
const OWNERS = { payments: 'payments', credits: 'payments' };

const faults = (path: string, text: string, exceptions: Parameters<typeof findTableFaults>[3] = []): string[] =>
  findTableFaults([{ path, text }], TABLES, OWNERS, exceptions).map(({ line, message }) => `${line}: ${message}`);

describe('another folder', () => {
  test.each([
    ['selectFrom', "db.selectFrom('payments as p')", 'reads payments'],
    ['a list of tables', "db.selectFrom(['payments', 'other'])", 'reads payments'],
    ['innerJoin', "query.innerJoin('credits as c', 'c.id', 'x.id')", 'reads credits'],
    ['insertInto', "trx.insertInto('credits')", 'writes credits'],
    ['updateTable', "trx.updateTable('payments')", 'writes payments'],
    ['deleteFrom', "trx.deleteFrom('payments')", 'writes payments'],
    ['SQL that reads', 'sql`select 1 from payments`', 'reads payments'],
    ['SQL that writes after a value', `sql\`select ${'$'}{1}; insert into credits values (1)\``, 'writes credits'],
    ['SQL whose text is made once', 'sqlOnce`select 1 from payments`', 'reads payments'],
    ['insertOnce', "const insert = insertOnce('credits')", 'writes credits'],
    ['typed SQL', 'sql<Row>`select 1 from t join credits c on true`', 'reads credits'],
  ])('is refused %s', (_name, code, message) => {
    expect(faults('src/withdrawals/queries.ts', `\n${code};`)).toEqual([
      expect.stringMatching(new RegExp(`^2: withdrawals ${message}, which payments owns\\.`)),
    ]);
  });

  test('may do what an exception lists, and nothing else', () => {
    const reading = { folder: 'checkout', access: 'read', tables: ['payments'], why: 'a reason' } as const;
    expect(faults('src/checkout/queries.ts', "db.selectFrom('payments')", [reading])).toEqual([]);
    expect(faults('src/checkout/queries.ts', "db.selectFrom('payments').deleteFrom('payments')", [reading])).toEqual([
      expect.stringContaining('checkout writes payments'),
    ]);
  });
});

test('the owner reads and writes, and other words that look like SQL are left alone', () => {
  expect(faults('src/payments/queries.ts', "db.insertInto('credits'); sql`delete from payments`;")).toEqual([]);
  expect(faults('src/checkout/present.ts', "const text = 'a receipt from payments'; list.from('other');")).toEqual([]);
  expect(faults('src/db/migrations/0001-a.ts', 'sql`update payments set a = 1`')).toEqual([]);
  expect(faults('test/db/payments.test.ts', "db.deleteFrom('payments')")).toEqual([]);
});

test('an exception that nothing uses is refused, and so is a table without an owner', () => {
  const idle = { folder: 'checkout', access: 'write', tables: ['payments'], why: 'a reason' } as const;
  expect(faults('src/checkout/present.ts', '', [idle])).toEqual([
    expect.stringContaining('checkout may write payments is not used'),
  ]);
  expect(findTableFaults([], new Set(['orders']), {}, []).map(({ message }) => message)).toEqual([
    'the table orders has no owner. Name its folder.',
  ]);
});

test('the tables are those of the generated types', () => {
  const generated =
    'export interface Payments {\n  id: string;\n}\n\nexport interface DB {\n  credits: Credits;\n  payments: Payments;\n}\n';
  expect([...readTables(generated)]).toEqual(['credits', 'payments']);
});
