import { spawn } from 'node:child_process';

const CLI = 'node_modules/@redocly/cli/bin/cli.js';

/** Runs redocly with our rules and returns its exit code. Turns usage reports and update checks off. */
export function redocly(args: readonly string[], stdio: 'inherit' | 'ignore'): Promise<number> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [CLI, ...args, '--config', 'openapi/redocly.yaml'], { env, stdio })
      .on('error', reject)
      .on('exit', (code) => resolve(code ?? 1));
  });
}
