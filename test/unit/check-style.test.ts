// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code under test
import { describe, expect, test } from 'vitest';
import { findTextFaults } from '../../scripts/checks/text-rules.ts';
import { findTreeFaults } from '../../scripts/checks/tree-rules.ts';

const lines = (count: number, line = 'const a = 1;'): string => `${line}\n`.repeat(count);
const messages = (path: string, text: string): string[] =>
  [...findTextFaults({ path, text }), ...findTreeFaults({ path, text })].map(({ message }) => message);
/** Exactly one fault, with this message. */
const one = (message: RegExp) => [expect.stringMatching(message)];

/** The host of the public package registry, spelled so that this file passes the check itself. */
const PUBLIC_HOST = ['registry', 'npmjs', 'org'].join('.');

test('a fault names its line', () => {
  expect(findTreeFaults({ path: 'src/a.ts', text: '\n\nconst a = Date.now();' })).toMatchObject([
    { path: 'src/a.ts', line: 3 },
  ]);
  expect(findTextFaults({ path: 'README.md', text: `one\n${'TO'}DO\n` })).toMatchObject([
    { path: 'README.md', line: 2 },
  ]);
});

describe('length', () => {
  test('a file has at most 450 lines', () => {
    expect(messages('src/a.ts', lines(450))).toEqual([]);
    expect(messages('src/a.ts', lines(451))).toEqual(one(/^451 lines; at most 450/));
    expect(messages('src/a.css', lines(451, 'a {}'))).toEqual(one(/^451 lines/));
  });

  test.each(['openapi/openapi.yaml', 'package-lock.json', 'README.md', 'LICENSE'])('%s has no limit', (path) => {
    expect(messages(path, lines(1000, 'word'))).toEqual([]);
  });

  const ofLength = (open: string, count: number, close: string): string => `${open}\n${lines(count - 2)}${close}\n`;

  test.each([
    ['function f() {', '}'],
    ['const f = () => {', '};'],
    ['const f = { async m() {', '} };'],
    ['export default call(function () {', '});'],
  ])('a function may have 60 lines, not 61: %s', (open, close) => {
    expect(messages('vitest.config.ts', ofLength(open, 60, close))).toEqual([]);
    expect(messages('vitest.config.ts', ofLength(open, 61, close))).toEqual(one(/a function of 61 lines; at most 60/));
  });

  test('a test may have 60 lines, a describe block as many as its file', () => {
    expect(messages('test/a.test.ts', ofLength("test('a', () => {", 61, '});'))).toEqual(one(/61 lines/));
    expect(messages('test/a.test.ts', ofLength("describe('a', () => {", 200, '});'))).toEqual([]);
    expect(messages('test/a.test.ts', ofLength("describe.each([1])('a', () => {", 200, '});'))).toEqual([]);
  });
});

describe('time', () => {
  test.each(['const a = Date.now();', 'const a = new Date();', 'const a = new Date;', 'const a = Date();'])(
    'may not be read: %s',
    (text) => {
      expect(messages('src/payments/a.ts', text)).toEqual(one(/time is an argument/));
      expect(messages('src/lib/clock.ts', text)).toEqual([]);
      expect(messages('test/a.ts', text)).toEqual([]);
      expect(messages('src/checkout/pages/assets/a.js', text)).toEqual([]);
    },
  );

  test.each([
    'sql`update a set b = now()`',
    'sql<Date>`now()`',
    'sql`select ${a} where b < current_timestamp`',
    'sql`${a} and b < NOW ( )`',
  ])('must be a bound argument in SQL: %s', (text) => {
    expect(messages('src/payments/a.ts', text)).toEqual(one(/argument of SQL/));
  });

  test('must be a bound argument in what a migration creates', () => {
    const text = 'export const up = `create table a (b timestamptz default now())`;';
    expect(messages('src/db/migrations/0009-a.ts', text)).toEqual(one(/argument of SQL/));
  });

  test.each([
    'const at = new Date(0);',
    'const at = clock.now();',
    'sql`${deps.now()} and locked_until < clock_timestamp()`',
    "const text = 'as of now()';",
  ])('may be used: %s', (text) => {
    expect(messages('src/payments/a.ts', text)).toEqual([]);
  });
});

test('only config.ts and main.ts may read the environment', () => {
  const text = "const port = process.env['PORT'];";
  expect(messages('src/http/server.ts', text)).toEqual(one(/only config.ts reads the environment/));
  expect(messages('src/main.ts', text)).toEqual([]);
  expect(messages('scripts/demo.ts', text)).toEqual([]);
});

