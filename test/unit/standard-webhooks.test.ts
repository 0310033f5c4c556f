import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import {
  contentToSign,
  encodePublicKey,
  presentJwk,
  signatureHeaders,
  signingKey,
} from '../../src/lib/standard-webhooks.ts';

/** The first half of the key of the vector: the second is its public key. */
const SVIX_SEED = '6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbc=';

describe('the signature', () => {
  test('matches the vector published by Svix, byte for byte', () => {
    const key = signingKey(Buffer.from(SVIX_SEED, 'base64'));
    const body = Buffer.from('{"test": 2432232314}');
    expect(encodePublicKey(key.publicKey)).toBe('whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=');
    expect(signatureHeaders([key], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature':
        'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    });
  });

  test('of a non-ASCII body covers its UTF-8 bytes', () => {
    const key = signingKey(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
    const body = Buffer.from('{"name":"සිංහල ☕"}', 'utf8');
    const headers = signatureHeaders([key], 'evt_01J0000000000000000000000', 1_767_323_045, body);
    expect(encodePublicKey(key.publicKey)).toBe('whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=');
    expect(headers['webhook-signature']).toBe(
      'v1a,rATIjvii7z/MW40ctNBFLl9hzQ/vhYerXAzCikEU1luhPJGdHG8udYmT6T+KnbI92BOiSZA3YJwMmzvAAj8lBw==',
    );
  });

  test('by node:crypto equals that of @noble/curves, for any seed and body', () => {
    for (let round = 0; round < 20; round += 1) {
      const seed = randomBytes(32);
      const body = randomBytes(round * 50);
      const key = signingKey(seed);
      const { 'webhook-signature': signature } = signatureHeaders([key], `evt_${round}`, round, body);
      expect(key.publicKey.equals(ed25519.getPublicKey(seed))).toBe(true);
      const theirs = ed25519.sign(contentToSign(`evt_${round}`, round, body), seed);
      expect(signature).toBe(`v1a,${Buffer.from(theirs).toString('base64')}`);
    }
  });

  test('contains one signature per key, in order, each verifiable on its own', () => {
    const keys = [signingKey(randomBytes(32)), signingKey(randomBytes(32))];
    const body = Buffer.from('{}');
    const tokens = signatureHeaders(keys, 'evt_1', 5, body)['webhook-signature'].split(' ');
    expect(tokens).toHaveLength(2);
    for (const [index, token] of tokens.entries()) {
      const signature = Buffer.from(token.replace(/^v1a,/, ''), 'base64');
      const publicKey = keys[index]?.publicKey ?? Buffer.alloc(32);
      expect(ed25519.verify(signature, contentToSign('evt_1', 5, body), publicKey)).toBe(true);
    }
  });
});

describe('keys', () => {
  test('have a seed of 32 bytes', () => {
    expect(() => signingKey(randomBytes(33))).toThrow(RangeError);
  });

  test('are shown as JSON Web Keys with the thumbprint of RFC 8037, appendix A.3', () => {
    const publicKey = Buffer.from('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'base64url');
    expect(presentJwk(publicKey)).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      use: 'sig',
      alg: 'EdDSA',
    });
  });
});
