import { ensureInstalled } from './ensure-installed.mjs';
import { runNode } from './run-node.mjs';

/** `npm start`: installs what is missing, then runs the service until it is stopped. */

ensureInstalled({ dev: false });
process.exitCode = await runNode(['src/main.ts', ...process.argv.slice(2)]);
