/** A block that was there a moment ago is not: the chain was reorganised, or another node answered. Look again. */
export class UnknownBlockError extends Error {
  constructor(network: string, cause?: unknown) {
    super(`${network}: a block that was just there is unknown now`, { cause });
    this.name = 'UnknownBlockError';
  }
}

const ATTEMPTS = 3;

/** Does `work`, which reads a chain, from its beginning again when the chain is reorganised meanwhile; three times. */
export async function beginAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnknownBlockError) || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Does `work`, which reads a chain and is repeated by a later run anyway. Undefined where the chain is reorganised
 * meanwhile: that is no fault, and the watcher tells of a node that stays behind.
 */
export async function unlessReorganised<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnknownBlockError)) throw error;
    return undefined;
  }
}
