import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Line } from '../../scripts/doctor/line.ts';
import { examineNodes } from '../../scripts/doctor/nodes.ts';
import { examineRates } from '../../scripts/doctor/rates.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { Network } from '../../src/ports/chain.ts';
import { openBitcoin } from '../chains/bitcoin-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const MINUTE_MS = 60_000;

let chain: Awaited<ReturnType<typeof openBitcoin>>;
let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  [chain, database] = await Promise.all([openBitcoin(inject('runFolder')), createTestDatabase()]);
  db = openDatabase({ url: database.ownerUrl, poolMax: 2, applicationName: 'test', onError: () => {} });
});
afterAll(async () => {
  await db?.destroy();
  await Promise.all([chain?.close(), database?.drop()]);
});

const source = (name: string) => ({ pair: 'BTC/USD', name, url: 'https://rates.example', value: '/price' });
const patient = (networks: readonly Network[], sources = 2) => ({
  config: { ...parseConfig({}), networks, rateSources: ['a', 'b'].slice(0, sources).map(source) } as never,
  db,
  url: '',
});
const shown = (lines: readonly Line[]): string[] =>
  lines.map(({ ok, warning, text }) => `${ok ? (warning ? 'WARNING' : 'ok') : 'PROBLEM'} ${text}`);

test('the doctor says where the price of each coin that is taken comes from, and how old it is', async () => {
  const { network } = chain;
  const examine = async (sources?: number) => shown(await examineRates(patient([network], sources)));
  expect(shown(await examineRates(patient([])))).toEqual(['ok payments are taken in no coin whose price moves']);
  expect(await examine(1)).toEqual([
    'PROBLEM BTC is taken on regtest, and rates names 1 of the 2 sources that BTC/USD needs: add some',
  ]);
  expect(await examine()).toEqual([
    'WARNING BTC/USD: its 2 sources were not asked yet: start a process with the role scheduler',
  ]);
  const quote = (ageMs: number) =>
    db
      .insertInto('rates')
      .values({
        base: 'BTC',
        quote: 'USD',
        value_e8: 6_012_345_000_000n,
        source: 'a',
        quoted_at: new Date(Date.now() - ageMs),
      })
      .onConflict((conflict) =>
        conflict.columns(['base', 'quote']).doUpdateSet((eb) => ({ quoted_at: eb.ref('excluded.quoted_at') })),
      )
      .execute();
  await quote(5 * MINUTE_MS);
  expect(await examine()).toEqual(['ok BTC/USD is 60123.45, 5 minutes old, the median of up to 2 sources']);
  await quote(20 * MINUTE_MS);
  expect(await examine()).toEqual([
    expect.stringMatching(
      /^PROBLEM BTC\/USD is 60123.45, 20 minutes old, too old to be asked by: BTC is taken on regtest/,
    ),
  ]);
});

test('the doctor examines a Bitcoin node: what it takes, that it can be reached, and whether its chain is right', async () => {
  const examine = async (network: Network) => shown(await examineNodes(patient([network])));
  expect(await examine(chain.network)).toEqual([
    expect.stringMatching(/^ok regtest: block \d+, the account of its addresses can be read, BTC \(8 decimals\)$/),
  ]);
  expect(await examine({ ...chain.network, chain: 'test' } as Network)).toEqual([
    expect.stringMatching(/^PROBLEM .*its node serves the chain regtest, not test: correct the RPC URL/),
  ]);
  const [silent] = await examine({ ...chain.network, rpcUrl: 'http://u:secret@127.0.0.1:1' } as Network);
  expect(silent).toMatch(/^PROBLEM regtest: /);
  expect(silent).not.toContain('secret');
});
