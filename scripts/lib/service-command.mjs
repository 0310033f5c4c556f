import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * How Node.js runs the service. By default, on a machine with much memory, the young generation of its heap grows to
 * 128 MB; with 32 MB the service answers as fast and uses a third less memory under load; with 16 MB it would hold
 * 20 MB less of 300, and a session would cost a tenth more of Node. The old one would grow to several times what lives
 * before it is looked through; to less than twice costs a twentieth of the time of opening a session, and spares 50 MB
 * of 360.
 * `gc` is there for the one collection after a start (decision scripts/start-collects-once). What is made is young,
 * whatever V8 expects of the place that makes it (decision scripts/nothing-is-made-old). The code of Node.js lies in
 * large pages of memory, where the system has them (decision scripts/code-in-large-pages).
 */
export const serviceFlags = [
  ...['--max-semi-space-size=16', '--heap-growing-percent=80'],
  ...['--no-allocation-site-pretenuring', '--expose-gc', '--use-largepages=silent'],
];

/** The arguments for Node.js that run the service. */
export const serviceCommand = serviceCommandIn(fileURLToPath(new URL('../..', import.meta.url)));

/** The same for another checkout. @param {string} root */
export function serviceCommandIn(root) {
  const source = join(root, 'src/main.ts');
  // In the package it is compiled: Node.js takes no types away in node_modules.
  return [...serviceFlags, existsSync(source) ? source : join(root, 'src/main.js')];
}

/**
 * Where Node.js caches compiled code of the service and its packages; without it, half of a start is compiling. Node.js
 * compares the cache with the sources, and does without it where it may not write.
 */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/kasi/compiled', import.meta.url));

/**
 * The environment that the service starts with. By default glibc raises the size from which it asks the system for
 * memory to what was freed last, and so keeps large buffers for ever: 30 MB of an idle service, 70 MB of a busy one.
 * A second arena, for the threads of V8, would hold 2 MB.
 */
export const serviceEnv = { NODE_COMPILE_CACHE: compileCache, MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '1' };
