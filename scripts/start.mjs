import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { runNode } from './lib/run-node.mjs';
import { serviceCommand, serviceEnv } from './lib/service-command.mjs';

/** `npm start`: installs missing packages, then runs the service until it is stopped. */

const words = process.argv.slice(2);
// It takes none: `kasi start` says so, or helps.
const refusal = [fileURLToPath(new URL('kasi/run.ts', import.meta.url)), 'start', ...words];
ensureInstalled({ dev: false });
process.exitCode = await runNode(words.length > 0 ? refusal : serviceCommand, serviceEnv);
