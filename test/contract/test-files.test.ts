import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationIds } from '../support/contract.ts';

test.each(operationIds)('%s has a test file of its own', (id) => {
  const name = id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  expect(existsSync(`test/api/${name}.test.ts`), `test/api/${name}.test.ts`).toBe(true);
});
