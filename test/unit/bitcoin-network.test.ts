import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { bitcoin } from '../../src/chains/bitcoin/kind.ts';
import type { BitcoinNetwork } from '../../src/chains/bitcoin/network.ts';
import { compareNetwork, describeDifference } from '../../src/deployment/compare.ts';

/** The account of BIP84, and one below it that another wallet could have. */
const KEY =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const OTHER =
  'wpkh(xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL/0/*)';
const PRIVATE =
  'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE';
const ENTRY = { name: 'bitcoin', chain: 'main', rpcUrl: 'http://127.0.0.1:8332', accountKey: KEY };

const parse = (changes: object = {}): BitcoinNetwork => bitcoin.parseNetwork({ ...ENTRY, ...changes });
const conflicts = (changes: object): readonly string[] => bitcoin.findConflicts([parse(changes)]);
const isValid = (entry: object): boolean => new Ajv().validate(bitcoin.networkSchema, entry);

test('an entry needs a chain and a key, and waits for more confirmations where more is paid', () => {
  expect(isValid(ENTRY)).toBe(true);
  for (const field of ['chain', 'accountKey', 'name']) expect(isValid({ ...ENTRY, [field]: undefined })).toBe(false);
  expect(isValid({ ...ENTRY, confirmations: 'finalized' })).toBe(false);
  const from = [
    { from: 1000, confirmations: 2 },
    { from: 10_000, confirmations: 6 },
  ];
  expect(parse()).toMatchObject({
    ...{ chainId: null, tokens: [], native: { symbol: 'BTC', decimals: 8 }, secondOpinionFrom: null },
    ...{ confirmations: 1, confirmationsFrom: from, staleMs: 3 * 3_600_000 },
  });
  expect(parse().onDemand).toBeUndefined();
  expect(parse({ chain: 'regtest' }).onDemand).toBe(true);
  expect(parse({ confirmations: 3 }).confirmationsFrom).toEqual(from.slice(1));
  expect(conflicts({ confirmations: 3 })).toEqual([]);
  expect(parse({ rpcUrls: ['https://one.example', 'https://two.example'] }).secondOpinionFrom).toBe(0);
});

describe('what no schema can say is refused in a sentence', () => {
  const cases: [string, object, RegExp][] = [
    ['no endpoint', { rpcUrl: undefined }, /names no endpoint/],
    ['plain http to others', { rpcUrl: 'http://node.example' }, /plain http at node.example/],
    ['a private key', { accountKey: PRIVATE }, /^accountKey of bitcoin is a private key/],
    ['a private key of before', { formerAccountKeys: [PRIVATE] }, /^one of formerAccountKeys of bitcoin is a private/],
    ['a key of another chain', { chain: 'test' }, /^accountKey of bitcoin is of a main chain/],
    ['less for more', { confirmationsFrom: [{ from: 5, confirmations: 1 }], confirmations: 2 }, /must rise/],
    [
      'the same worth twice',
      { confirmationsFrom: [5, 5].map((from) => ({ from, confirmations: 4 })) },
      /must rise from entry to entry/,
    ],
  ];
  test.each(cases)('%s', (_, changes, sentence) => {
    expect(conflicts(changes)).toEqual([expect.stringMatching(sentence)]);
    expect(conflicts(changes).join()).not.toContain('zprv');
  });

  test('two chains of Bitcoin', () => {
    expect(bitcoin.findConflicts([parse(), parse({ name: 'other' })])).toEqual([
      expect.stringMatching(/^bitcoin and other are both of Bitcoin/),
    ]);
  });
});

test('the account is part of what a deployment is: another one differs until the former one is listed', () => {
  const known = (network: BitcoinNetwork) => {
    const { chain, contracts } = bitcoin.describe(network);
    return { chain, kind: 'bitcoin', name: 'bitcoin', genesisHash: null, names: ['bitcoin'], contracts, tokens: [] };
  };
  const compare = (network: BitcoinNetwork) =>
    compareNetwork({ network, identity: bitcoin.describe(network) }, known(parse()));
  expect(known(parse())).toMatchObject({
    chain: 'bip122:000000000019d6689c085ae165831e93',
    contracts: [
      { role: 'account', address: bitcoin.addresses.canonical('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu') },
    ],
  });
  expect(compare(parse()).differences).toEqual([]);
  const [difference] = compare(parse({ accountKey: OTHER })).differences;
  expect(difference?.kind).toBe('account gone');
  expect(describeDifference('bitcoin', difference!)).toContain('another accountKey');
  const both = compare(parse({ accountKey: OTHER, formerAccountKeys: [KEY] }));
  expect(both.differences).toEqual([]);
  expect(both.contracts).toHaveLength(1);
});
