import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { blocks, readGuide, section } from './guide.ts';

test('the published hash is that of its entry', () => {
  const block = blocks(section(readGuide('audit'), '## What can not be changed'), '').at(-1) ?? '';
  const [, body = '', hash] = /^body {2}(.+)\nhash {2}(\w+)$/m.exec(block) ?? [];
  const first = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]);
  const made = createHash('sha256').update('audit-v1\0').update(first).update(Buffer.alloc(32)).update(body);
  expect(made.digest('hex')).toBe(hash);
});
