import { expect, test } from 'vitest';
import { createFailureLog } from '../../src/outage-log.ts';

function open() {
  const lines: { fields: unknown; message: string }[] = [];
  const write = (fields: unknown, message?: string) => void lines.push({ fields, message: message ?? '' });
  let nowMs = 0;
  const log = createFailureLog(
    { error: write, warn: write, info: (message: string) => write('info', message) } as never,
    () => nowMs,
  );
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
  for (const error of [refused, bug, busy]) log(error, 'failed');
  expect(lines.slice(1).map(({ fields }) => fields)).toEqual([{ err: bug }, { err: busy }]);
});

test('the same failure of many is one line in half a minute, and another failure one of its own', () => {
  const { lines, log, wait } = open();
  const bug = new Error('block 17 has no parent');
  for (const id of ['pay_0198f1c2d3e4', 'pay_0198f1c2d3e5']) log(bug, `payment ${id} could not be applied`);
  log(new Error('block 18 has no parent'), 'payment pay_0198f1c2d3e6 could not be applied');
  log(new Error('another bug'), 'payment pay_0198f1c2d3e4 could not be applied');
  expect(lines.map(({ message }) => message)).toEqual([
    'payment pay_0198f1c2d3e4 could not be applied',
    'payment pay_0198f1c2d3e4 could not be applied',
  ]);
  wait(31_000);
  log(bug, 'payment pay_0198f1c2d3e7 could not be applied');
  expect(lines[2]).toEqual({
    fields: { err: bug, more: 2 },
    message: 'payment pay_0198f1c2d3e7 could not be applied',
  });
});

test('what is no error is news, each time', () => {
  const { lines, log } = open();
  for (const dropped of [1, 2]) log(undefined, `base: a reorg dropped ${dropped} blocks`);
  expect(lines).toEqual([1, 2].map((n) => ({ fields: 'info', message: `base: a reorg dropped ${n} blocks` })));
});
