import { expect, test } from 'vitest';
import { createFailureLog } from '../../src/outage-log.ts';

function open() {
  const lines: { fields: unknown; message: string }[] = [];
  const write = (fields: unknown, message?: string) => void lines.push({ fields, message: message ?? '' });
  let nowMs = 0;
  const log = createFailureLog({ error: write, warn: write } as never, () => nowMs);
  return {
    lines,
    log,
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
const shutDown = Object.assign(new Error('terminating connection'), { code: '57P01' });

test('an outage is one line without a stack, and another every half a minute with the number of what was folded', () => {
  const { lines, log, wait } = open();
  for (let i = 0; i < 50; i += 1) log(i % 2 === 0 ? refused : shutDown, 'the job webhooks.deliver failed');
  expect(lines).toEqual([{ fields: { reason: refused.message }, message: 'the job webhooks.deliver failed' }]);
  wait(31_000);
  log(shutDown, 'the job payments.apply failed');
  expect(lines[1]).toEqual({
    fields: { reason: shutDown.message, more: 49 },
    message: 'the job payments.apply failed',
  });
});

test('every other error is logged with its stack, during an outage, too', () => {
  const { lines, log } = open();
  const [bug, busy] = [new Error('a bug'), Object.assign(new Error('lock timeout'), { code: '55P03' })];
  for (const error of [refused, bug, busy, bug]) log(error, 'failed');
  expect(lines.slice(1).map(({ fields }) => fields)).toEqual([{ err: bug }, { err: busy }, { err: bug }]);
});
