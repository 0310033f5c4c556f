import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import { operationIds } from '../support/contract.ts';
import { blocks, guidesOfKasi } from './guide.ts';
import { sampleOf, samplesOf } from './samples.ts';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasi-samples-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('every operation has a sample with each client and one with curl', () => {
  const labels = operationIds.map((id) => samplesOf(id).map(({ label }) => label));
  expect(new Set(labels.map(String))).toEqual(new Set(['TypeScript,curl,Python,PHP']));
});

test('samples show exactly the credentials that the operation takes', () => {
  for (const id of operationIds) {
    const alternatives: readonly Readonly<Record<string, unknown>>[] = operationMeta[id].security;
    const bearer = alternatives.some((schemes) => 'merchantBearer' in schemes || 'adminBearer' in schemes);
    const curl = sampleOf(id, 'curl');
    expect([id, curl.includes('Authorization: Bearer')]).toEqual([id, bearer]);
    expect([id, curl.includes('X-Signature')]).toEqual([id, alternatives.length > 0 && !bearer]);
    const isSigned = alternatives.some((schemes) => 'apiKey' in schemes);
    for (const label of ['TypeScript', 'Python', 'PHP']) {
      const source = sampleOf(id, label);
      expect([id, /api_?secret/i.test(source)]).toEqual([id, isSigned]);
      expect([id, /\btoken\b.{2,30}_TOKEN/.test(source)]).toEqual([id, alternatives.length > 0 && !isSigned]);
    }
  }
});

test('every TypeScript sample and example compiles strictly', async () => {
  const texts = [
    ...operationIds.map((id) => [id, sampleOf(id, 'TypeScript')] as const),
    // What imports a generated client is compiled beside one, in generate-a-client.long.test.ts.
    ...blocks(guidesOfKasi, 'ts')
      .filter((text) => !text.includes("from './kasi/"))
      .map((text, index) => [`guide-${index}`, text] as const),
  ];
  expect(texts.length).toBeGreaterThan(operationIds.length + 3);
  await Promise.all(texts.map(([name, text]) => writeFile(join(folder, `${name}.mts`), text)));
  const compilerOptions = {
    extends: resolve('tsconfig.json'),
    compilerOptions: {
      typeRoots: [resolve('node_modules/@types')],
      paths: {
        '@kasi/client': [resolve('clients/typescript/src/index.ts')],
        '@kasi/client/admin': [resolve('clients/typescript/src/admin.ts')],
      },
      // Errors as an editor shows them; the client's own files are compiled along.
      noUnusedLocals: false,
    },
    include: ['*.mts'],
    exclude: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(compilerOptions));
  const compiled = await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { readonly stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');
});

test('every curl sample is valid shell syntax', async () => {
  for (const id of operationIds) {
    await writeFile(join(folder, 'sample.sh'), sampleOf(id, 'curl'));
    const checked = await run('sh', ['-n', 'sample.sh'], { cwd: folder }).catch((error: Error) => error.message);
    expect([id, checked]).toEqual([id, { stdout: '', stderr: '' }]);
  }
});
