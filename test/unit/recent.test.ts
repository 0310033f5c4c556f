import { expect, test } from 'vitest';
import { createRecent } from '../../src/lib/recent.ts';

test('what was used last is kept, and never more than so many', () => {
  const recent = createRecent<number>(2);
  let made = 0;
  const of = (name: string): number => recent.of(name, () => ++made);
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(of)).toEqual([1, 2, 1, 3, 1, 4]);
  for (let each = 0; each < 1000; each++) of(String(each));
  expect(recent.size()).toBe(2);
});
