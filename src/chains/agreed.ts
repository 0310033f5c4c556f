import { setTimeout as sleep } from 'node:timers/promises';

/** An endpoint answers one question differently each time. */
export class ContradictionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ContradictionError';
  }
}

/** A node finishes the block that it is making meanwhile. */
const APART_MS = 50;
const ANSWERS_MAX = 4;

/**
 * What is held after a block, by two answers in a row that agree, a moment apart; `first` is an answer that is at hand.
 * Throws ContradictionError where no two of four do. See decision chains/asked-until-two-agree.
 */
export async function untilTwoAgree(
  { network, height }: { readonly network: string; readonly height: number },
  ask: () => Promise<readonly bigint[]>,
  first?: readonly bigint[],
): Promise<readonly bigint[]> {
  let before = first ?? (await ask());
  for (let answers = 2; answers <= ANSWERS_MAX; answers += 1) {
    await sleep(APART_MS);
    const now = await ask();
    if (now.every((units, i) => units === before[i])) return now;
    before = now;
  }
  throw new ContradictionError(
    `${network}: the node answers what addresses hold after block ${height} differently each time`,
  );
}
