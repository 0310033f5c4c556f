import { expect, test } from 'vitest';
import { findLinkFaults } from '../../scripts/checks/links.ts';

const THERE = new Set([
  'src/payments/payment.ts',
  'src/ledger/README.md',
  'src/db/batches.ts',
  'src/payments/README.md',
]);
const faults = (path: string, text: string): string[] =>
  findLinkFaults([{ path, text }], (each) => THERE.has(each)).map(({ line, message }) => `${line}: ${message}`);

test('a link to a file that is there is fine, from the folder of the document', () => {
  expect(
    faults('src/payments/README.md', '[a](payment.ts) [b](../ledger/README.md#flow) [c](https://a.example)'),
  ).toEqual([]);
});

test('a link that leads nowhere is refused where it stands', () => {
  expect(faults('src/payments/README.md', '\n[a](gone.ts)')).toEqual(['2: the link gone.ts leads nowhere.']);
  expect(faults('openapi/guides/a.md', '[a](../gone.md#part)')).toEqual(['1: the link ../gone.md leads nowhere.']);
});

test('a file that a README names by its path has to be somewhere', () => {
  expect(faults('src/payments/README.md', '`payments/payment.ts`, `db/batches.ts` and `payment.ts`')).toEqual([]);
  expect(faults('src/README.md', '`lib/gone.ts`')).toEqual(['1: there is no file lib/gone.ts.']);
  expect(faults('openapi/guides/a.md', '`lib/gone.ts`')).toEqual([]);
});
