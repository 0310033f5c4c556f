import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { projectNode, root } from './ensure-installed.mjs';

/** The signals that we receive, and what the child gets for each: a closed terminal is a reason to stop, too. */
const FORWARDED = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGTERM' };

/** How often to check whether npm has ended. */
const PARENT_CHECK_MS = 300;

/** One press of Ctrl-C arrives up to twice: from the terminal and from npm. */
const SAME_PRESS_MS = 1000;

/**
 * Runs the project's Node.js on a script, with this terminal and with `env` as defaults for the environment. Resolves
 * with its exit code (128 plus the signal's number if a signal ended it). The child runs in its own session, which no
 * terminal reaches, and gets every signal from us: one Ctrl-C is one signal, a later one is a second. If this process
 * is killed, the channel between the two closes and the child gets `disconnect`. If npm started us and is killed, the
 * child is stopped.
 */
export function runNode(args, env = {}) {
  return new Promise((resolve, reject) => {
    const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    const child = spawn(projectNode, args, {
      cwd: root,
      env: { ...env, ...process.env, PATH: path },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    for (const [heard, signal] of Object.entries(FORWARDED)) process.on(heard, forwardTo(child, signal));
    if (process.env.npm_lifecycle_event !== undefined) followParent(() => child.kill('SIGTERM'));
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      endGroup(child.pid);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

function forwardTo(child, signal) {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < SAME_PRESS_MS) return;
    last = performance.now();
    child.kill(signal);
  };
}

/** Kills what the child left in its process group, such as the workers of an interrupted test runner. */
function endGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

/** If npm started us and npm alone was ended, that was meant for us. */
function followParent(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}
