import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import type { SignedInstructions } from '../../clients/typescript/src/index.ts';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { blocks, readGuide } from './guide.ts';
import { LANGUAGES, type Language, missingFor, runProgram, SHELL, skipWithout } from './program.ts';

const guide = readGuide('verify-the-address');
const exampleIn = (language: string): string => blocks(guide, language)[0] ?? '';
const languageOf = (fence: string): Language => LANGUAGES.find((each) => each.fence === fence)!;

async function signedOf(service: TestService, { id, client }: TestMerchant) {
  const payment = await client.payments.create({ amount: 25, currency: 'USD' });
  const signed = await service.client().public.payments.instructions(payment.id);
  const [key] = (await service.client().public.merchants.webhookKeys(id)).keys;
  return { signed, key: key?.x ?? '' };
}

test('the example in TypeScript verifies what the service signs', async ({ service, merchant }) => {
  service.clock.set(new Date());
  const { signed } = await signedOf(service, merchant);
  const { paymentId, address, amount } = signed.instructions;
  const client = resolve('clients/typescript/src/index.ts');
  const text = exampleIn('ts').replace("'@kasi/client'", JSON.stringify(client));
  const env = { KASI_URL: service.url, KASI_PAYMENT_ID: paymentId, KASI_MERCHANT_ID: merchant.id };
  expect(await runProgram(languageOf('ts'), text, { env })).toEqual([`${signed.code}: ${amount} USDT to ${address}`]);
});

test('the example in a shell verifies, and refuses what was altered, another key and another algorithm', async ({
  service,
  merchant,
  skip,
}) => {
  skipWithout(missingFor(SHELL), skip);
  const { signed, key } = await signedOf(service, merchant);
  const verify = async (jws: string, by = key): Promise<unknown> =>
    JSON.parse((await runProgram(SHELL, exampleIn('sh'), { env: { JWS: jws, KEY: by } })).join('\n'));
  expect(await verify(signed.jws)).toEqual(signed.instructions);

  const [header = '', , signature = ''] = signed.jws.split('.');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const altered = `${header}.${encode({ ...signed.instructions, amount: '1' })}.${signature}`;
  await expect(verify(altered)).rejects.toThrow();
  const { key: foreign } = await signedOf(service, await service.activeMerchant());
  await expect(verify(signed.jws, foreign)).rejects.toThrow();
  const none = encode({ alg: 'none', typ: 'kasi-payment-instructions+jws', kid: signed.keyId });
  await expect(verify(`${none}.${signed.jws.split('.')[1]}.`)).rejects.toThrow();
});

test('the example in Python comes to the same code', async ({ service, merchant, skip }) => {
  const python = languageOf('python');
  skipWithout(missingFor(python), skip);
  const { signed } = await signedOf(service, merchant);
  const codeIn = (instructions: SignedInstructions['instructions']): string =>
    execFileSync('python3', ['-c', exampleIn('python')], { input: JSON.stringify(instructions), encoding: 'utf8' });
  expect(codeIn(signed.instructions).trim()).toBe(signed.code);
  const inCoin = { ...signed.instructions, chainId: null, contract: null };
  expect(codeIn(inCoin).trim()).not.toBe(signed.code);
});
