import { createHash, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import { addressOf } from '../../src/chains/bitcoin/addresses.ts';
import { addMultiples, prepareTables } from '../../src/chains/bitcoin/child-points.ts';
import { checksumOf, withoutChecksum } from '../../src/chains/bitcoin/descriptor.ts';
import { readAccount } from '../../src/chains/bitcoin/keys.ts';
import type { BitcoinChain } from '../../src/chains/bitcoin/params.ts';
import { bitcoinUri } from '../../src/chains/bitcoin/uri.ts';
import { parseUnits } from '../../src/lib/money.ts';

const { Point } = secp256k1;
const G = Point.BASE.toAffine();

/** The account of BIP84, and its keys in other forms. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const ZPRV =
  'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE';
const RECEIVING = ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'];

const node = HDKey.fromExtendedKey(ZPUB, { public: 0x04_b2_47_46, private: 0 });
/** The same key, spelled with other versions. */
const spelled = (version: number): string => {
  const { publicKey, chainCode, depth, index, parentFingerprint } = node;
  const versions = { public: version, private: 0 };
  return new HDKey({ versions, publicKey: publicKey!, chainCode: chainCode!, depth, index, parentFingerprint })
    .publicExtendedKey;
};
const XPUB = spelled(0x04_88_b2_1e);
const TPUB = spelled(0x04_35_87_cf);

function addresses(text: string, chain: BitcoinChain = 'main', count = 2): string[] | string {
  const account = readAccount(text, chain);
  if (typeof account === 'string') return account;
  return Array.from({ length: count }, (_, i) => addressOf(chain, `0014${account.keyHash(i)}`));
}

test('the published account of BIP84 has the published receiving addresses, however its key is given', () => {
  const descriptor = `wpkh([73c5da0a/84'/0h/0']${XPUB}/0/*)`;
  const both = `wpkh(${XPUB}/<0;1>/*)`;
  for (const text of [ZPUB, XPUB, `${ZPUB}\n`, descriptor, `${descriptor}#${checksumOf(descriptor)}`, both])
    expect(addresses(text)).toEqual(RECEIVING);
  expect(addresses(`wpkh(${XPUB}/1/*)`)).toContain('bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el');
  expect(addresses(spelled(0x04_5f_1c_f6), 'signet')).toEqual(addresses(TPUB, 'test'));
  expect(addresses(TPUB, 'regtest')).toContainEqual(expect.stringMatching(/^bcrt1q/));
});

test('addresses are those of an independent implementation, also far beyond a gap', () => {
  const require = createRequire(import.meta.url);
  const [HDPublicKey, KeyRing] = [require('bcoin/lib/hd/public'), require('bcoin/lib/primitives/keyring')];
  const chain = HDPublicKey.fromBase58(XPUB, 'main').derive(0);
  const account = readAccount(ZPUB, 'main');
  for (const index of [0, 1, 19, 20, 21, 1000, 65_536, 2 ** 31 - 1]) {
    const ring = KeyRing.fromPublic(chain.derive(index).publicKey);
    ring.witness = true;
    const ours = typeof account === 'string' ? account : addressOf('main', `0014${account.keyHash(index)}`);
    expect(ours).toBe(ring.getAddress('string', 'main'));
  }
});

test('keys are derived as @scure/bip32 derives them, for any account and index', () => {
  // The public chain of test vector 2 of BIP32: the child 0 of its master key.
  const vector = {
    master:
      'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB',
    child:
      'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH',
  };
  const hashesOf = (account: string) => {
    const read = readAccount(account, 'main');
    if (typeof read === 'string') throw new Error(read);
    return read;
  };
  const published = HDKey.fromExtendedKey(vector.child).pubKeyHash!;
  expect(hashesOf(`wpkh(${vector.master}/*)`).keyHash(0)).toBe(Buffer.from(published).toString('hex'));
  for (let seed = 1; seed <= 5; seed += 1) {
    const account = HDKey.fromMasterSeed(createHash('sha512').update(`seed ${seed}`).digest()).derive("m/84'/0'/0'");
    const ours = hashesOf(account.publicExtendedKey);
    const theirs = HDKey.fromExtendedKey(account.publicExtendedKey).deriveChild(0);
    const random = Array.from({ length: 40 }, () => randomInt(2 ** 31));
    for (const index of [0, 1, 255, 256, 2 ** 31 - 1, ...random])
      expect(ours.keyHash(index), `seed ${seed}, index ${index}`).toBe(
        Buffer.from(theirs.deriveChild(index).pubKeyHash!).toString('hex'),
      );
    for (const none of [-1, 0.5, Number.NaN, 2 ** 31]) expect(() => ours.keyHash(none)).toThrow(RangeError);
  }
});

test('keys that are derived together are those that the library derives, each for its own index', () => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const account = HDKey.fromMasterSeed(createHash('sha512').update(`many ${seed}`).digest()).derive("m/84'/0'/0'");
    const ours = readAccount(account.publicExtendedKey, 'main');
    if (typeof ours === 'string') throw new Error(ours);
    const theirs = HDKey.fromExtendedKey(account.publicExtendedKey).deriveChild(0);
    const expectKey = (index: number, next: readonly number[]): void =>
      expect(ours.keyHash(index, next), `seed ${seed}, index ${index}`).toBe(
        Buffer.from(theirs.deriveChild(index).pubKeyHash!).toString('hex'),
      );
    // The tables are made by the first 32 of these.
    for (let time = 0; time < 40; time += 1)
      expectKey(
        time,
        Array.from({ length: 8 }, (_, i) => 1000 * time + i),
      );
    const indexes = [0, 1, 255, 256, 2 ** 31 - 1, ...Array.from({ length: 95 }, () => randomInt(2 ** 31))];
    for (const [at, index] of indexes.entries()) expectKey(index, indexes.slice(at + 1));
    // Out of turn, and twice.
    for (const index of [indexes[3], indexes[3], indexes[50]]) expectKey(index!, indexes.slice(20, 60));
  }
});

