/**
 * After a whole `npm test`: fails if a documented answer of the contract was never observed. An answer that no test
 * provokes is an untested promise.
 */
import { readFileSync } from 'node:fs';
import { type Observation, readObserved } from '../../test/support/observed.ts';
import { isStarted } from './source-files.ts';

type Contract = {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly responses: object }>>>
  >;
};

/**
 * The documented answers that were not observed, as `operationId status`. The answer under `default`, which all
 * operations share, needs to be observed only once.
 */
export function findUnobserved(contract: Contract, observed: readonly Observation[]): string[] {
  const seen = new Set(observed.map(({ operationId, status }) => `${operationId} ${status}`));
  const documented = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, responses }) =>
      Object.keys(responses).map((status) => `${operationId} ${status}`),
    ),
  );
  const numbered = documented.filter((answer) => !answer.endsWith(' default'));
  const shared = documented.length > numbered.length && !observed.some(({ status }) => status === 'default');
  return [...numbered.filter((answer) => !seen.has(answer)), ...(shared ? ['any operation default'] : [])];
}

function main(): void {
  const observed = readObserved();
  if (!observed) {
    console.error('No run of the tests has come to its end yet: npm test');
    process.exitCode = 1;
    return;
  }
  const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Contract;
  const missing = findUnobserved(contract, observed);
  if (missing.length === 0) {
    console.log('Every documented answer was seen in the tests, and every answer that was seen is documented.');
    return;
  }
  console.error(
    `Documented, but seen in no test (${missing.length}):\n${missing.map((answer) => `  ${answer}`).join('\n')}`,
  );
  console.error('Provoke each in test/api/<operation>.test.ts, or take it out of the contract if it can not happen.');
  process.exitCode = 1;
}

if (isStarted(import.meta)) main();
