import { expect, test, vi } from 'vitest';
import { sayingSometimes } from '../../scripts/lib/progress.ts';
import { FINDINGS_KEPT, openFindings } from '../../src/reconcile/following.ts';

test('unbounded findings: the first are kept, all are counted, each is reported', () => {
  let told = 0;
  const findings = openFindings({
    onFinding: () => {
      told += 1;
    },
  });
  const page = Array.from({ length: 500 }, (_, at) => ({ rule: 'payment.state', subject: `pay_${at}`, message: '' }));
  for (let pages = 0; pages < 100; pages += 1) findings.add(page);
  expect([findings.kept.length, findings.count(), told]).toEqual([FINDINGS_KEPT, 50_000, 50_000]);
  expect(findings.kept.slice(0, 500)).toEqual(page);
});

test('long work is heard of every five seconds, and short work not at all', () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  let now = 0;
  const tell = sayingSometimes(() => now);
  for (; now < 12_000; now += 100) tell(`${now} rows`);
  expect(said.mock.calls.flat()).toEqual(['5000 rows', '10000 rows']);
  said.mockRestore();
});
