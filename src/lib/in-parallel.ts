/** Waits for all even if one fails, so that what was started is known and can be stopped. Rejects with the failure. */
export async function inParallel<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Each in keyof Work]: Awaited<Work[Each]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
