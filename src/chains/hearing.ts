import { inTime } from '../lib/in-time.ts';
import type { Endpoint } from './endpoints.ts';

/** How long an endpoint that bears witness may take. */
export const WITNESS_WITHIN_MS = 8_000;

/** What an endpoint says; undefined where it does not answer, or is left alone for what it did. */
async function hear<T>(endpoint: Endpoint, question: () => Promise<T | undefined>): Promise<T | undefined> {
  // It was found to serve another chain, or to contradict itself: it is no witness meanwhile.
  if (endpoint.restsMs() > 0 && endpoint.trouble() !== null) return undefined;
  try {
    return await inTime(question(), WITNESS_WITHIN_MS);
  } catch {
    return undefined; // It did not answer, does not know the block, or the block vanished meanwhile.
  }
}

/** Asks all of them at once; what each said. */
export const hearAll = <W extends { readonly endpoint: Endpoint }, T>(
  witnesses: readonly W[],
  question: (witness: W) => Promise<T | undefined>,
): Promise<{ readonly endpoint: string; readonly said: T | undefined }[]> =>
  Promise.all(
    witnesses.map(async (witness) => ({
      endpoint: witness.endpoint.name,
      said: await hear(witness.endpoint, () => question(witness)),
    })),
  );
