import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness.ts';
import { connectOwner, urlsOf } from '../support/database.ts';
import { BANK } from '../support/payouts.ts';
import { claimed } from '../support/refunds.ts';
import { fund, newHash, WALLET } from '../support/withdrawals.ts';

/** What the database itself lets stand beside each other of one transaction, whatever code completes a payout. */
let service: TestService;
let owner: pg.Client;
/** Two payouts of each: none that is completed is completed once more. */
let payouts: Readonly<Record<'bank' | 'token' | 'coin', readonly [string, string]>>;

const SETTINGS = { verifyPayoutOnChain: false, withdrawalMaxOpen: 100, fourEyesThreshold: null };
const LOGS = 2 ** 30;

beforeAll(async () => {
  service = await startService({ settings: SETTINGS });
  const [merchant, admin] = [await service.activeMerchant(), await service.admin()];
  await fund(service.db, merchant.id, 1_000_000n);
  const approved = async (draft: object) => {
    const { id } = await merchant.client.withdrawals.create({ amount: 11, method: 'crypto', ...draft });
    await admin.client.withdrawals.approve(id, {});
    return id;
  };
  const to = { destinationAddress: WALLET };
  payouts = {
    bank: [await approved(BANK), await approved(BANK)],
    token: [await approved(to), await approved(to)],
    coin: [(await claimed(service, merchant)).id, (await claimed(service, merchant)).id],
  };
  owner = await connectOwner(await urlsOf(service.db));
  await owner.query('alter table refunds disable trigger user');
  await owner.query(`update refunds set token = 'ETH', decimals = 18`);
  await owner.query('alter table refunds enable trigger user');
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

/** What a payout takes: of whom, its places (null: the whole), and whether the chain showed it. */
type Take = readonly [kind: keyof typeof payouts, transfers: readonly number[] | null, isShown: boolean];

const TAKES = {
  'a bank, the whole': ['bank', null, false],
  'a token, the whole': ['token', null, false],
  'a coin, the whole, as a release before': ['coin', null, false],
  'a coin': ['coin', [-2], false],
  'a coin that the chain shows': ['coin', [-2], true],
  'a coin that two say': ['coin', [-3], false],
  'another coin that two say': ['coin', [-4], false],
  'a token, unasked': ['token', [LOGS], false],
  'a token that the chain shows': ['token', [LOGS], true],
  'another token that the chain shows': ['token', [LOGS + 1], true],
  'a token by a place of before': ['token', [0], true],
} as const satisfies Record<string, Take>;
type Name = keyof typeof TAKES;
const NAMES = Object.keys(TAKES) as Name[];

async function take([kind, transfers, isShown]: Take, nth: 0 | 1, txHash: string): Promise<void> {
  const table = kind === 'coin' ? 'refunds' : 'withdrawals';
  const block = isShown ? `tx_block = 7, tx_block_hash = '0x77',` : '';
  await owner.query(
    `update ${table} set status = 'completed', tx_hash = $2, tx_transfers = $3, tx_verified = $4, ${block}
            finished_by = 'adm_1', finished_at = now() where id = $1`,
    [payouts[kind][nth], txHash, transfers, isShown],
  );
}

/** Whether the second one may be completed after the first one; nothing is kept. */
async function stands(first: Name, second: Name): Promise<boolean> {
  const txHash = newHash();
  await owner.query('begin');
  try {
    await take(TAKES[first], 0, txHash);
    await take(TAKES[second], 1, txHash);
    return true;
  } catch (error) {
    // The release before and this one read both as another payout's transaction.
    const { code, constraint } = error as pg.DatabaseError;
    if (code !== '23514') expect([code, constraint]).toEqual(['23505', 'payout_transfer_once']);
    return false;
  } finally {
    await owner.query('rollback');
  }
}

const [SHOWN, OTHER] = ['a token that the chain shows', 'another token that the chain shows'] as const;
const SAID: readonly Name[] = ['a coin that two say', 'another coin that two say'];
const COINS: readonly Name[] = ['a coin', 'a coin that the chain shows'];
const PARTS: readonly Name[] = ['a token, unasked', SHOWN, OTHER, 'a token by a place of before'];

/** What may follow each. */
const FOLLOW: Readonly<Record<Name, readonly Name[]>> = {
  // What the chain shows is not what a bank paid; and two people say what no chain can.
  'a bank, the whole': [...SAID, 'a coin that the chain shows', SHOWN, OTHER, 'a token by a place of before'],
  'a token, the whole': [...COINS, ...SAID],
  'a coin, the whole, as a release before': SAID,
  'a coin': ['a token, the whole', ...SAID, ...PARTS],
  'a coin that the chain shows': ['a token, the whole', ...SAID, ...PARTS],
  'a coin that two say': ['a token, the whole', ...COINS, 'another coin that two say', ...PARTS],
  'another coin that two say': ['a token, the whole', ...COINS, 'a coin that two say', ...PARTS],
  'a token, unasked': [...COINS, ...SAID, OTHER],
  [SHOWN]: [...COINS, ...SAID, OTHER],
  // A place of before may be any transfer.
  [OTHER]: [...COINS, ...SAID, 'a token, unasked', SHOWN],
  'a token by a place of before': [...COINS, ...SAID, 'a token, unasked', SHOWN, OTHER],
};

test.for(NAMES)('beside %s stands what can not be the same money, and nothing else', async (first) => {
  const standing: Name[] = [];
  for (const second of NAMES) if (await stands(first, second)) standing.push(second);
  expect(standing.toSorted()).toEqual(FOLLOW[first].toSorted());
});

/** Changes what paid a completed payout, where `by` says that this one is placed anew; nothing is kept. */
async function moved(of: Take, change: string, by: 'this' | 'another' | null): Promise<boolean> {
  const [kind] = of;
  const [id, other] = payouts[kind];
  await owner.query('begin');
  try {
    await take(of, 0, newHash());
    if (by !== null) await owner.query(`select set_config('kasi.placed_anew', $1, true)`, [by === 'this' ? id : other]);
    await owner.query(`update ${kind === 'coin' ? 'refunds' : 'withdrawals'} set ${change} where id = $1`, [id]);
    const { rows } = await owner.query('select transfer_index from payout_transfers where payout_id = $1', [id]);
    expect(rows).toEqual([{ transfer_index: LOGS + 5 }]);
    return true;
  } catch (error) {
    expect((error as pg.DatabaseError).code).toBe('23514');
    return false;
  } finally {
    await owner.query('rollback');
  }
}

const ANEW = `tx_transfers = array[${LOGS + 5}]`;

test.for(['token', 'coin'] as const)(
  'what paid a %s is other transfers by who says so, and nothing else',
  async (kind) => {
    const shown: Take = [kind, [LOGS], true];
    expect(await moved(shown, ANEW, 'this')).toBe(true);
    expect(await moved(shown, ANEW, 'another')).toBe(false);
    expect(await moved(shown, ANEW, null)).toBe(false);
    for (const change of [
      ...['tx_transfers = null', `tx_transfers = '{}'`, 'tx_transfers = array[-1]', 'tx_transfers = array[-2, 7]'],
      ...[`${ANEW}, tx_hash = '0x12'`, `${ANEW}, tx_verified = false`, `${ANEW}, tx_contract = '0xc', tx_decimals = 6`],
    ])
      expect([change, await moved(shown, change, 'this')]).toEqual([change, false]);
    expect(await moved([kind, [LOGS], false], ANEW, 'this')).toBe(false);
    expect(await moved([kind, [-2], true], ANEW, 'this')).toBe(false);
  },
);
