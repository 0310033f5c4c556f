import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { withGuides } from '../../scripts/generate/guides.ts';
import { type Operation, requestOf } from '../../scripts/generate/samples-request.ts';
import { onlyForRoutes } from '../../src/http/answer-types.ts';
import { contract } from '../support/contract.ts';
import { GUIDE_NAMES } from './guide.ts';

const run = promisify(execFile);

test('a guide missing from the contract and a missing guide are both errors', async () => {
  const named = (guides: readonly string[]) => ({
    info: { description: 'Kasi.', 'x-guides': [{ title: 'Read', guides }] },
  });
  await expect(withGuides(named(['getting-started']))).rejects.toThrow(/authentication.*x-guides/);
  await expect(withGuides(named([...GUIDE_NAMES, 'nothing']))).rejects.toThrow(/nothing\.md/);
  await expect(withGuides(named([...GUIDE_NAMES, 'refunds']))).rejects.toThrow(/names refunds twice/);
  const { description } = (await withGuides(named(GUIDE_NAMES))).info;
  expect(description).toMatch(/^Kasi\.\n/);
  expect(description).toContain('[Refunds](http://localhost:3000/docs/guides/refunds)');
});

test('an operation without a client method fails the last step of generating, with its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kasi-generate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { get } = contract.paths['/v1/payments/{id}'] ?? {};
  const paths = { ...contract.paths, '/v1/novelties/{id}': { get: { ...get, operationId: 'getNovelty' } } };
  await writeFile(join(folder, 'openapi.json'), JSON.stringify({ ...contract, paths }));
  await expect(run(process.execPath, ['scripts/generate/samples.ts', folder])).rejects.toThrow(
    /no method in clients\/typescript\/src\/surface\.ts or admin-surface\.ts:\s+GET \/v1\/novelties\/\{id\} \(getNovelty\)/,
  );
});

test('a parameter without an example is an error, because its sample could not be run', () => {
  const operation = {
    operationId: 'getRefund',
    parameters: [{ name: 'id', in: 'path', schema: {} }],
    security: [],
    responses: { 200: { content: { 'application/json': { schema: {} } } } },
  } as unknown as Operation;
  const whole = { ...contract, servers: [{ url: 'http://localhost:3000' }] } as unknown as Parameters<
    typeof requestOf
  >[0];
  expect(() => requestOf(whole, '/v1/refunds/{id}', 'get', operation)).toThrow(/getRefund has a parameter id/);
});

test('samples are served, but are not part of the routes', () => {
  const routes = onlyForRoutes(contract as unknown as Parameters<typeof onlyForRoutes>[0]);
  expect(JSON.stringify(contract)).toContain('x-codeSamples');
  expect(JSON.stringify(routes)).not.toContain('x-codeSamples');
});
