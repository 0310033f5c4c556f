/** By then a process does what it will go on doing: reading the contract and making routes are over. */
const SETTLED_AFTER_MS = 5_000;

/**
 * Collects what only the start needed, once, by a tenth of a second of work. Without `--expose-gc`, V8 does so later.
 * See decision scripts/start-collects-once.
 */
export function collectOnceSettled(): void {
  const collect = globalThis.gc;
  setTimeout(() => collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }), SETTLED_AFTER_MS).unref();
}
