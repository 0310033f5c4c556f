/**
 * Writes everything in generated/, and the clients' copies. Never edit those files by hand.
 * Usage: node scripts/generate.ts [folder]
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CLIENT_COPIES, SHARED_SOURCES, TWIN_COPIES } from './generate/copies.ts';

const run = promisify(execFile);

const target = process.argv[2] ?? 'generated';
await mkdir(target, { recursive: true });
// One after the other: later steps load the contract's types, which the first one writes.
for (const step of ['openapi', 'client', 'contracts', 'db', 'messages', 'embed']) await make(step);
await copy([...made(CLIENT_COPIES), ...Object.entries(SHARED_SOURCES)]);
// Last, because they need the client, which may lack a method for a new operation.
await make('samples');
await make('python');
await make('php');
await make('docs');
await copy(made(TWIN_COPIES));

/** Copies by their own paths and those of their sources. */
function made(copies: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(copies).map(([path, name]) => [path, join(target, name)]);
}

async function copy(copies: readonly (readonly [string, string])[]): Promise<void> {
  if (target !== 'generated') return;
  for (const [path, source] of copies) {
    await mkdir(dirname(path), { recursive: true });
    await copyFile(source, path);
  }
}

async function make(step: string): Promise<void> {
  const { stdout, stderr } = await run(process.execPath, [`scripts/generate/${step}.ts`, target]);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
}
