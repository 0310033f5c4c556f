import { fileURLToPath } from 'node:url';

/**
 * What Node.js is given to run the service. On a machine with much memory it would let the garbage of young objects grow to 128 MB before
 * it looks; with 32 the service answers as fast and holds a third less under load.
 */
export const serviceCommand = [
  '--max-semi-space-size=16',
  fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
];

/**
 * Where Node.js keeps what it has compiled of the service and its packages, for the next process: without that, the half of a start is
 * compiling. Node.js itself compares it with the sources, and does without where it may not write.
 */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/kasi/compiled', import.meta.url));
