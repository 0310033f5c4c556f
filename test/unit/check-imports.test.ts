import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findImportFaults, readRows } from '../../scripts/checks/imports.ts';

const rows = readRows(readFileSync('src/README.md', 'utf8'));

/** The faults of one file; the others need only exist. */
const faultsOf = (path: string, text: string, others: readonly { path: string; text: string }[] = []) =>
  findImportFaults([{ path, text }, ...others], rows);
const only = (path: string, line: number, message: RegExp) => [{ path, line, message: expect.stringMatching(message) }];

test('reads the rows from the table in src/README.md', () => {
  expect(Object.fromEntries(rows)).toMatchObject({
    generated: 0,
    lib: 1,
    db: 2,
    http: 6,
    payments: 8,
    payouts: 9,
    checkout: 11,
    '': 13,
  });
  expect(() => readRows('# A page without a table')).toThrow(/no table of rows/);
});

test.each([
  ["import { a } from '../lib/ids.ts';", 'a row above'],
  ["import type { paths } from '../../generated/api.ts';", 'generated code'],
  ["import { a } from './service.ts';", 'its own folder'],
  ["import type { FastifyBaseLogger } from 'fastify';", "fastify's types"],
  ["import { type FastifyRequest, type FastifyReply } from 'fastify';", "fastify's types, each marked"],
  ["import { readFileSync } from 'node:fs';", 'node'],
  ["import { sql } from 'kysely';", 'a library without a home'],
])('allows %s (%s)', (text) => {
  expect(faultsOf('src/payments/handlers.ts', text)).toEqual([]);
});

test.each([
  ["import { a } from '../webhooks/keys.ts';", /payments imports webhooks, but row 8 may not import from row 10/],
  ["import type { A } from '../webhooks/keys.ts';", /payments imports webhooks \(a type\)/],
  ["export { a } from '../webhooks/keys.ts';", /payments imports webhooks/],
  ["type A = import('../webhooks/keys.ts').A;", /payments imports webhooks \(a type\)/],
  ["const a = await import('../webhooks/keys.ts');", /payments imports webhooks/],
  ["import '../compose.ts';", /payments imports src, but row 8 may not import from row 13/],
  ["import { a } from '../../test/harness.ts';", /src\/ imports nothing from test\/harness.ts/],
  ["import { a } from '../../scripts/lib/connection.ts';", /src\/ imports nothing from scripts/],
  ["import pg from 'pg';", /only src\/db\/ imports pg/],
  ["import type { Pool } from 'pg';", /only src\/db\/ imports pg/],
  ["import Fastify from 'fastify';", /only src\/http\/ imports fastify \(its types/],
  ["import { type FastifyRequest, fastify } from 'fastify';", /only src\/http\/ imports fastify/],
  ["import jwt from '@fastify/jwt';", /only src\/http\/ imports @fastify\/jwt/],
  ["import { getBlock } from 'viem/actions';", /only src\/chains\/evm\/ imports viem/],
  ["import type { Hex } from 'viem';", /only src\/chains\/evm\/ imports viem/],
])('refuses %s', (text, message) => {
  expect(faultsOf('src/payments/handlers.ts', `\n${text}`)).toEqual(only('src/payments/handlers.ts', 2, message));
});

test('folders of the same row cannot import each other', () => {
  const text = "import type { A } from '../limits/limits.ts';";
  expect(faultsOf('src/identity/throttle.ts', text)).toEqual(
    only('src/identity/throttle.ts', 1, /identity imports limits \(a type\), but both stand in row 5/),
  );
});

test('a library can be imported only by its home folder', () => {
  expect(faultsOf('src/db/database.ts', "import pg from 'pg';")).toEqual([]);
  expect(faultsOf('src/chains/evm/rpc.ts', "import { http } from 'viem';")).toEqual([]);
  expect(faultsOf('src/chains/watcher.ts', "import { http } from 'viem';")).toHaveLength(1);
});

test('an import cycle inside a folder is reported once, type imports included', () => {
  const files = [
    { path: 'src/payments/a.ts', text: "import { b } from './b.ts';" },
    { path: 'src/payments/b.ts', text: "\nimport type { C } from './c.ts';" },
    { path: 'src/payments/c.ts', text: "import { a } from './a.ts';" },
    { path: 'src/payments/d.ts', text: "import { a } from './a.ts';" },
  ];
  expect(findImportFaults(files, rows)).toEqual(only('src/payments/c.ts', 1, /a\.ts → b\.ts → c\.ts → a\.ts/));
  expect(findImportFaults(files.slice(0, 2), rows)).toEqual([]);
});

test('finds an import cycle between the files of src/ itself', () => {
  const files = [
    { path: 'src/compose.ts', text: "import { main } from './main.ts';" },
    { path: 'src/main.ts', text: "import { compose } from './compose.ts';" },
  ];
  expect(findImportFaults(files, rows)).toEqual(only('src/main.ts', 1, /compose\.ts → main\.ts → compose\.ts/));
});

test('reports a folder that is in no row', () => {
  expect(faultsOf('src/horoscopes/stars.ts', '')).toEqual(
    only('src/horoscopes/stars.ts', 1, /horoscopes stands in no row/),
  );
});

test('folders other than src may import anything', () => {
  expect(faultsOf('test/unit/a.test.ts', "import pg from 'pg';\nimport { a } from '../../src/main.ts';")).toEqual([]);
});
