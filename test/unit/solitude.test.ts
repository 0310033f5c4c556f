import { expect, test } from 'vitest';
import { createSolitude } from '../../src/chains/second-look.ts';
import { after, MINUTE_MS } from '../../src/lib/clock.ts';
import type { Testimony } from '../../src/ports/chain.ts';

const START = new Date('2026-01-01T00:00:00Z');
const ALONE: Testimony = { agree: ['a'], deny: [], silent: ['b'] };
const DENIED: Testimony = {
  ...{ agree: ['a'], silent: [] },
  deny: [{ endpoint: 'b', what: 'lists no such transfer', certain: true, otherBlock: false }],
};
const AGREED: Testimony = { agree: ['a', 'b'], deny: [], silent: [] };
const SILENCE: Testimony = { agree: [], deny: [], silent: ['a', 'b'] };
const ONLY: Testimony = { agree: ['a'], deny: [], silent: [] };

test.each([
  ['two that agree are believed at once', [[AGREED, 0, true]]],
  ['the only endpoint of a network is believed at once', [[ONLY, 0, true]]],
  [
    'one alone is believed after an hour',
    [
      [ALONE, 0, false],
      [ALONE, 59, false],
      [ALONE, 60, true],
    ],
  ],
  [
    'a moment in which none says anything begins nothing anew',
    [
      [ALONE, 0, false],
      [SILENCE, 30, false],
      [ALONE, 60, true],
    ],
  ],
  [
    'what another one denied in between is believed an hour later',
    [
      [ALONE, 0, false],
      [DENIED, 59, true],
      [ALONE, 60, false],
      [ALONE, 119, false],
      [ALONE, 120, true],
    ],
  ],
] as const)('%s', (_, heard) => {
  const alone = createSolitude();
  for (const [testimony, minutes, isOver] of heard) {
    expect([minutes, alone.isOver('0x1', testimony, after(START, minutes * MINUTE_MS))]).toEqual([minutes, isOver]);
  }
});
