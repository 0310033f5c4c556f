import { expect } from 'vitest';
import { createPayoutCheck } from '../../src/chains/payout.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, HOUR_MS } from '../../src/lib/clock.ts';
import { MICRO_PER_CENT } from '../../src/lib/money.ts';
import { moveClock } from '../../src/sandbox/clock.ts';
import { moveWithdrawal } from '../../src/withdrawals/service.ts';
import { netMinor, type Withdrawal, type WithdrawalInput } from '../../src/withdrawals/withdrawal.ts';
import { test } from '../sandbox-fixture.ts';
import { createTestAdmin } from '../support/admins.ts';
import { expectKeysKept, sendUnderKey } from '../support/idempotency.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';
import { APPROVE, FAIL, PROCESS, WALLET } from '../support/withdrawals.ts';

test.beforeAll(async ({ trader }) => {
  const { id } = await trader.client.payments.create({ amount: 5000, currency: 'USD' });
  await trader.client.sandbox.payments.pay(id);
});

const CRYPTO = { amount: 100, method: 'crypto', destinationAddress: WALLET } as const;
const ACCOUNT = { bankAccountNumber: '0072 3456-7890', bankName: 'Bank of Ceylon', bankBranch: 'Kandy' };
const BANK = { amount: 100, method: 'bank', ...ACCOUNT } as const;

const platform = (sandbox: SandboxService) => sandbox.service().platform;
const pay = (trader: Trader, id: string, body?: Parameters<typeof trader.client.sandbox.withdrawals.pay>[1]) =>
  trader.client.sandbox.withdrawals.pay(id, body);

const move = (sandbox: SandboxService, id: string, input: WithdrawalInput): Promise<Withdrawal> => {
  const { db, events, clock } = platform(sandbox);
  return inTransaction(db, (trx) => moveWithdrawal(trx, { events }, { id }, input, clock.now()));
};

/** An approved withdrawal of 100 dollars, with a fee of 1 when it goes to a wallet. */
async function approved(
  sandbox: SandboxService,
  trader: Trader,
  request: Parameters<typeof trader.client.withdrawals.create>[0] = CRYPTO,
): Promise<Withdrawal> {
  const { id } = await trader.client.withdrawals.create(request);
  return move(sandbox, id, APPROVE);
}

// The number of open withdrawals is limited.
test.afterEach(async ({ sandbox }) => {
  const open = await platform(sandbox)
    .db.selectFrom('withdrawals')
    .select('id')
    .where('status', 'in', ['approved', 'processing'])
    .execute();
  for (const { id } of open) await move(sandbox, id, FAIL);
});

/** What the chain says of a payout when the withdrawal is completed with it. */
function check(
  sandbox: SandboxService,
  { network, currency, reviewedAt, ...asked }: Withdrawal,
  txHash: string,
  senders: readonly string[] = [],
) {
  return createPayoutCheck(platform(sandbox))({
    ...{ network, txHash, token: currency, senders },
    destination: asked.destinationAddress ?? '',
    minMicro: netMinor(asked) * MICRO_PER_CENT,
    notBefore: reviewedAt ?? new Date(),
  });
}

test('sends what was begun in another contract than the one that is listed in that, and it completes it', async ({
  sandbox,
  trader,
}) => {
  const { db, clock, networks } = platform(sandbox);
  const { contract, decimals } = networks[0]!.tokens.find(({ symbol }) => symbol === 'USDC')!;
  const { id } = await approved(sandbox, trader);
  // As if USDT had been listed with that contract when it was begun.
  await move(sandbox, id, { ...PROCESS, begunIn: { contract, decimals } });
  const { txHash, token } = await pay(trader, id);
  expect(token).toBe('USDT');
  const { client } = await createTestAdmin({ db, clock, url: sandbox.url(), fetch });
  expect(await client.withdrawals.complete(id, { txHash })).toMatchObject({ status: 'completed', txHash });
});

