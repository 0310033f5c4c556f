import { expect, test } from 'vitest';
import { findIncidentFaults } from '../../scripts/checks/incidents.ts';

const CATALOGUE = { path: 'src/incidents/kinds.ts', text: "export const INCIDENT_KINDS = {\n  'a.b': {}," };
const OPENER = { path: 'src/payments/jobs.ts', text: "openIncident(trx, { kind: 'a.b' }" };
const TEST = { path: 'test/db/payments.test.ts', text: "toEqual(['a.b'])" };
const PAGE = 'Text.\n\n### a.b\n\nWhat it means.';

const messages = (files: Parameters<typeof findIncidentFaults>[1], page: string): string[] =>
  findIncidentFaults(['a.b'], [CATALOGUE, ...files], page).map(({ line, message }) => `${line}: ${message}`);

test('a kind is opened by code, raised by a test and described in the documentation', () => {
  expect(messages([OPENER, TEST], PAGE)).toEqual([]);
  expect(messages([TEST], PAGE)).toEqual([expect.stringMatching(/^2: no code opens a\.b/)]);
  expect(messages([OPENER], PAGE)).toEqual(['2: no test raises a.b.']);
  expect(messages([OPENER, TEST], 'Text about a.b.')).toEqual([expect.stringContaining('has no section a.b')]);
});