test.each([
  ['export default function a() {}', /default export/],
  ['const a = 1; export default a;', /default export/],
  ['const a = 1; export { a as default };', /default export/],
  ['const a: any = 1;', /turns the compiler off/],
  ['function f(a: readonly any[]) {}', /turns the compiler off/],
  ['enum Colour { Red }', /enum/],
  ['class Service {}', /a class that is not an error/],
  ['class Service extends Base {}', /a class that is not an error/],
  ['const A = class {};', /a class that is not an error/],
  ["export { a } from './a.ts';", /only passes on/],
  ["export * from './a.ts';\nexport type * from './b.ts';", /only passes on/],
  ['function f(trx?: Trx) {}', /takes `trx: Trx`/],
  ['type Deps = { trx?: Trx };', /takes `trx: Trx`/],
])('refuses everywhere: %s', (text, message) => {
  expect(messages('scripts/a.ts', text)).toEqual(one(message));
});

test.each([
  ['class AppError extends Error {}', 'an error'],
  ['class Refusal extends AppError {}', 'a subclass of an error'],
  ["export { a } from './a.ts';\nexport const b = 1;", 'a module with code of its own'],
  ['function f(trx: Trx) {}', 'a required transaction'],
  ["const any = 'any';", 'a word'],
])('allows %s (%s)', (text) => {
  expect(messages('scripts/a.ts', text)).toEqual([]);
});

test.each(['const a = { get b() { return 1; } };', 'const a = { set b(to) {} };'])(
  'refuses what looks like a property: %s',
  (text) => {
    expect(messages('src/a.ts', text)).toEqual(one(/getter or setter/));
    expect(messages('test/a.ts', text)).toEqual([]);
    expect(messages('src/a.ts', 'const a = { get: () => 1, set(to) {} };')).toEqual([]);
  },
);

test('the entry module of a package may re-export', () => {
  expect(messages('clients/typescript/src/index.ts', "export { a } from './a.ts';")).toEqual([]);
});

test.each([
  'test.only',
  'test.skip',
  'describe.only',
  'it.skip',
  'test.todo',
  'test.concurrent.only',
  'describe.each([1]).skip',
])('%s is refused in tests and nowhere else', (call) => {
  expect(messages('test/a.test.ts', `${call}('a', () => {});`)).toEqual(one(/every test runs/));
  expect(messages('src/a.ts', 'const first = list.only;')).toEqual([]);
});

test.each(['vi.waitFor(() => ready())', 'vi.waitUntil(ready)'])('a test says how long it waits: %s', (call) => {
  const patient = `${call.slice(0, -1)}, 60_000)`;
  expect(messages('test/a.test.ts', `await ${call};`)).toEqual(one(/Say how long/));
  expect(messages('test/a.test.ts', `await ${patient};`)).toEqual([]);
  expect(messages('src/a.ts', `await ${call};`)).toEqual([]);
});

describe('a doc comment', () => {
  test.each(['export function f() {}', 'export const f = () => 1;', 'export const f = async function () {};'])(
    'is required: %s',
    (text) => {
      expect(messages('src/a.ts', text)).toEqual(one(/^f is exported without a doc comment/));
      expect(messages('src/a.ts', `/** What it guarantees. */\n${text}`)).toEqual([]);
      expect(messages('src/a.ts', `// Not for readers of the function.\n${text}`)).toHaveLength(1);
      expect(messages('test/a.ts', text)).toEqual([]);
    },
  );

  test.each(['function f() {}', 'export const LIMIT = 5;', 'export type F = () => void;'])(
    'is not required: %s',
    (text) => {
      expect(messages('src/a.ts', text)).toEqual([]);
    },
  );
});

test.each([
  [`// ${'TO'}DO: later`, /finish it/],
  [`# ${'FIX'}ME`, /finish it/],
  [`cp ${'/wo'}rk/main/a b`, /path of one machine/],
  [`const home = '${'/ho'}me/nimal/kasi';`, /path of one machine/],
  [`see http://npm-${'registry'}.internal:4873/`, /address of a registry/],
  [`see ../${'shared'}/spec`, /readers of this repository do not have/],
  [`as ${'shared'}/design says`, /readers of this repository do not have/],
  [`as ${'decisions'}.md says`, /readers of this repository do not have/],
])('refuses the text: %s', (text, message) => {
  expect(messages('docs/a.md', text)).toEqual(one(message));
});

test.each([
  `https://${PUBLIC_HOST}/kasi`,
  'GET /v1/home/x',
  `const a = \`\${folder}${'/ho'}me/x\`;`,
  'The photodo list',
])('allows similar text: %s', (text) => {
  expect(messages('docs/a.md', text)).toEqual([]);
});

test('the lockfile names only the public registry', () => {
  const resolved = (url: string): string => `      "resolved": "${url}",`;
  expect(messages('package-lock.json', resolved('https://npm.example.org/kysely.tgz'))).toEqual(
    one(/where one machine/),
  );
  expect(messages('package-lock.json', resolved(`https://${PUBLIC_HOST}/kysely.tgz`))).toEqual([]);
  expect(messages('package-lock.json', resolved('clients/typescript'))).toEqual([]);
});
