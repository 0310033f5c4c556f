import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { projectNode, root } from './ensure-installed.mjs';

/** What we hear, and what the child gets: a terminal that was closed is a reason to stop like any other. */
const FORWARDED = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGTERM' };

/** How soon the end of npm is noticed. */
const PARENT_CHECK_MS = 300;

/** One press of Ctrl-C arrives up to twice: from the terminal, and passed on by npm. */
const SAME_PRESS_MS = 1000;

/**
 * Runs the project's Node.js on a script, with this terminal and with `env` beside what this shell says, and resolves with its exit
 * code once it has ended (128 and the signal's number if a signal ended it). It gets a session of its own, where no terminal reaches
 * it, and every signal from us: so one Ctrl-C is one signal to it, and a second one, later, is a second. When this process is killed,
 * the channel between the two closes, and the child hears `disconnect`. When npm started us and is killed, the child is stopped.
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

/** Whatever the child started in its own group and left behind, as a test runner does that was interrupted. */
function endGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

/** Started by npm we are nobody's without it: whoever ended npm alone meant us. */
function followParent(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}
