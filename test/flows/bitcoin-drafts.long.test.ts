import { pbkdf2Sync } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { expect } from 'vitest';
import { addressOf } from '../../src/chains/bitcoin/addresses.ts';
import { deriveDevKeys } from '../../src/chains/bitcoin/dev-wallet.ts';
import { accountOf } from '../../src/chains/bitcoin/keys.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { createTestAdmin } from '../support/admins.ts';
import { connectOwner } from '../support/database.ts';
import { secretOf } from '../support/refunds.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';

const test = sandboxTest({ bitcoin: true }).extend('admin', { scope: 'file' }, ({ sandbox }) => {
  const { db, clock } = sandbox.service().platform;
  return createTestAdmin({ db, clock, url: sandbox.url(), fetch });
});

const PAYERS = ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', addressOf('regtest', `a914${'11'.repeat(20)}87`)];

/** The wallet that the account's key was copied from. */
const WALLET = HDKey.fromMasterSeed(pbkdf2Sync(MNEMONIC, 'mnemonic', 2048, 64, 'sha512')).derive("m/84'/1'/1'");

function sign(psbt: string): Transaction {
  const transaction = Transaction.fromPSBT(Buffer.from(psbt, 'base64'));
  transaction.sign(WALLET as Parameters<Transaction['sign']>[0]);
  transaction.finalize();
  return transaction;
}

const outputsOf = (transaction: Transaction): bigint[] =>
  Array.from({ length: transaction.outputsLength }, (_, at) => transaction.getOutput(at).amount ?? 0n);

const spentBy = (transaction: Transaction): string[] =>
  Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { txid = new Uint8Array(), index } = transaction.getInput(at);
    return `${Buffer.from(txid).toString('hex')}:${index}`;
  }).toSorted();

/** A payment of so many dollars in bitcoins, paid. */
async function paid({ client, reaches }: Trader, amount: number): Promise<string> {
  const { id } = await client.payments.create({ amount, currency: 'USD', acceptedTokens: ['BTC'] });
  await client.sandbox.payments.pay(id, { token: 'BTC' });
  await reaches(id, 'paid');
  return id;
}

/** A refund whose payer has named an address. */
async function refundOf(sandbox: SandboxService, { client }: Trader, paymentId: string, amount: number) {
  const made = await client.refunds.create(paymentId, { amount, reason: 'Sold out.' });
  const destinationAddress = PAYERS[amount % PAYERS.length] ?? '';
  await sandbox.client().public.refunds.claim(secretOf(made), { destinationAddress });
  return made;
}

const satoshisOf = ({ tokenAmount }: { readonly tokenAmount: string }) => BigInt(Math.round(Number(tokenAmount) * 1e8));

/** Signs a file that pays these amounts and something back, for 3 satoshis a virtual byte. */
function expectPays(file: { psbt: string; txHash: string; fee: string }, units: readonly bigint[]): Transaction {
  const signed = sign(file.psbt);
  expect(signed.id).toBe(file.txHash);
  expect(outputsOf(signed)).toEqual(expect.arrayContaining([...units]));
  expect(outputsOf(signed)).toHaveLength(units.length + 1);
  expect(satoshisOf({ tokenAmount: file.fee })).toBe(signed.fee);
  expect(Number(signed.fee) / signed.vsize).toBeGreaterThanOrEqual(3);
  expect(Number(signed.fee) / signed.vsize).toBeLessThan(3.1);
  return signed;
}

