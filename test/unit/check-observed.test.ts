import { expect, test } from 'vitest';
import { findUnobserved } from '../../scripts/checks/observed.ts';

const answers = (...statuses: string[]): object => Object.fromEntries(statuses.map((status) => [status, {}]));
const contract = {
  paths: {
    '/v1/teas': {
      get: { operationId: 'listTeas', responses: answers('200', '401', 'default') },
      post: { operationId: 'brewTea', responses: answers('201', '400', 'default') },
    },
  },
};
const ALL = [
  { operationId: 'listTeas', status: 200 },
  { operationId: 'listTeas', status: 401 },
  { operationId: 'brewTea', status: 201 },
  { operationId: 'brewTea', status: 400 },
  { operationId: null, status: 'default' },
] as const;

test('nothing is missing once every documented status was observed, and the shared answer at least once', () => {
  expect(findUnobserved(contract, ALL)).toEqual([]);
});

test.each(ALL.slice(0, -1))(
  'reports $operationId $status when only another operation or status was observed',
  (gone) => {
    const rest = ALL.filter((observation) => observation !== gone);
    expect(findUnobserved(contract, rest)).toEqual([`${gone.operationId} ${gone.status}`]);
  },
);

test('reports the shared answer when no operation gave it', () => {
  expect(findUnobserved(contract, ALL.slice(0, -1))).toEqual(['any operation default']);
});
