import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startService } from '../harness.ts';
import { fund } from '../support/withdrawals.ts';
import { blocks, readGuide } from './guide.ts';
import { LANGUAGES, type Language, runProgram } from './program.ts';

test("the guide's program withdraws money, and learns why it cannot withdraw more", async () => {
  const service = await startService();
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 30_000n);
  const { apiKey, apiSecret } = await merchant.client.apiKeys.create({ name: 'Shop' });
  const [example = ''] = blocks(readGuide('withdrawals'), 'ts');
  const source = example
    .replace('http://localhost:3000', service.url)
    .replace('@kasi/client', resolve('clients/typescript/src/index.ts'));
  const run = () =>
    runProgram(LANGUAGES[0] as Language, source, { env: { KASI_API_KEY: apiKey, KASI_API_SECRET: apiSecret } });
  expect(await run()).toEqual(['249 USD will arrive']);
  expect(await run()).toEqual(['INSUFFICIENT_BALANCE You have 50.00 USD. Ask for that much or less.']);
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 50, heldBalance: 250 });
  await service.close();
});
