import type { Finding } from './finding.ts';

/** How a comparison is followed while it goes on, and stopped. */
export type Following = {
  /** The comparison rejects once it is aborted. */
  readonly signal?: AbortSignal;
  /** Told before each page how far the comparison is. */
  readonly onProgress?: (done: string) => void;
  /** Told each finding as it is found; the result has only the first of them. */
  readonly onFinding?: (finding: Finding) => void;
};

/** Told before each page how far the comparison is; throws when it is to stop. */
export type Step = (done: string) => void;

/** The steps of a comparison that is followed so: each tells how far it is, and throws once `signal` is aborted. */
export const stepOf =
  ({ signal, onProgress }: Following): Step =>
  (done) => {
    signal?.throwIfAborted();
    onProgress?.(done);
  };

/** Of many that are wrong for one reason, these are kept. See decision reconcile/the-first-findings-are-kept. */
export const FINDINGS_KEPT = 10_000;

export type Findings = {
  readonly add: (findings: readonly Finding[]) => void;
  /** The first of them. */
  readonly kept: readonly Finding[];
  /** Of all. */
  readonly count: () => number;
};

/** Collects the findings of a comparison: tells each, counts all, and keeps the first. */
export function openFindings({ onFinding }: Following): Findings {
  const kept: Finding[] = [];
  let count = 0;
  return {
    add: (findings) => {
      for (const finding of findings) {
        count += 1;
        if (kept.length < FINDINGS_KEPT) kept.push(finding);
        onFinding?.(finding);
      }
    },
    kept,
    count: () => count,
  };
}
