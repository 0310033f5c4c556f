import { expect, test } from 'vitest';
import { gather } from '../../src/lib/gather.ts';

test('one chunk is kept as it came, and many come out in their order', () => {
  const one = Buffer.from('{"a":1}');
  const single = gather();
  expect(single.add(one)).toBe(7);
  expect(single.bytes().buffer).toBe(one.buffer);
  for (const sizes of [[], [0], [0, 3, 0], [1, 1, 1, 1, 1, 1, 1], [5, 1, 900, 0, 3], [64, 64, 4096, 1]]) {
    const gathered = gather();
    const chunks = sizes.map((size, at) => Buffer.alloc(size, at + 1));
    const counted = chunks.map((chunk) => gathered.add(chunk));
    expect(counted).toEqual(sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0)));
    expect(gathered.bytes()).toEqual(Buffer.concat(chunks));
  }
});

test('gathering writes to no chunk, even where its memory is shared', () => {
  const shared = Buffer.from('abcdef');
  const gathered = gather();
  gathered.add(shared.subarray(0, 3));
  gathered.add(Buffer.from('xyz'));
  expect([shared.toString(), gathered.bytes().toString()]).toEqual(['abcdef', 'abcxyz']);
});