test('points are added as the library adds them, whatever bytes a multiple has', () => {
  while (!prepareTables()) expect(addMultiples(G, [])).toEqual([]);
  const random = Array.from({ length: 60 }, () =>
    createHash('sha256')
      .update(String(randomInt(2 ** 40)))
      .digest(),
  );
  const sparse = [1, 2, 256, 2 ** 31].map((value) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
  const parent = Point.BASE.multiply(987_654_321n);
  expect(addMultiples(parent.toAffine(), [...random, ...sparse])).toEqual(
    [...random, ...sparse].map((tweak) =>
      Point.BASE.multiply(BigInt(`0x${tweak.toString('hex')}`))
        .add(parent)
        .toAffine(),
    ),
  );
  // Two equal points can't be added so, nor a point and its opposite.
  expect(addMultiples(G, [sparse[0]!])).toBeUndefined();
  expect(addMultiples(Point.BASE.negate().toAffine(), [sparse[0]!])).toBeUndefined();
});

test('checksums of descriptors are as published in BIP380', () => {
  expect(checksumOf('raw(deadbeef)')).toBe('89f8spxm');
  expect(withoutChecksum('raw(deadbeef)#89f8spxm')).toBe('raw(deadbeef)');
  expect(withoutChecksum('raw(deadbeef)')).toBe('raw(deadbeef)');
  const wrong = ['', '89f8spxmx', '89f8spx', '#9f8spxm'].map((checksum) => `raw(deadbeef)#${checksum}`);
  expect([...wrong, 'raw(deedbeef)#89f8spxm', 'raw(Ü)#00000000'].map(withoutChecksum)).toEqual(Array(6).fill(null));
});

test('a private key is refused in every form, and never quoted', () => {
  const secrets = [
    ZPRV,
    ZPRV.replace('zprv', 'xprv'),
    `wpkh(${ZPRV}/0/*)`,
    `wpkh([73c5da0a/84h/0h/0h]${ZPRV.replace('zprv', 'tprv')}/0/*)`,
    'KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d',
    'wpkh(KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d)',
    '1e99423a4ed27608a15a2616a2b0e9e52ced330ac530edcc32c8ffc6a526aedd',
  ];
  for (const secret of secrets) expect(addresses(secret)).toMatch(/^is a private key: /);
  const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
  for (const secret of [...secrets, words]) {
    const said = addresses(secret) as string;
    expect(secret.split(/[^A-Za-z0-9]+/).filter((part) => part.length > 6 && said.includes(part))).toEqual([]);
  }
});

test('what is no account of P2WPKH addresses on this chain is refused with its cure', () => {
  const refused: [string, RegExp, BitcoinChain?][] = [
    [TPUB, /^is of a test chain/],
    [ZPUB, /^is of a main chain/, 'regtest'],
    [spelled(0x04_9d_7c_b2), /BIP49/],
    [spelled(0x04_4a_52_62), /BIP49/, 'test'],
    [spelled(0x02_aa_7e_d3), /several signers/],
    [node.deriveChild(0).publicExtendedKey, /below its account/],
    [ZPUB.replace(/.$/, 't'), /^is no extended public key/],
    [`wpkh(${XPUB}/0/*)#aaaaaaaa`, /wrong checksum/],
    [`wpkh(${XPUB}/0h/*)`, /^is no extended public key/],
    [`wpkh(${XPUB}/0/*h)`, /^is no extended public key/],
    [`wpkh(${XPUB}/2147483648/*)`, /^is no extended public key/],
    [`wpkh([73c5da/84h]${XPUB}/0/*)`, /^is no extended public key/],
    [`wpkh(${XPUB}/0)`, /^is no extended public key/],
    [`tr(${XPUB}/0/*)`, /^is no extended public key/],
    ['', /^is no extended public key/],
  ];
  for (const [text, why, chain] of refused) expect(addresses(text, chain)).toMatch(why);
});

test('a payment URI is one of BIP21, with the amount in bitcoin and no digit lost', () => {
  // The examples of BIP21 that a wallet has to take, read as its grammar says.
  const read = (uri: string) => {
    const [, address, query] = /^bitcoin:([0-9a-zA-Z]+)(?:\?(.*))?$/i.exec(uri) ?? [];
    return { address, ...Object.fromEntries(new URLSearchParams(query)) } as { address?: string; amount?: string };
  };
  const address = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';
  // All examples that BIP21 publishes, and what they ask. Only the last one but one may be refused: a wallet has to
  // know what begins with `req-`, so ours has no such thing.
  for (const [query, units] of [
    ['', null],
    ['?label=Luke-Jr', null],
    ['?amount=20.3&label=Luke-Jr', 2_030_000_000n],
    ['?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz', 5_000_000_000n],
    ['?req-somethingyoudontunderstand=50&req-somethingelseyoudontget=999', null],
    ['?somethingyoudontunderstand=50&somethingelseyoudontget=999', null],
  ] as const) {
    const asked = read(`bitcoin:${address}${query}`);
    expect(asked.address).toBe(address);
    expect(asked.amount === undefined ? null : parseUnits(asked.amount, 8)).toBe(units);
    if (units === null) continue;
    const ours = read(bitcoinUri(address, units));
    expect(Object.keys(ours)).toEqual(['address', 'amount']);
    expect(parseUnits(ours.amount ?? '', 8)).toBe(units);
  }
  for (const [units, amount] of [
    [2_030_000_000n, '20.30000000'],
    [5_000_000_000n, '50.00000000'],
    [1n, '0.00000001'],
    [12_345n, '0.00012345'],
    [2_099_999_999_999_999n, '20999999.99999999'],
  ] as const) {
    expect(bitcoinUri(address, units)).toBe(`bitcoin:${address}?amount=${amount}`);
    expect(read(bitcoinUri(address, units))).toEqual({ address, amount });
  }
});
