/** The items in pieces of at most `max`: a statement has its time. */
export function* piecesOf<T>(items: readonly T[], max: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += max) yield items.slice(at, at + max);
}