test('by default sends the net amount with confirmations, right for completing the withdrawal', async ({
  sandbox,
  trader,
}) => {
  const withdrawal = await approved(sandbox, trader);
  const sent = await pay(trader, withdrawal.id);
  expect(sent).toMatchObject({
    withdrawalId: withdrawal.id,
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    ...{ network: 'devnet', token: 'USDT', amount: '99.000000', to: WALLET, block: expect.any(Number) },
  });
  expect(await check(sandbox, withdrawal, sent.txHash, [sent.from])).toMatchObject({ outcome: 'verified' });
  const again = await pay(trader, withdrawal.id);
  expect(again.txHash).not.toBe(sent.txHash);
  expect(again.from).toBe(sent.from);
});

test('sends too little, another token and no further blocks as asked, which the check notices', async ({
  sandbox,
  trader,
}) => {
  const withdrawal = await approved(sandbox, trader);
  await move(sandbox, withdrawal.id, PROCESS);
  const short = await pay(trader, withdrawal.id, { amount: '98.999999' });
  expect(await check(sandbox, withdrawal, short.txHash)).toMatchObject({ reason: 'payout_too_small' });
  const other = await pay(trader, withdrawal.id, { token: 'USDC' });
  expect(await check(sandbox, withdrawal, other.txHash)).toMatchObject({ reason: 'payout_wrong_token' });
  const shallow = await pay(trader, withdrawal.id, { confirm: false });
  expect(await check(sandbox, withdrawal, shallow.txHash)).toMatchObject({ reason: 'payout_not_confirmed' });
  await trader.client.sandbox.chain.mine({ blocks: 1 });
  expect(await check(sandbox, withdrawal, shallow.txHash)).toMatchObject({ outcome: 'verified' });
});

test('brings a chain whose clock was left behind up to date before it pays', async ({ sandbox, trader }) => {
  const { db, clock } = platform(sandbox);
  const then = after(clock.now(), HOUR_MS);
  await moveClock(db, clock, then);
  await expect.poll(() => clock.now() >= then).toBe(true);
  const withdrawal = await approved(sandbox, trader);
  const { txHash } = await pay(trader, withdrawal.id);
  expect(await check(sandbox, withdrawal, txHash)).toMatchObject({ outcome: 'verified' });
});

test('pays out only approved, open withdrawals', async ({ sandbox, trader }) => {
  const refused = (id: string, message: string) =>
    expect(pay(trader, id)).rejects.toMatchObject({
      ...{ status: 409, code: 'CONFLICT', message: expect.stringContaining(message) },
    });
  const { id } = await trader.client.withdrawals.create(CRYPTO);
  await refused(id, 'is pending');
  await trader.client.withdrawals.cancel(id);
  await refused(id, 'is rejected');
  const gone = await approved(sandbox, trader);
  await move(sandbox, gone.id, FAIL);
  await refused(gone.id, 'is failed');
  await refused((await approved(sandbox, trader, BANK)).id, 'no crypto goes anywhere');
});

test.for([
  ['token', { token: 'BTC' as const }],
  ['amount', { amount: '0' }],
  ['amount', { amount: '1.0000001' }],
  ['amount', { amount: '1000000001' }],
] as const)('refuses a wrong %s: %o', async ([path, body], { sandbox, trader }) => {
  const { id } = await approved(sandbox, trader);
  await expect(pay(trader, id, body)).rejects.toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    fields: [{ path }],
  });
});

test("answers 404 for an unknown withdrawal and another merchant's, and 401 without a token", async ({
  sandbox,
  trader,
}) => {
  const { id } = await approved(sandbox, trader);
  const other = await sandbox.openTrader();
  await expect(other.client.sandbox.withdrawals.pay(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(pay(trader, 'wd_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(sandbox.client().sandbox.withdrawals.pay(id)).rejects.toMatchObject({
    ...{ status: 401, reason: 'token_missing' },
  });
});

test('pays once per idempotency key', async ({ sandbox, trader }) => {
  const { id } = await approved(sandbox, trader);
  await expectKeysKept({
    operationId: 'paySandboxWithdrawal',
    merchantId: trader.id,
    db: platform(sandbox).db,
    path: `/v1/sandbox/withdrawals/${id}/pay`,
    send: sendUnderKey(sandbox.url(), trader.client.tokens()?.token, '{"amount":"25"}'),
  });
});
