import type { Testimony } from '../ports/chain.ts';

/** Whether two endpoints have shown the same. One that denies does not outweigh two that agree, but it is named. */
export function secondOpinionOf({ agree, deny }: Testimony): 'agreed' | 'differs' | 'absent' {
  if (agree.length > 1) return 'agreed';
  return deny.length > 0 ? 'differs' : 'absent';
}

/**
 * What became of something counted, now that its block should be final. `gone` needs all that answer to say so beyond a
 * doubt: two of them, or the only one of the network. A list that merely lacks it proves nothing. See
 * decision payments/looked-at-again-when-final.
 */
export function finalOpinionOf({ agree, deny, silent }: Testimony): 'there' | 'gone' | 'unclear' {
  if (agree.length > 0 && (deny.length === 0 || agree.length > 1)) return 'there';
  if (agree.length > 0 || deny.length === 0) return 'unclear';
  const enough = deny.length > 1 || silent.length === 0;
  return enough && deny.every(({ certain }) => certain) ? 'gone' : 'unclear';
}

/**
 * Whether something counted is gone although its block may still change. An endpoint that shows another block proves
 * nothing yet: the chain may return to the first one, and a reorg is the watcher's to find.
 */
export const isGoneBeforeFinal = (testimony: Testimony): boolean =>
  finalOpinionOf(testimony) === 'gone' && !testimony.deny.some(({ otherBlock }) => otherBlock);

/** Who said what, as the rest of a sentence; names hosts only. */
export function describeTestimony({ agree, deny, silent }: Testimony): string {
  return [
    ...agree.map((endpoint) => `${endpoint} shows it`),
    ...deny.map(({ endpoint, what }) => `${endpoint} ${what}`),
    ...silent.map((endpoint) => `${endpoint} does not say`),
  ].join('; ');
}
