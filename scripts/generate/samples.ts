/**
 * Adds samples to every operation of generated/openapi.json: in TypeScript, Python and PHP with the clients, and with
 * curl. All clients have the names of the TypeScript client, so it is one of the last steps. Fails, after everything
 * else was written, if that has no method for an operation. Usage: node scripts/generate/samples.ts [folder]
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminSurface } from '../../clients/typescript/src/admin-surface.ts';
import { surface } from '../../clients/typescript/src/surface.ts';
import { callOf, type Method } from './samples-call.ts';
import { curlSample } from './samples-curl.ts';
import { phpSample } from './samples-php.ts';
import { pythonSample } from './samples-python.ts';
import { type Contract, type Operation, requestOf } from './samples-request.ts';
import { typescriptSample } from './samples-typescript.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const file = join(process.argv[2] ?? 'generated', 'openapi.json');
const contract = JSON.parse(await readFile(file, 'utf8')) as Contract;
await writeFile(file, `${JSON.stringify(withSamples(contract), null, 2)}\n`);

function withSamples(whole: Contract): Contract {
  const methods = new Map([...methodsIn(surface), ...methodsIn(adminSurface)]);
  const missing: string[] = [];
  const paths = mapEntries(whole.paths, (path, item) =>
    mapEntries(item, (verb, operation) => {
      if (!METHODS.includes(verb)) return operation;
      const method = methods.get(`${verb.toUpperCase()} ${path}`);
      if (method) return { ...operation, 'x-codeSamples': samplesOf(whole, path, verb, operation, method) };
      missing.push(`${verb.toUpperCase()} ${path} (${operation.operationId})`);
      return operation;
    }),
  );
  if (missing.length === 0) return { ...whole, paths };
  throw new Error(
    `These operations have no method in clients/typescript/src/surface.ts or admin-surface.ts:\n  ${missing.join('\n  ')}`,
  );
}

function samplesOf(whole: Contract, path: string, verb: string, operation: Operation, method: Method): object[] {
  const request = requestOf(whole, path, verb, operation);
  const call = callOf(request, method);
  return [
    // Redoc highlights JavaScript, not TypeScript.
    { lang: 'JavaScript', label: 'TypeScript', source: typescriptSample(call) },
    { lang: 'Shell', label: 'curl', source: curlSample(request) },
    { lang: 'Python', label: 'Python', source: pythonSample(call) },
    { lang: 'PHP', label: 'PHP', source: phpSample(call) },
  ];
}

/** Every method of the client, by route. */
function methodsIn(tree: object): ReadonlyMap<string, Method> {
  const leaves = leavesOf(tree);
  const iterators = new Map(leaves.filter(isIterator).map(({ route, name }) => [route, name]));
  const calls = leaves.filter((leaf) => !isIterator(leaf) && !leaf.name.endsWith('.sync'));
  return new Map(calls.map(({ route, name }) => [route, { name, iterate: iterators.get(route) ?? null }]));
}

type Leaf = { readonly name: string; readonly route: string };

function leavesOf(tree: object, at: readonly string[] = []): Leaf[] {
  return Object.entries(tree).flatMap(([key, branch]): Leaf[] => {
    const here = [...at, key];
    if (!('route' in branch)) return leavesOf(branch, here);
    const name = here.join('.');
    // One method may appear twice: also in the client for signed requests.
    return [branch.route, branch.signed].filter((route) => route !== undefined).map((route) => ({ name, route }));
  });
}

function isIterator({ name }: Leaf): boolean {
  return name.endsWith('.iterate');
}

function mapEntries<T, U>(
  record: Readonly<Record<string, T>>,
  change: (key: string, value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]));
}
