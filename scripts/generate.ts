/**
 * Writes everything in generated/, and the client's copies. Never edit those files by hand.
 * Usage: node scripts/generate.ts [folder]
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CLIENT_COPIES, SHARED_SOURCES } from './generate/copies.ts';

const run = promisify(execFile);

const target = process.argv[2] ?? 'generated';
await mkdir(target, { recursive: true });
// One after the other: later steps load the contract's types, which the first one writes.
for (const step of ['openapi', 'client', 'contracts', 'db', 'messages', 'embed']) await make(step);
if (target === 'generated') {
  const made = Object.entries(CLIENT_COPIES).map(([copy, name]) => [copy, join(target, name)] as const);
  for (const [copy, source] of [...made, ...Object.entries(SHARED_SOURCES)]) {
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(source, copy);
  }
}
// Last, because it needs the client, which may lack a method for a new operation.
await make('samples');

async function make(step: string): Promise<void> {
  const { stdout, stderr } = await run(process.execPath, [`scripts/generate/${step}.ts`, target]);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
}