test('refunds in bitcoins are paid by a transaction that a wallet signs, and its change pays the next ones', async ({
  sandbox,
  trader,
  admin,
}) => {
  const node = sandbox.bitcoin!;
  const send = (transaction: Transaction) => node.rpc('sendrawtransaction', [transaction.hex]);
  const [one, two] = [await paid(trader, 20), await paid(trader, 30)];
  const refunds = [
    await refundOf(sandbox, trader, one, 5),
    await refundOf(sandbox, trader, one, 6),
    await refundOf(sandbox, trader, two, 25),
  ];
  const payoutIds = refunds.map(({ id }) => id);
  const network = refunds[0]!.network;

  // bcoin has seen too few blocks to advise a fee; nothing is begun.
  await expect(admin.client.payouts.export({ network })).rejects.toMatchObject({ reason: 'fee_unknown' });
  expect(await trader.client.refunds.get(payoutIds[0]!)).toMatchObject({ status: 'pending' });

  const { payouts, psbt: file, safe } = await admin.client.payouts.export({ network, feeRate: 3 });
  expect(payouts.map(({ id, status }) => [id, status])).toEqual(payoutIds.map((id) => [id, 'processing']));
  expect(safe).toBeNull();
  const units = refunds.map(satoshisOf);
  const first = expectPays(file!, units);

  // The same once more is the same transaction, and a dearer one takes its place: only one of them can be mined.
  expect((await admin.client.payouts.export({ network, payoutIds, feeRate: 3 })).psbt).toEqual(file);
  await expect(
    admin.client.payouts.export({ network, payoutIds: payoutIds.slice(1), feeRate: 3 }),
  ).rejects.toMatchObject({ status: 409, reason: 'draft_has_more', message: expect.stringContaining(payoutIds[0]!) });
  await send(first);
  const dearer = await admin.client.payouts.export({ network, payoutIds, feeRate: 20 });
  const second = sign(dearer.psbt!.psbt);
  expect(spentBy(second)).toEqual(expect.arrayContaining(spentBy(first)));
  await send(second);
  await node.mine(3);
  await expect(send(first)).rejects.toThrow();

  // Before it is completed nobody can draft it again.
  await expect(admin.client.payouts.export({ network, payoutIds, feeRate: 30 })).rejects.toMatchObject({
    ...{ status: 409, reason: 'draft_maybe_sent', message: expect.stringContaining(first.id) },
  });
  const { completed } = await admin.client.payouts.complete({ txHash: second.id, payoutIds });
  expect(completed.toSorted()).toEqual(payoutIds.toSorted());

  // What is left of both payments lies at the account's first address by now.
  const last = await refundOf(sandbox, trader, one, 7);
  const { psbt } = await admin.client.payouts.export({ network, feeRate: 2 });
  const third = sign(psbt!.psbt);
  const change = outputsOf(second).findIndex((amount) => !units.includes(amount));
  expect(spentBy(third)).toEqual([`${second.id}:${change}`]);
  await send(third);
  await node.mine(3);
  expect(await admin.client.refunds.complete(last.id, { txHash: third.id })).toMatchObject({ status: 'completed' });
});

test('two drafts of different payouts spend different coins, and none is drafted without coins', async ({
  sandbox,
  trader,
  admin,
}) => {
  const paymentId = await paid(trader, 40);
  const ids: string[] = [];
  for (const amount of [5, 6, 7]) ids.push((await refundOf(sandbox, trader, paymentId, amount)).id);
  const other = await paid(trader, 50);
  const { network } = (await admin.client.payouts.list()).payouts[0]!;
  const outcomes = await Promise.allSettled(
    ids.map((id) => admin.client.payouts.export({ network, payoutIds: [id], feeRate: 2 })),
  );
  const drafts = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.psbt!] : []));
  const failed = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
  const spent = drafts.flatMap(({ psbt }) => spentBy(Transaction.fromPSBT(Buffer.from(psbt, 'base64'))));
  // There are two payments' coins and change of a few dollars.
  expect(new Set(spent).size).toBe(spent.length);
  expect(drafts.length).toBeGreaterThanOrEqual(2);
  for (const error of failed) expect(error).toMatchObject({ reason: 'coins_short' });
  const large = await refundOf(sandbox, trader, other, 49);
  await expect(admin.client.payouts.export({ network, payoutIds: [large.id], feeRate: 2 })).rejects.toMatchObject({
    status: 409,
    reason: 'coins_short',
  });
  expect(await trader.client.refunds.get(large.id)).toMatchObject({ status: 'pending' });

  // Once a draft's payouts have failed, its coins are free again.
  for (const id of ids) await admin.client.refunds.fail(id, { reason: 'The wallet was lost.' });
  const { psbt } = await admin.client.payouts.export({ network, payoutIds: [large.id], feeRate: 2 });
  expect(outputsOf(sign(psbt!.psbt))).toContain(satoshisOf(large));
});

