import type { Sightings, Transfer } from '../ports/chain.ts';

/** The most sightings of a kind that one statement of a matcher carries, or one transaction's more. */
const SLICE_MAX = 2_000;

/** The sightings in parts for one statement each, in their order. The transfers of a transaction stay together. */
export function slicesOf(
  { transfers, collector, approvals, coinSweeps = [], spends }: Sightings,
  max = SLICE_MAX,
): Sightings[] {
  const parts = cut(transfers, max);
  const others = Math.max(collector.length, approvals.length, coinSweeps.length);
  const count = Math.max(parts.length, Math.ceil(others / max));
  return Array.from({ length: count }, (_, i) => ({
    transfers: parts[i] ?? [],
    collector: collector.slice(i * max, (i + 1) * max),
    approvals: approvals.slice(i * max, (i + 1) * max),
    ...(coinSweeps.length > 0 && { coinSweeps: coinSweeps.slice(i * max, (i + 1) * max) }),
    ...(spends && { spends }),
  }));
}

function cut(transfers: readonly Transfer[], max: number): Transfer[][] {
  const parts: Transfer[][] = [];
  for (let from = 0; from < transfers.length; ) {
    let to = Math.min(from + max, transfers.length);
    while (to < transfers.length && transfers[to]?.txHash === transfers[to - 1]?.txHash) to += 1;
    parts.push(transfers.slice(from, to));
    from = to;
  }
  return parts;
}
