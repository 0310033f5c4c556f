import { ensureInstalled } from './ensure-installed.mjs';
import { runNode } from './run-node.mjs';
import { compileCache, serviceCommand } from './service-command.mjs';

/** `npm start`: installs what is missing, then runs the service until it is stopped. */

ensureInstalled({ dev: false });
process.exitCode = await runNode([...serviceCommand, ...process.argv.slice(2)], { NODE_COMPILE_CACHE: compileCache });
