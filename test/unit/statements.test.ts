import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signStatement } from '../../src/lib/jws.ts';
import { contentToSign, signingKey } from '../../src/lib/standard-webhooks.ts';
import { codeOf } from '../../src/payments/instructions.ts';

const KEY = signingKey(Buffer.alloc(32, 7));
const TYPE = 'kasi-payment-instructions+jws';
const stops = (text: string): number => text.split('.').length - 1;

const INSTRUCTIONS = {
  version: 1,
  paymentId: 'pay_01jggfnds9e9gt3f3v5s7k2m4n',
  merchantId: 'mer_01jggf3t6he2nb5w8c4y7z9m1k',
  merchantName: 'Ceylon Tea House',
  network: 'devnet',
  chainId: 31337,
  token: 'USDT',
  contract: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  decimals: 6,
  address: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  amount: '25.000000',
  holdsUntil: '2026-01-02T04:04:05.006Z',
  expiresAt: '2026-01-02T04:04:05.006Z',
  livemode: true,
} as const;

test('a statement verifies as a JWS by Ed25519, and names its type and its key', () => {
  const { jws, keyId } = signStatement(KEY, TYPE, { name: 'සිංහල ☕' });
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  expect(parse(header)).toEqual({ alg: 'EdDSA', typ: TYPE, kid: keyId });
  expect(parse(payload)).toEqual({ name: 'සිංහල ☕' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: KEY.publicKey.toString('base64url') };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  expect(verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
});

test('what a statement signs is never what a webhook signs, whatever both say', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.string(), fc.object(), fc.string(), (id, seconds, body, content, typ) => {
      expect(stops(contentToSign(id, seconds, Buffer.from(body)).toString('utf8'))).toBeGreaterThanOrEqual(2);
      const { jws } = signStatement(KEY, typ, content);
      expect(stops(jws.slice(0, jws.lastIndexOf('.')))).toBe(1);
    }),
  );
});

test('the code has 80 bits in four groups and changes with all that must not be swapped', () => {
  const code = codeOf(INSTRUCTIONS);
  expect(code).toBe('H3R8-JEXQ-AE5E-7C82');
  const changes = {
    paymentId: 'pay_2',
    merchantId: 'mer_2',
    network: 'base',
    chainId: 8453,
    token: 'USDC',
    contract: null,
    address: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDc',
    amount: '25.000001',
    expiresAt: '2026-01-02T04:04:05.007Z',
  } as const;
  const codes = Object.entries(changes).map(([name, value]) => codeOf({ ...INSTRUCTIONS, [name]: value } as never));
  expect(new Set([code, ...codes]).size).toBe(codes.length + 1);
  expect(codeOf({ ...INSTRUCTIONS, holdsUntil: '2026-01-02T03:19:05.006Z' })).toBe(code);
});
