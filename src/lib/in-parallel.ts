/** Waits for both even if one fails, so that what was started is known and can be stopped. Rejects with the failure. */
export async function inParallel<A, B>(work: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
