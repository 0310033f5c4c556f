import type { Progress } from '../../src/backup/dump.ts';
import { progress } from './output.ts';

const EVERY_MS = 1000;

/** Says how far a copy has come, at most once a second, where a person may see it. */
export function showProgress(): Progress {
  const began = performance.now();
  let told = began;
  return ({ did, number, of, bytes }) => {
    const now = performance.now();
    if (now - told < EVERY_MS && number !== of) return;
    told = now;
    const things = `${number}${of === null ? '' : ` of ${of}`} ${did === 'checked' ? 'foreign keys' : 'tables'}`;
    progress(`${did} ${things}, ${megabytes(bytes)} MB, ${seconds(now - began)} s`);
  };
}

/** Short work prints nothing, and long work does not look hung. */
const SILENT_MS = 5000;

/** What says on stderr how far long work is, where nothing was said of it for five seconds. */
export function sayingSometimes(now: () => number = () => performance.now()): (done: string) => void {
  let told = now();
  return (done) => {
    if (now() - told < SILENT_MS) return;
    told = now();
    progress(done);
  };
}

export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

export const seconds = (ms: number): string => (ms / 1000).toFixed(1);
