import { ensureInstalled } from './lib/ensure-installed.mjs';
import { runNode } from './lib/run-node.mjs';
import { compileCache, serviceCommand } from './lib/service-command.mjs';

/** `npm start`: installs missing packages, then runs the service until it is stopped. */

ensureInstalled({ dev: false });
process.exitCode = await runNode([...serviceCommand, ...process.argv.slice(2)], { NODE_COMPILE_CACHE: compileCache });