/** Less than the chain carries, as in refunds of releases that did not refuse them. */
const DUST = 333;

/** Lets refunds be of so many satoshis. */
async function setUnits({ database }: SandboxService, refundIds: readonly string[], units: number): Promise<void> {
  const owner = await connectOwner(database);
  await owner.query('alter table refunds disable trigger refund_asks');
  await owner.query('update refunds set units = $2 where id = any ($1)', [refundIds, units]);
  await owner.query('alter table refunds enable trigger refund_asks');
  await owner.end();
}

test('a refund of less than a chain carries is refused with the least, and holds nothing', async ({ trader }) => {
  const paymentId = await paid(trader, 20);
  await expect(trader.client.refunds.create(paymentId, { amount: 0.2, reason: 'A discount.' })).rejects.toMatchObject({
    status: 409,
    reason: 'payout_dust',
    message: expect.stringMatching(/^That is 0\.00000333 BTC, and \S+ carries no less than 0\.00000546\./),
  });
  expect(await trader.client.payments.get(paymentId)).toMatchObject({ amountRefunded: 0, refunds: [] });
  const least = await trader.client.refunds.create(paymentId, { amount: 0.33, reason: 'A discount.' });
  expect(least.tokenAmount).toBe('0.00000550');
  await trader.client.refunds.cancel(least.id);
});

test('what a chain does not carry is refused by itself', async ({ sandbox, trader, admin }) => {
  const paymentId = await paid(trader, 20);
  const made = await refundOf(sandbox, trader, paymentId, 2);
  await setUnits(sandbox, [made.id], DUST);
  const refund = await refundOf(sandbox, trader, paymentId, 5);
  const { refused, payouts } = await admin.client.payouts.export({ network: refund.network, feeRate: 2 });
  expect(refused).toMatchObject([{ id: made.id, reason: 'payout_dust' }]);
  expect(payouts.map(({ id }) => id)).toContain(refund.id);
  expect(await trader.client.refunds.get(made.id)).toMatchObject({ status: 'pending' });
});

test('a draft tells the wallet where its keys lie', () => {
  const { accountKey } = deriveDevKeys(MNEMONIC);
  expect(accountOf(accountKey, 'regtest').origin).toEqual({ fingerprint: WALLET.fingerprint, path: [0] });
  const tpub = WALLET.publicExtendedKey;
  const versions = HDKey.fromExtendedKey(tpub);
  const text = new HDKey({ ...pick(versions), versions: { public: 0x043587cf, private: 0x04358394 } })
    .publicExtendedKey;
  const { origin } = accountOf(`wpkh([d34db33f/84'/1h/1']${text}/0/*)`, 'regtest');
  expect(origin).toEqual({ fingerprint: 0xd34db33f, path: [84 + 2 ** 31, 1 + 2 ** 31, 1 + 2 ** 31, 0] });
});

const pick = ({ publicKey, chainCode, depth, index, parentFingerprint }: HDKey) => ({
  ...{ publicKey: publicKey!, chainCode: chainCode!, depth, index, parentFingerprint },
});

test('a refund that is made anew like one that failed gets files of its own, of which one can be mined', async ({
  sandbox,
  trader,
  admin,
}) => {
  const paymentId = await paid(trader, 20);
  const failed = await refundOf(sandbox, trader, paymentId, 5);
  const { network } = failed;
  const former = await admin.client.payouts.export({ network, payoutIds: [failed.id], feeRate: 2 });
  await admin.client.refunds.fail(failed.id, { reason: 'The signer is ill.' });

  const { id, tokenAmount } = await refundOf(sandbox, trader, paymentId, 5);
  expect(tokenAmount).toBe(failed.tokenAmount);
  const again = (feeRate: number) => admin.client.payouts.export({ network, payoutIds: [id], feeRate });
  const cheap = await again(2);
  expect((await again(2)).psbt).toEqual(cheap.psbt);
  // Coins of others, of which a dearer file could be made.
  for (const amount of [60, 70, 80]) await paid(trader, amount);
  const dear = await again(20);
  const [first, second, third] = [former, cheap, dear].map(({ psbt }) => sign(psbt!.psbt));
  expect(new Set([first!.id, second!.id, third!.id]).size).toBe(3);
  expect(spentBy(second!)).toEqual(expect.arrayContaining(spentBy(first!)));
  expect(spentBy(third!)).toEqual(expect.arrayContaining(spentBy(second!)));

  const other = await refundOf(sandbox, trader, await paid(trader, 90), 11);
  const { psbt } = await admin.client.payouts.export({ network, payoutIds: [other.id], feeRate: 2 });
  expect(spentBy(sign(psbt!.psbt)).filter((coin) => spentBy(third!).includes(coin))).toEqual([]);
  const node = sandbox.bitcoin!;
  await node.rpc('sendrawtransaction', [second!.hex]);
  await node.mine(3);
  for (const each of [first!, third!]) await expect(node.rpc('sendrawtransaction', [each.hex])).rejects.toThrow();
  expect(await admin.client.refunds.complete(id, { txHash: second!.id })).toMatchObject({ status: 'completed' });
});

