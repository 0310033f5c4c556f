import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { compileCache } from '../../scripts/lib/service-command.mjs';
import type { Db } from '../../src/lib/db-types.ts';

export type ScriptOutcome = { readonly code: number; readonly out: string; readonly err: string };

/** Does not exist, so that no script finds the keys and the servers of a sandbox that was started in this checkout. */
const NO_DATA = join(tmpdir(), 'kasi-no-data');

/**
 * Runs `scripts/<script>` on a database as npm would, with only the settings in `env`; returns its exit code and
 * output.
 */
export function runScript(
  script: string,
  args: readonly string[],
  env: { readonly DATABASE_URL: string } & Readonly<Record<string, string>>,
): Promise<ScriptOutcome> {
  return new Promise((resolve) => {
    const own = { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compileCache, KASI_DATA_DIR: NO_DATA };
    const settings = { ...own, ...env };
    execFile(process.execPath, [`scripts/${script}`, ...args], { env: settings }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

/** Makes a database of a test that no service has started on one of a sandbox, as which the scripts run. */
export async function markAsSandbox(db: Db): Promise<void> {
  await db.insertInto('sandbox_clock').values({ id: 1, offset_ms: 0n }).execute();
}

/** What a command that read blocks again wrote on stderr, where all went well: how far it was, if that took long. */
export const ONLY_PROGRESS: string = expect.stringMatching(/^(\S+: read up to block .*\n)*$/);
