/** A block that was there a moment ago is not: the chain was reorganised, or another node answered. Look again. */
export class UnknownBlockError extends Error {
  constructor(network: string, cause?: unknown) {
    super(`${network}: a block that was just there is unknown now`, { cause });
    this.name = 'UnknownBlockError';
  }
}
