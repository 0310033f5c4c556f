#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { runNode } from './lib/run-node.mjs';
import { serviceCommand, serviceEnv } from './lib/service-command.mjs';

/** `npx kasi <command>` in a checkout: installs missing packages, and runs the command with the project's Node.js. */

const words = process.argv.slice(2);
const isStart = words.length === 1 && words[0] === 'start';
const command = isStart ? serviceCommand : [fileURLToPath(new URL('kasi/run.ts', import.meta.url)), ...words];
ensureInstalled({ dev: false });
process.exitCode = await runNode(command, { INIT_CWD: process.cwd(), ...serviceEnv });
