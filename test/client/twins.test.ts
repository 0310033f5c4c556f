import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type OperationMeta, operationMeta } from '../../generated/operations.ts';

/** The generated methods of the other clients, and how an operation is written there. */
const TWINS = [
  {
    name: 'Python',
    files: ['surface.py', 'admin_surface.py'].map((name) => `clients/python/src/kasi/_generated/${name}`),
    operation: /\bOperation\("(?<method>\w+)", "(?<path>[^"]+)"(?<more>[^)]*)\)/g,
    signed: /signed_path="([^"]+)"/,
  },
  {
    name: 'PHP',
    files: ['surface.php', 'admin-surface.php'].map((name) => `clients/php/src/Generated/${name}`),
    operation: /new Operation\('(?<method>\w+)', '(?<path>[^']+)'(?<more>[^)]*)\)/g,
    signed: /signedPath: '([^']+)'/,
  },
];

const operations = Object.values<OperationMeta>(operationMeta);
const routeOf = ({ method, path }: OperationMeta): string => `${method} ${path}`;

test.for(TWINS)('the client in $name has every operation, and knows which take a key and which are open', (twin) => {
  const found = twin.files
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(twin.operation)])
    .map(({ groups = {} }) => ({
      method: groups['method'] ?? '',
      path: groups['path'] ?? '',
      more: groups['more'] ?? '',
    }));
  const routes = found.flatMap(({ method, path, more }) => {
    const signed = twin.signed.exec(more)?.[1];
    return [`${method} ${path}`, ...(signed === undefined ? [] : [`${method} ${signed}`])];
  });
  expect([...new Set(routes)].sort()).toEqual(operations.map(routeOf).sort());
  const those = (word: RegExp): string[] =>
    [...new Set(found.filter(({ more }) => word.test(more)).map(({ method, path }) => `${method} ${path}`))].sort();
  const signedOnly = /\/v1\/sdk\//; // The twin of an operation, which shares its method.
  const idempotent = operations.filter((each) => each.idempotent && !signedOnly.test(each.path));
  expect(those(/is_?Idempotent/i)).toEqual(idempotent.map(routeOf).sort());
  expect(those(/is_?Open/i)).toEqual(
    operations
      .filter(({ security }) => security.length === 0)
      .map(routeOf)
      .sort(),
  );
});

test.for(['typescript', 'python', 'php'])(
  'who follows a payment as the README of %s shows stops at each of its ends',
  (name) => {
    const readme = readFileSync(`clients/${name}/README.md`, 'utf8');
    const [example = ''] = /^```\w+\n(?:(?!^```)[\s\S])*?payments(?:\.|->)events\([\s\S]*?^```$/m.exec(readme) ?? [];
    const ends = [...example.matchAll(/['"](initiated|pending|confirming|paid|expired|failed)['"]/g)].map(
      ([, end]) => end,
    );
    expect(ends.sort()).toEqual(['expired', 'failed', 'paid']);
  },
);
