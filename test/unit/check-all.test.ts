import { expect, test } from 'vitest';
import { type Check, presentTable, runChecks } from '../../scripts/check.ts';

const script = (name: string, code: string): Check => ({ name, command: ['node', '-e', code] });

test('every check runs, after a failed one too, and its output is kept', async () => {
  const results = await runChecks(
    [
      script('good', "console.log('all is well')"),
      script('bad', "console.error('line 7 is wrong'); process.exit(3)"),
      { name: 'gone', command: ['no-such-program'] },
      script('last', ''),
    ],
    2,
  );
  expect(results.map(({ check, ok, output }) => [check.name, ok, output.trim()])).toEqual([
    ['good', true, 'all is well'],
    ['bad', false, 'line 7 is wrong'],
    ['gone', false, expect.stringContaining('ENOENT')],
    ['last', true, ''],
  ]);
});

test('runs the programs in node_modules/.bin', async () => {
  const [result] = await runChecks([{ name: 'types', command: ['tsc', '--version'] }], 1);
  expect(result).toMatchObject({ ok: true, output: expect.stringMatching(/^Version \d/) });
});

test('the table shows what passed, how long it took and how to repeat it', () => {
  const check: Check = { name: 'style', command: ['node', 'scripts/checks/style.ts'] };
  const table = presentTable([
    { check, ok: true, output: '', ms: 1234 },
    { check: { ...check, name: 'types' }, ok: false, output: '', ms: 100 },
  ]);
  expect(table.split('\n')).toEqual([
    'ok      style        1.2 s  node scripts/checks/style.ts',
    'FAILED  types        0.1 s  node scripts/checks/style.ts',
  ]);
});
