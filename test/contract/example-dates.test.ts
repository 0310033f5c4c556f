import { expect, test } from 'vitest';
import { contract } from '../support/contract.ts';

/** Long after everyone who reads this contract has stopped. */
const LATER = Date.parse('2035-01-01T00:00:00Z');

type Node = { readonly [key: string]: unknown };

/** Every value in the contract with the names that lead to it. */
function* walk(node: unknown, path: readonly string[] = []): Generator<{ path: readonly string[]; node: Node }> {
  if (typeof node !== 'object' || node === null) return;
  yield { path, node: node as Node };
  for (const [key, value] of Object.entries(node)) yield* walk(value, [...path, key]);
}

test('an example of a time that has to lie in the future still does when somebody tries it', () => {
  const early: string[] = [];
  let seen = 0;
  const look = (where: readonly string[], time: unknown): void => {
    seen += 1;
    if (Date.parse(String(time)) < LATER) early.push(`${where.join('/')}: ${time}`);
  };
  for (const { path, node } of walk(contract)) {
    const { description, examples } = node;
    if (typeof description === 'string' && /in the future|not before the present/.test(description)) {
      for (const example of Array.isArray(examples) ? examples : []) look(path, example);
    }
    if (
      path[0] === 'paths' &&
      path.includes('requestBody') &&
      path.includes('examples') &&
      typeof node['expiresAt'] === 'string'
    ) {
      look(path, node['expiresAt']);
    }
  }
  expect(early).toEqual([]);
  expect(seen).toBeGreaterThan(3);
});
