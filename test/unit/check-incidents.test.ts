import { expect, test } from 'vitest';
import { findIncidentFaults } from '../../scripts/checks/incidents.ts';

const CATALOGUE = { path: 'src/incidents/kinds/letters.ts', text: "export const LETTERS = {\n  'a.b': {}," };
const OPENER = { path: 'src/payments/jobs.ts', text: "openIncident(trx, { kind: 'a.b' }" };
const TEST = { path: 'test/db/payments.test.ts', text: "toEqual(['a.b'])" };
const PAGE = 'Text.\n\n### a.b\n\nWhat it means.';

const messages = (files: Parameters<typeof findIncidentFaults>[1], page: string): string[] =>
  findIncidentFaults({ 'a.b': TEST.path }, [CATALOGUE, ...files], page).map(
    ({ line, message }) => `${line}: ${message}`,
  );

test('a kind is opened by code, raised by a test and described in the documentation', () => {
  expect(messages([OPENER, TEST], PAGE)).toEqual([]);
  expect(messages([TEST], PAGE)).toEqual([expect.stringMatching(/^2: no code opens a\.b/)]);
  expect(messages([OPENER], PAGE)).toEqual([expect.stringMatching(/^2: test\/db\/payments.*does not see.*a\.b/)]);
  expect(messages([OPENER, TEST], 'Text about a.b.')).toEqual([expect.stringContaining('has no section a.b')]);
});

test('only the named test counts, and only as far as it does not open the incident by itself', () => {
  const unseen = [expect.stringContaining('does not see the service open a.b')];
  expect(messages([OPENER, { ...TEST, path: 'test/db/others.test.ts' }], PAGE)).toEqual(unseen);
  const byHand = "await openTestIncident(service, {\n  kind: 'a.b',\n});\n";
  expect(messages([OPENER, { ...TEST, text: byHand }], PAGE)).toEqual(unseen);
  expect(messages([OPENER, { ...TEST, text: byHand + TEST.text }], PAGE)).toEqual([]);
});

test('a kind is described in one part of the catalogue, and no part counts as code that opens it', () => {
  const twice = { path: 'src/incidents/kinds/others.ts', text: "{\n  'a.b': {}," };
  expect(messages([OPENER, TEST, twice], PAGE)).toEqual([expect.stringContaining('a.b is not described once')]);
  expect(findIncidentFaults({ 'a.b': TEST.path }, [OPENER, TEST], PAGE)).toEqual([
    { path: 'src/incidents/kinds.ts', line: 0, message: expect.stringContaining('a.b is not described once') },
  ]);
  const named = { path: 'src/incidents/kinds/others.ts', text: "like 'a.b'" };
  const whole = { path: 'src/incidents/kinds.ts', text: "like 'a.b'" };
  expect(messages([TEST, named, whole], PAGE)).toEqual([expect.stringContaining('no code opens a.b')]);
});
