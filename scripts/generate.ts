/**
 * Writes everything in generated/, and the client's copy of the types. What stands there is never edited by hand.
 * Usage: node scripts/generate.ts [folder]
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const target = process.argv[2] ?? 'generated';
await mkdir(target, { recursive: true });
// One after the other: the contract's types are needed to load what makes the others.
for (const step of ['openapi', 'contracts', 'db']) {
  const { stdout, stderr } = await run(process.execPath, [`scripts/generate/${step}.ts`, target]);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
}
if (target === 'generated') {
  await mkdir('clients/typescript/src/generated', { recursive: true });
  await copyFile(join(target, 'api.ts'), 'clients/typescript/src/generated/api.ts');
}
