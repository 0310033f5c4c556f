import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import { findDifferences } from '../../scripts/check-generated.ts';

let root: string;
const kept = (): string => join(root, 'kept');
const made = (): string => join(root, 'made');
const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};

beforeEach(() => {
  root = mkdtempSync(join(inject('runFolder'), 'generated-'));
  write(made(), { 'api.ts': 'one\ntwo\n', 'db.ts': 'rows\n' });
  write(kept(), { 'api.ts': 'one\ntwo\n', 'db.ts': 'rows\n' });
  write(root, { 'copy.ts': 'one\ntwo\n' });
});

const find = (): Promise<string[]> => findDifferences(kept(), made(), { [join(root, 'copy.ts')]: 'api.ts' });

test('finds no difference when everything is up to date', async () => {
  expect(await find()).toEqual([]);
});

test('shows a manually changed line as it is and as it should be', async () => {
  write(kept(), { 'api.ts': 'one\n2\n' });
  expect(await find()).toEqual([`${kept()}/api.ts:2: differs\n  committed: 2\n  generated: two`]);
});

test('shows where a truncated file ends', async () => {
  write(kept(), { 'api.ts': 'one' });
  expect(await find()).toEqual([`${kept()}/api.ts:2: differs\n  committed: (the file ends)\n  generated: two`]);
});

test('finds a copy elsewhere that differs', async () => {
  write(root, { 'copy.ts': 'one\n' });
  expect(await find()).toEqual([expect.stringContaining('copy.ts:2: differs')]);
});

test('names a missing file and one that nothing generates any more', async () => {
  write(made(), { 'new.ts': '' });
  write(kept(), { 'old.ts': '' });
  expect(await find()).toEqual([
    `${kept()}/new.ts: is missing`,
    `${kept()}/old.ts: nothing generates this file any more`,
  ]);
});
