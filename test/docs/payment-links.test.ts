import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PASSWORD, startService } from '../harness.ts';
import { blocks, readGuide } from './guide.ts';
import { LANGUAGES, type Language, runProgram } from './program.ts';

test("the guide's programs make a link that asks, and read what its payers answered", async () => {
  const service = await startService();
  const merchant = await service.activeMerchant();
  const { apiKey, apiSecret } = await merchant.client.apiKeys.create({ name: 'Shop' });
  const [making = '', reading = ''] = blocks(readGuide('payment-links'), 'ts');
  const run = (example: string, env: Readonly<Record<string, string>>) => {
    const source = example
      .replace('http://localhost:3000', service.url)
      .replace('@kasi/client', resolve('clients/typescript/src/index.ts'));
    return runProgram(LANGUAGES[0] as Language, source, { env });
  };
  const [said = ''] = await run(making, { KASI_EMAIL: merchant.email, KASI_PASSWORD: PASSWORD });
  const slug = said.split('/').at(-1) ?? '';
  expect(await service.client().public.paymentLinks.get(slug)).toMatchObject({ maxPayments: 12, paymentsLeft: 12 });
  const answers = { customerEmail: 'nimal@example.org', customFields: { size: 'Medium', seats: 2 } };
  await service.chain.transfer(await service.client().public.paymentLinks.startPayment(slug, answers), {
    amount: '25',
  });
  await service.runPaymentJobs();
  const env = { KASI_API_KEY: apiKey, KASI_API_SECRET: apiSecret };
  expect(await run(reading, env)).toEqual(['nimal@example.org wears Medium']);
  await service.close();
});
