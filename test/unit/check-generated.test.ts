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

test('nothing differs when everything was made of the sources as they are', async () => {
  expect(await find()).toEqual([]);
});

test('a line that was changed by hand is shown as it is and as it should be', async () => {
  write(kept(), { 'api.ts': 'one\n2\n' });
  expect(await find()).toEqual([`${kept()}/api.ts:2: differs\n  committed: 2\n  generated: two`]);
});

test('a file that is cut off shows where it ends', async () => {
  write(kept(), { 'api.ts': 'one' });
  expect(await find()).toEqual([`${kept()}/api.ts:2: differs\n  committed: (the file ends)\n  generated: two`]);
});

test('a copy elsewhere has to be the same too', async () => {
  write(root, { 'copy.ts': 'one\n' });
  expect(await find()).toEqual([expect.stringContaining('copy.ts:2: differs')]);
});

test('a file that is missing, and one that nothing makes any more, are named', async () => {
  write(made(), { 'new.ts': '' });
  write(kept(), { 'old.ts': '' });
  expect(await find()).toEqual([
    `${kept()}/new.ts: is missing`,
    `${kept()}/old.ts: nothing generates this file any more`,
  ]);
});
