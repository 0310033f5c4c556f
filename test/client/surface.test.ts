import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { surface } from '../../clients/typescript/src/surface.ts';
import { operationMeta } from '../../generated/operations.ts';

type Leaf = { readonly name: string; readonly route: string; readonly open: boolean };

function leavesOf(tree: object, path: readonly string[] = []): Leaf[] {
  return Object.entries(tree).flatMap(([name, branch]): Leaf[] => {
    const at = [...path, name];
    return 'bind' in branch ? [{ name: at.join('.'), route: branch.route, open: branch.open }] : leavesOf(branch, at);
  });
}

const leaves = leavesOf(surface);
const operations = Object.values(operationMeta).map(({ method, path, security }) => ({
  route: `${method} ${path}`,
  open: security.length === 0,
}));

test('every operation of the contract has one method, besides the iterators, and none is invented', () => {
  const routes = leaves.filter(({ name }) => !name.endsWith('.iterate')).map(({ route }) => route);
  expect(routes.sort()).toEqual(operations.map(({ route }) => route).sort());
});

test('a method sends credentials exactly where the contract asks for them', () => {
  const wanted = new Map(operations.map(({ route, open }) => [route, open]));
  const wrong = leaves.filter(({ route, open }) => wanted.get(route) !== open);
  expect(wrong).toEqual([]);
});

test('every list with pages can be iterated', () => {
  const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
  const paged = operations
    .map(({ route }) => route)
    .filter((route) => route.startsWith('GET '))
    .filter((route) =>
      contract.paths[route.slice(4)].get.parameters?.some(({ $ref = '' }: { $ref?: string }) => $ref.endsWith('/Page')),
    );
  const iterated = leaves.filter(({ name }) => name.endsWith('.iterate')).map(({ route }) => route);
  expect(paged.length).toBeGreaterThan(0);
  expect(iterated.sort()).toEqual(paged.sort());
});

test('what an editor shows of a method begins with the summary of the contract', () => {
  const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
  const source = readFileSync('clients/typescript/src/surface.ts', 'utf8');
  const entries = [...source.matchAll(/\/\*\* ([^*]+?)[.:,] ?[^*]*\*\/\n\s+\w+:[^']+'(\w+) ([^']+)'/g)];
  expect(entries).toHaveLength(leaves.length);
  const wrong = entries
    .map(([, words, method = '', path = '']) => ({
      words,
      summary: contract.paths[path][method.toLowerCase()].summary,
    }))
    .filter(({ words, summary }) => words !== summary);
  expect(wrong).toEqual([]);
});
