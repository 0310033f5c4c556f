import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { composeEntry } from '../../scripts/contract/changelog.ts';
import { type Changes, findChanges } from '../../scripts/contract/changes.ts';
import { type Json, outlineOf } from '../../scripts/contract/outline.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Json;

type Draft = { [key: string]: Draft };

/** The outline of a contract that lacks what is at these paths: an older one. */
function without(...paths: readonly (readonly string[])[]): Json {
  const older = structuredClone(outlineOf(contract)) as unknown as Draft;
  for (const path of paths) {
    const owner = path.slice(0, -1).reduce((at, part) => at[part] as Draft, older);
    const last = path.at(-1) ?? '';
    if (owner[last] === undefined) throw new Error(`nothing at ${path.join('/')}`);
    if (Array.isArray(owner)) owner.splice(Number(last), 1);
    else delete owner[last];
  }
  return older as unknown as Json;
}

const NONE: Changes = {
  ...{ operations: [], adminOperations: [], events: [], requests: [], answers: [], values: [], access: [] },
  ...{ limits: [], deprecated: [] },
};
const SCHEMAS = ['components', 'schemas'];
const enumOf = (name: string): readonly string[] =>
  (contract as unknown as { components: { schemas: Record<string, { enum: readonly string[] }> } }).components.schemas[
    name
  ]?.enum ?? [];

test.for<[string, readonly string[], Partial<Changes>]>([
  ['an operation', ['paths', '/v1/refunds', 'get'], { operations: ['`GET /v1/refunds`: List refunds'] }],
  [
    'an operation for administrators',
    ['paths', '/v1/admin/incidents', 'get'],
    { adminOperations: ['`GET /v1/admin/incidents`: List incidents'] },
  ],
  ['an event', ['webhooks', 'refund.created'], { events: ['`refund.created`'] }],
  [
    'a field that is sent',
    [...SCHEMAS, 'CreatePaymentRequest', 'properties', 'items'],
    { requests: ['`CreatePaymentRequest`: `items`'] },
  ],
  [
    'a field that comes back',
    [...SCHEMAS, 'Payment', 'properties', 'amountRefunded'],
    { answers: ['`Payment`: `amountRefunded`'] },
  ],
  [
    'a scope',
    [...SCHEMAS, 'ApiKeyScope', 'enum', String(enumOf('ApiKeyScope').indexOf('links:manage'))],
    { values: ['`ApiKeyScope`: `links:manage`'] },
  ],
  [
    'an error code',
    [...SCHEMAS, 'ErrorCode', 'enum', String(enumOf('ErrorCode').indexOf('PAYMENT_REQUIRED'))],
    { values: ['`ErrorCode`: `PAYMENT_REQUIRED`'] },
  ],
  ['a limit', ['x-limits', 'place_hold'], { limits: ['`place_hold`: 3 in 900 seconds of each address'] }],
])('%s is told', ([, path, told]) => {
  expect(findChanges(without(path), contract)).toEqual({ ...NONE, ...told });
});

test('who may call besides, a parameter, another limit and a deprecation are told', () => {
  const older = structuredClone(outlineOf(contract)) as unknown as {
    paths: Record<
      string,
      Record<string, { security: object[]; parameters: { name?: string }[]; deprecated?: boolean }>
    >;
    'x-limits': Record<string, { max: number }>;
  };
  const list = older.paths['/v1/payments']?.['get'];
  const links = older.paths['/v1/payment-links']?.['get'];
  if (!list || !links || !older['x-limits']['login']) throw new Error('the contract has changed');
  list.parameters = list.parameters.filter(({ name }) => name !== 'search');
  links.security = links.security.filter((each) => !('apiKey' in each));
  older['x-limits']['login'].max = 30;
  const newer = structuredClone(contract) as unknown as typeof older;
  Object.assign(newer.paths['/v1/payments/{id}']?.['get'] ?? {}, { deprecated: true });
  expect(findChanges(older as unknown as Json, newer as unknown as Json)).toEqual({
    ...NONE,
    requests: ['`GET /v1/payments`: `search`'],
    access: ['`GET /v1/payment-links`: an API key with `links:manage`'],
    limits: ['`login`: 60 in 60 seconds of each address; it was 30 in 60'],
    deprecated: ['`GET /v1/payments/{id}`'],
  });
});

test('nothing is new in the same contract, and an entry says so', () => {
  expect(findChanges(outlineOf(contract), contract)).toEqual(NONE);
  const entry = composeEntry(outlineOf(contract), contract, '1.2.3', new Date('2026-02-03T23:00:00Z'));
  expect(entry).toMatch(
    /^## 3 February 2026\n\nVersion 1\.2\.3, contract `[0-9a-f]{12}`\.\n\nNothing that a program sees\.$/,
  );
});

/** A copy of what the check reads, with another released contract. */
function project(released: Json): { readonly check: (...args: string[]) => string; readonly folder: string } {
  const folder = makeTestFolder(inject('runFolder'));
  mkdirSync(join(folder, 'openapi/guides'), { recursive: true });
  mkdirSync(join(folder, 'generated'));
  for (const file of ['generated/openapi.json', 'openapi/guides/changes.md', 'package.json']) {
    cpSync(file, join(folder, file));
  }
  writeFileSync(join(folder, 'openapi/released.json'), JSON.stringify(released));
  const check = (...args: string[]): string => {
    try {
      const command = [resolve('scripts/check-breaks.ts'), ...args];
      return execFileSync(process.execPath, command, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return (error as { readonly stderr: string }).stderr;
    }
  };
  return { check, folder };
}

test('a release without an entry, and a version without one, fail the check until one is composed', () => {
  const { check, folder } = project(without(['paths', '/v1/refunds', 'get']));
  const changes = join(folder, 'openapi/guides/changes.md');
  const before = readFileSync(changes, 'utf8');
  expect(check()).toMatch(/^The newest entry of openapi\/guides\/changes\.md is of the contract [0-9a-f]{12}, and/);
  expect(check('--release')).toContain('is the contract as it is now');
  const after = readFileSync(changes, 'utf8');
  const [, entry = ''] = after.split(/^(?=## )/m);
  expect(entry).toContain('**New operations**\n\n- `GET /v1/refunds`: List refunds\n');
  expect(after.replace(entry, '')).toBe(before);
  expect(check()).toContain('the changes are told');

  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '0.2.0' }));
  expect(check()).toContain('What the new version brings needs an entry');
  check('--release');
  expect(readFileSync(changes, 'utf8')).toContain('Version 0.2.0, contract `');
  expect(check()).toContain('the changes are told');
});
