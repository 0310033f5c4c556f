import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { readSteps } from '../../scripts/recipes/guide.ts';
import { writeFiles } from '../../scripts/recipes/workshop.ts';
import { LANGUAGES, missingFor, skipWithout } from '../docs/program.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { happeningsOf, IN_TURN, toldOfRefunds } from './taken-back.ts';

const run = promisify(execFile);

const ROWS = JSON.stringify(IN_TURN.map(([, ...happenings], row) => happeningsOf(row, happenings)));
const STATUSES = IN_TURN.map(([status]) => status);

const NODE_SHOP = `
const { createOrder, findOrder, handle } = await import(process.argv[2]);
const statuses = JSON.parse(process.argv[3]).map((events) => {
  const { id } = createOrder(2500);
  for (const event of events) handle({ ...event, data: { ...event.data, metadata: { orderId: id } } });
  return findOrder(id).status;
});
console.log(JSON.stringify(statuses));
`;

const PYTHON_SHOP = `
import json, sys
from decimal import Decimal
from orders import create_order, find_order, handle

statuses = []
for events in json.loads(sys.argv[1], parse_float=Decimal):
    order = create_order(2500)["id"]
    for event in events:
        handle({**event, "data": {**event["data"], "metadata": {"orderId": order}}})
    statuses.append(find_order(order)["status"])
print(json.dumps(statuses))
`;

/** The shop tells its owner which refunds did not arrive. */
const REFUNDS_TOLD = IN_TURN.flatMap((_, row) => toldOfRefunds(row));
const refundsIn = (said: string): string[] => said.split('\n').filter((line) => line.startsWith('Refund '));

/** The shop tells its owner which payment was taken back, and which order to hold. */
const TELLS = /^Payment pay_1 was taken back: hold [\w-]{36}\.$/m;

test.for(['express', 'fastify', 'hono', 'next'])(
  'an order of the shop of %s whose payment the chain takes back is held',
  async (name) => {
    const folder = makeTestFolder(inject('runFolder'));
    writeFiles(readSteps(name), folder);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'play.mjs'), NODE_SHOP);
    const orders = name === 'next' ? './lib/orders.ts' : './orders.ts';
    const { stdout, stderr } = await run(resolve('node_modules/node/bin/node'), ['play.mjs', orders, ROWS], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toEqual(STATUSES);
    expect(stderr).toMatch(TELLS);
    expect(refundsIn(stderr)).toEqual(REFUNDS_TOLD);
  },
);

test('an order of the shop of flask whose payment the chain takes back is held', async ({ skip }) => {
  skipWithout(LANGUAGES.filter((each) => each.name === 'Python').flatMap(missingFor), skip);
  const folder = makeTestFolder(inject('runFolder'));
  writeFiles(readSteps('flask'), folder);
  await writeFile(join(folder, 'play.py'), PYTHON_SHOP);
  const { stdout, stderr } = await run('python3', ['play.py', ROWS], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual(STATUSES);
  expect(stderr).toMatch(TELLS);
  expect(refundsIn(stderr)).toEqual(REFUNDS_TOLD);
});
