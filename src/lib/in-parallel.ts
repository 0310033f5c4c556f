/** Waits for all even if one fails, so that what was started is known and can be stopped. Rejects with the failure. */
export async function inParallel<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Each in keyof Work]: Awaited<Work[Each]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** Works in so many lanes at once; each goes on until there is nothing left for it. Waits for all even if one fails. */
export async function inLanes(count: number, lane: () => Promise<void>): Promise<void> {
  await inParallel(Array.from({ length: count }, lane));
}
