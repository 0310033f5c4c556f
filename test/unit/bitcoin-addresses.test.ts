import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { ADDRESS_RULES, addressOf, isOnChain, scriptOf } from '../../src/chains/bitcoin/addresses.ts';
import type { BitcoinChain } from '../../src/chains/bitcoin/params.ts';

const { isAddress, canonical, present, isOwnerless } = ADDRESS_RULES;

/** Every valid address of BIP173 and BIP350 whose witness program has the length of today's outputs. */
const VALID: readonly (readonly [address: string, script: string, chain: BitcoinChain])[] = [
  ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', '0014751e76e8199196d454941c45d1b3a323f1433bd6', 'main'],
  [
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    'test',
  ],
  [
    'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
    '0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    'signet',
  ],
  [
    'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
    '5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    'test',
  ],
  [
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    'main',
  ],
];

/** Valid by these standards, but of witness programs that no wallet gives out: what is sent there is lost. */
const UNUSED = [
  'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
  'BC1SW50QGDZ25J',
  'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
  'bc1pfeessrawgf',
];

/** Every invalid address of BIP173 and BIP350; valid by BIP173 alone are those before the blank line. */
const INVALID = `
  bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx
  BC1SW50QA3JX3S
  bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj

  tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty
  bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5
  BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2
  bc1rw5uspcuh
  bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90
  BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P
  tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7
  bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du
  tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv
  bc1gmk9yu
  tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut
  bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd
  tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf
  BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL
  bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh
  tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47
  bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4
  BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R
  bc1pw5dgrnzv
  bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav
  tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq
  bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf
  tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j`
  .split(/\s+/)
  .filter((text) => text !== '');

test('the published addresses of BIP173 and BIP350 are read, and pay to the published scripts', () => {
  for (const [address, script, chain] of VALID) {
    expect([isAddress(address), isAddress(address.toLowerCase()), scriptOf(address)]).toEqual([true, true, script]);
    expect(present(canonical(address))).toBe(address.toLowerCase());
    expect([addressOf(chain, script), scriptOf(canonical(address))]).toEqual([address.toLowerCase(), script]);
  }
  expect([...INVALID, ...UNUSED].filter(isAddress)).toEqual([]);
});

test('base58 addresses are read with strict checksums, and those of private keys and other coins are none', () => {
  const scripts = {
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2': '76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy': 'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87',
  };
  for (const [address, script] of Object.entries(scripts)) {
    expect([isAddress(address), canonical(address), present(script)]).toEqual([true, script, address]);
    expect(isAddress(address.replace(/.$/, '9'))).toBe(false);
  }
  const others = [
    'KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d',
    'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '',
    ' 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    '0014751e76e8199196d454941c45d1b3a323f1433bd6',
  ];
  expect(others.filter(isAddress)).toEqual([]);
});

test('an address can be paid on chains of its own family only', () => {
  const of = (address: string): boolean[] =>
    (['main', 'test', 'signet', 'regtest'] as const).map((chain) => isOnChain(chain, address));
  const hash = '751e76e8199196d454941c45d1b3a323f1433bd6';
  const [main, test, regtest] = (['main', 'test', 'regtest'] as const).map((chain) => addressOf(chain, `0014${hash}`));
  expect([main, test, regtest].map((each) => each?.split('1q')[0])).toEqual(['bc', 'tb', 'bcrt']);
  expect(new Set([main, test, regtest].map((each) => canonical(each!)))).toHaveLength(3);
  for (const spell of [(text: string) => text, canonical]) {
    expect(of(spell(main!))).toEqual([true, false, false, false]);
    expect(of(spell(test!))).toEqual([false, true, true, false]);
    expect(of(spell(regtest!))).toEqual([false, false, false, true]);
  }
  // Test chains share the prefixes of base58.
  expect(of('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn')).toEqual([false, true, true, true]);
});

test('addresses that no one has the key of are known', () => {
  const zero = '0'.repeat(40);
  expect(
    [`0014${zero}`, `76a914${zero}88ac`, `a914${zero}87`].map((script) => addressOf('main', script)).map(isOwnerless),
  ).toEqual([true, true, true]);
  expect([...VALID.map(([address]) => address), 'no address'].filter(isOwnerless)).toEqual([]);
});

test('addresses are those of an independent implementation', () => {
  const require = createRequire(import.meta.url);
  const Address = require('bcoin/lib/primitives/address');
  for (let i = 0; i < 64; i += 1) {
    const hash = Buffer.alloc(20, i + 1).fill(i * 3, 7, 13);
    const wide = Buffer.alloc(32, 255 - i).fill(i, 3, 9);
    const theirs: [string, string][] = [
      [Address.fromPubkeyhash(hash).toBase58('main'), `76a914${hash.toString('hex')}88ac`],
      [Address.fromScripthash(hash).toBase58('main'), `a914${hash.toString('hex')}87`],
      [Address.fromWitnessPubkeyhash(hash).toBech32('main'), `0014${hash.toString('hex')}`],
      [Address.fromWitnessScripthash(wide).toBech32('main'), `0020${wide.toString('hex')}`],
    ];
    for (const [address, script] of theirs)
      expect([addressOf('main', script), scriptOf(address)]).toEqual([address, script]);
  }
});
