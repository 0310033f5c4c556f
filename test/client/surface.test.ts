import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adminSurface } from '../../clients/typescript/src/admin-surface.ts';
import { surface } from '../../clients/typescript/src/surface.ts';
import { type OperationMeta, operationMeta } from '../../generated/operations.ts';

type Leaf = { readonly name: string; readonly route: string; readonly signed?: string; readonly open: boolean };

function leavesOf(tree: object, path: readonly string[] = []): Leaf[] {
  return Object.entries(tree).flatMap(([name, branch]): Leaf[] => {
    const at = [...path, name];
    return 'bind' in branch ? [{ ...branch, name: at.join('.') }] : leavesOf(branch, at);
  });
}

const merchantLeaves = leavesOf(surface);
const adminLeaves = leavesOf(adminSurface);
const leaves = [...merchantLeaves, ...adminLeaves];
const operations = Object.values<OperationMeta>(operationMeta).map(({ method, path, security }) => ({
  route: `${method} ${path}`,
  open: security.length === 0,
  schemes: security.map((alternative) => Object.keys(alternative)),
}));
/** The operations that this kind of credentials alone can call. */
const routesWith = (scheme: string): string[] =>
  operations.filter(({ schemes }) => schemes.some((names) => names.includes(scheme))).map(({ route }) => route);

test('every operation of the contract has one method, apart from iterators, and there are no others', () => {
  const methods = leaves.filter(({ name }) => !/\.(iterate|sync)$/.test(name));
  const routes = methods.flatMap(({ route, signed }) => (signed === undefined ? [route] : [route, signed]));
  expect(routes.sort()).toEqual(operations.map(({ route }) => route).sort());
});

test('administrators have their own client, with exactly their operations', () => {
  const isForAdmins = (route: string): boolean => / \/v1\/(admin|audit-logs)\b/.test(route);
  expect(adminLeaves.filter(({ route }) => !isForAdmins(route))).toEqual([]);
  expect(merchantLeaves.filter(({ route }) => isForAdmins(route))).toEqual([]);
  expect(routesWith('adminBearer').filter((route) => !isForAdmins(route))).toEqual([]);
});

test('a method has two endpoints only where sessions and API keys have one each', () => {
  const [bearer, key] = [routesWith('merchantBearer'), routesWith('apiKey')];
  const twins = leaves.filter(({ signed }) => signed !== undefined);
  expect(twins.map(({ name }) => name)).toEqual(['checkout.sessions.create']);
  for (const { route, signed } of twins) {
    expect([bearer.includes(route), key.includes(route)]).toEqual([true, false]);
    expect([bearer.includes(signed ?? ''), key.includes(signed ?? '')]).toEqual([false, true]);
  }
  const reachable = leaves.flatMap(({ route, signed }) => [signed ?? route]);
  expect(key.filter((route) => !reachable.includes(route))).toEqual([]);
});

test('a method sends credentials exactly where the contract requires them', () => {
  const wanted = new Map(operations.map(({ route, open }) => [route, open]));
  const wrong = leaves.filter(({ route, open }) => wanted.get(route) !== open);
  expect(wrong).toEqual([]);
});

test('every list with pages or positions can be iterated', () => {
  const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
  const paged = operations
    .map(({ route }) => route)
    .filter((route) => route.startsWith('GET '))
    .filter((route) =>
      contract.paths[route.slice(4)].get.parameters?.some(
        ({ $ref = '', name = '' }: { $ref?: string; name?: string }) => $ref.endsWith('/Page') || name === 'after',
      ),
    );
  const iterated = leaves.filter(({ name }) => name.endsWith('.iterate')).map(({ route }) => route);
  expect(paged.length).toBeGreaterThan(0);
  expect(iterated.sort()).toEqual(paged.sort());
});

test("a method's doc comment starts with the contract's summary", () => {
  const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
  const source = ['surface', 'admin-surface']
    .map((name) => readFileSync(`clients/typescript/src/${name}.ts`, 'utf8'))
    .join('');
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
