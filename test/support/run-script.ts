import { execFile } from 'node:child_process';
import { compileCache } from '../../scripts/lib/service-command.mjs';

export type ScriptOutcome = { readonly code: number; readonly out: string; readonly err: string };

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
    const settings = { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compileCache, ...env };
    execFile(process.execPath, [`scripts/${script}`, ...args], { env: settings }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}
