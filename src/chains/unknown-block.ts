import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../lib/errors.ts';
import type { BlockPlace, Network } from '../ports/chain.ts';
import type { ChainReader } from '../ports/chain-kind.ts';

/**
 * A block that was there a moment ago is not: the chain was reorganised, or another node answered. Look again. `cause`
 * has the node's words, which may say that it keeps no state of the block.
 */
export class UnknownBlockError extends Error {
  constructor(network: string, cause?: unknown) {
    const words = cause === undefined ? '' : `: ${messageOf(cause)}`;
    super(`${network}: a block that was just there is unknown now${words}`, { cause });
    this.name = 'UnknownBlockError';
  }
}

const ATTEMPTS = 3;

/** How long to wait before another attempt; `signal` ends the waiting, too. */
export type Pause = { readonly pauseMs: number; readonly signal?: AbortSignal | undefined };

/** So that the watcher of a network, whose cursor says which block to read, has looked at its chain again. */
export const pauseOf = ({ pollMs }: Pick<Network, 'pollMs'>, signal?: AbortSignal): Pause => ({
  pauseMs: LOOKS * pollMs,
  signal,
});
const LOOKS = 3;

/** Does `work`, which reads a chain, from its beginning again when the chain is reorganised meanwhile; three times. */
export async function beginAgain<T>(work: () => Promise<T>, pause?: Pause): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnknownBlockError) || attempt === ATTEMPTS) throw error;
      if (pause) await sleep(pause.pauseMs, undefined, { signal: pause.signal });
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

/**
 * Does `work`, which asks for the state after a block. A node that shows the block and not its state does so at every
 * run, so that is a fault and no reorg: then it throws another error than UnknownBlockError.
 */
export async function askState<T>(
  reader: Pick<ChainReader, 'findBlocks'>,
  { network, height, hash }: BlockPlace & { readonly network: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnknownBlockError)) throw error;
    const [there] = await reader.findBlocks([height]);
    if (there?.hash !== hash) throw error;
    const said = messageOf(error.cause ?? error);
    throw new Error(`${network}: the node shows block ${height} and not the state after it: ${said}`, { cause: error });
  }
}
