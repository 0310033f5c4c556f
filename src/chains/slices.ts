import type { Sightings } from '../ports/chain.ts';

/** The most sightings of a kind that one statement of a matcher carries, or one transaction's more. */
const SLICE_MAX = 2_000;

/**
 * The sightings in parts for one statement each, in their order. The transfers of a transaction stay together, and so
 * do its sweeps: those that look the same are counted.
 */
export function slicesOf(
  { transfers, collector, approvals, coinSweeps = [], spends }: Sightings,
  max = SLICE_MAX,
): Sightings[] {
  const parts = cut(transfers, max);
  const sweeps = cut(coinSweeps, max);
  const others = Math.max(collector.length, approvals.length);
  const count = Math.max(parts.length, sweeps.length, Math.ceil(others / max));
  return Array.from({ length: count }, (_, i) => ({
    transfers: parts[i] ?? [],
    collector: collector.slice(i * max, (i + 1) * max),
    approvals: approvals.slice(i * max, (i + 1) * max),
    ...(coinSweeps.length > 0 && { coinSweeps: sweeps[i] ?? [] }),
    ...(spends && { spends }),
  }));
}

function cut<T extends { readonly txHash: string }>(transfers: readonly T[], max: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < transfers.length; ) {
    let to = Math.min(from + max, transfers.length);
    while (to < transfers.length && transfers[to]?.txHash === transfers[to - 1]?.txHash) to += 1;
    parts.push(transfers.slice(from, to));
    from = to;
  }
  return parts;
}
