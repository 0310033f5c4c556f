import { resolve } from 'node:path';

/**
 * The file that a command's caller has named, as an absolute name. Commands of a checkout run in its folder, wherever
 * they are called: npm, npx and `kasi.mjs` say where that was.
 */
export const namedFile = (name: string): string => resolve(process.env['INIT_CWD'] ?? '.', name);