test('what can not be sent, however much of it waits, keeps nothing else from being exported', async ({
  sandbox,
  trader,
  admin,
}) => {
  const [dusty, destinationAddress] = [[await paid(trader, 20), await paid(trader, 20)], PAYERS[0]!];
  const part = { amount: 0.34, reason: 'A discount.', destinationAddress };
  const dust: string[] = [];
  for (let made = 0; made < 101; made += 1) {
    dust.push((await trader.client.refunds.create(dusty[made % 2]!, part)).id);
  }
  await setUnits(sandbox, dust, DUST);
  const refund = await refundOf(sandbox, trader, await paid(trader, 40), 30);
  const { payouts, refused } = await admin.client.payouts.export({ network: refund.network, feeRate: 2 });
  expect(payouts.map(({ id }) => id)).toContain(refund.id);
  expect(refused).toHaveLength(100);
});

test('what exceeds the account is left out by name, and what can be paid is exported', async ({
  sandbox,
  trader,
  admin,
}) => {
  const refunds = [];
  for (const amount of [3, 5, 4]) refunds.push(await refundOf(sandbox, trader, await paid(trader, 20), amount));
  const [first, large, third] = refunds as [(typeof refunds)[0], (typeof refunds)[0], (typeof refunds)[0]];
  const { network } = large;
  await setUnits(sandbox, [large.id], 1_000_000_000_000);

  const { payouts, refused, psbt } = await admin.client.payouts.export({ network, feeRate: 2 });
  const sent = payouts.map(({ id }) => id);
  expect(sent).toEqual(expect.arrayContaining([first.id, third.id]));
  expect(sent).not.toContain(large.id);
  expect(refused).toContainEqual(expect.objectContaining({ id: large.id, code: 'CONFLICT', reason: 'coins_short' }));
  expect(outputsOf(sign(psbt!.psbt))).toEqual(expect.arrayContaining([first, third].map(satoshisOf)));
  expect(await trader.client.refunds.get(large.id)).toMatchObject({ status: 'pending' });
  // Alone there is nothing that could be exported.
  await expect(admin.client.payouts.export({ network, feeRate: 2 })).rejects.toMatchObject({ reason: 'coins_short' });
});

test('one that takes all of the account but for the fee keeps no other from being exported', async ({
  sandbox,
  trader,
  admin,
}) => {
  const refunds = [];
  for (const amount of [7, 6]) refunds.push(await refundOf(sandbox, trader, await paid(trader, 20), amount));
  const [all, small] = refunds as [(typeof refunds)[0], (typeof refunds)[0]];
  const { network } = all;
  await setUnits(sandbox, [all.id], 1_000_000_000_000);
  const message: string = await admin.client.payouts
    .export({ network, payoutIds: [all.id], feeRate: 2 })
    .catch(({ message: said }) => said);
  const [, held] = /holds ([0-9.]+) BTC/.exec(message) ?? [];
  await setUnits(sandbox, [all.id], Math.round(Number(held) * 1e8) - 1);
  const { payouts, refused } = await admin.client.payouts.export({ network, feeRate: 2 });
  expect(payouts.map(({ id }) => id)).toEqual([small.id]);
  expect(refused).toContainEqual(expect.objectContaining({ id: all.id, reason: 'coins_short' }));
});
