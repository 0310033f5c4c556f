import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPayoutCheck } from '../../src/chains/payout.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, HOUR_MS } from '../../src/lib/clock.ts';
import { MICRO_PER_CENT } from '../../src/lib/money.ts';
import { moveClock } from '../../src/sandbox/clock.ts';
import { moveWithdrawal } from '../../src/withdrawals/service.ts';
import { netMinor, type Withdrawal, type WithdrawalInput } from '../../src/withdrawals/withdrawal.ts';
import { expectKeysKept, sendUnderKey } from '../support/idempotency.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { APPROVE, FAIL, PROCESS, WALLET } from '../support/withdrawals.ts';

let sandbox: SandboxService;
let trader: Trader;
beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
  const { id } = await trader.client.payments.create({ amount: 5000, currency: 'USD' });
  await trader.client.sandbox.payments.pay(id);
});
afterAll(() => sandbox.close());

const CRYPTO = { amount: 100, method: 'crypto', destinationAddress: WALLET } as const;
const ACCOUNT = { bankAccountNumber: '0072 3456-7890', bankName: 'Bank of Ceylon', bankBranch: 'Kandy' };
const BANK = { amount: 100, method: 'bank', ...ACCOUNT } as const;

const platform = () => sandbox.service().platform;
const pay = (id: string, body?: Parameters<typeof trader.client.sandbox.withdrawals.pay>[1]) =>
  trader.client.sandbox.withdrawals.pay(id, body);

const move = (id: string, input: WithdrawalInput): Promise<Withdrawal> => {
  const { db, events, clock } = platform();
  return inTransaction(db, (trx) => moveWithdrawal(trx, { events }, { id }, input, clock.now()));
};

/** An approved withdrawal of 100 dollars, with a fee of 1 when it goes to a wallet. */
async function approved(request: Parameters<typeof trader.client.withdrawals.create>[0] = CRYPTO): Promise<Withdrawal> {
  const { id } = await trader.client.withdrawals.create(request);
  return move(id, APPROVE);
}

// Only so many may be open at once.
afterEach(async () => {
  const open = await platform()
    .db.selectFrom('withdrawals')
    .select('id')
    .where('status', 'in', ['approved', 'processing'])
    .execute();
  for (const { id } of open) await move(id, FAIL);
});

/** What the chain says of a payout when the withdrawal is completed with it. */
function check(
  { network, currency, reviewedAt, ...asked }: Withdrawal,
  txHash: string,
  senders: readonly string[] = [],
) {
  return createPayoutCheck(platform())({
    ...{ network, txHash, token: currency, senders },
    destination: asked.destinationAddress ?? '',
    minMicro: netMinor(asked) * MICRO_PER_CENT,
    notBefore: reviewedAt ?? new Date(),
  });
}

test('by default sends the net amount with confirmations, right for completing the withdrawal', async () => {
  const withdrawal = await approved();
  const sent = await pay(withdrawal.id);
  expect(sent).toMatchObject({
    withdrawalId: withdrawal.id,
    txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    ...{ network: 'devnet', token: 'USDT', amount: '99.000000', to: WALLET, block: expect.any(Number) },
  });
  expect(await check(withdrawal, sent.txHash, [sent.from])).toMatchObject({ outcome: 'verified' });
  const again = await pay(withdrawal.id);
  expect(again.txHash).not.toBe(sent.txHash);
  expect(again.from).toBe(sent.from);
});

test('sends too little, another token and no further blocks as asked, which the check notices', async () => {
  const withdrawal = await approved();
  await move(withdrawal.id, PROCESS);
  const short = await pay(withdrawal.id, { amount: '98.999999' });
  expect(await check(withdrawal, short.txHash)).toMatchObject({ reason: 'payout_too_small' });
  const other = await pay(withdrawal.id, { token: 'USDC' });
  expect(await check(withdrawal, other.txHash)).toMatchObject({ reason: 'payout_wrong_token' });
  const shallow = await pay(withdrawal.id, { confirm: false });
  expect(await check(withdrawal, shallow.txHash)).toMatchObject({ reason: 'payout_not_confirmed' });
  await trader.client.sandbox.chain.mine({ blocks: 1 });
  expect(await check(withdrawal, shallow.txHash)).toMatchObject({ outcome: 'verified' });
});

test('brings a chain whose clock was left behind up to date before it pays', async () => {
  const { db, clock } = platform();
  const then = after(clock.now(), HOUR_MS);
  await moveClock(db, clock, then);
  await expect.poll(() => clock.now() >= then).toBe(true);
  const withdrawal = await approved();
  const { txHash } = await pay(withdrawal.id);
  expect(await check(withdrawal, txHash)).toMatchObject({ outcome: 'verified' });
});

test('pays out only approved, open withdrawals', async () => {
  const refused = (id: string, message: string) =>
    expect(pay(id)).rejects.toMatchObject({
      ...{ status: 409, code: 'CONFLICT', message: expect.stringContaining(message) },
    });
  const { id } = await trader.client.withdrawals.create(CRYPTO);
  await refused(id, 'is pending');
  await trader.client.withdrawals.cancel(id);
  await refused(id, 'is rejected');
  const gone = await approved();
  await move(gone.id, FAIL);
  await refused(gone.id, 'is failed');
  await refused((await approved(BANK)).id, 'no crypto goes anywhere');
});

test.each([
  ['token', { token: 'BTC' as const }],
  ['amount', { amount: '0' }],
  ['amount', { amount: '1.0000001' }],
  ['amount', { amount: '1000000001' }],
])('refuses a wrong %s: %o', async (path, body) => {
  const { id } = await approved();
  await expect(pay(id, body)).rejects.toMatchObject({ status: 400, code: 'VALIDATION_ERROR', fields: [{ path }] });
});

test("answers 404 for an unknown withdrawal and another merchant's, and 401 without a token", async () => {
  const { id } = await approved();
  const other = await sandbox.openTrader();
  await expect(other.client.sandbox.withdrawals.pay(id)).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(pay('wd_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await expect(sandbox.client().sandbox.withdrawals.pay(id)).rejects.toMatchObject({
    ...{ status: 401, reason: 'token_missing' },
  });
});

test('pays once per idempotency key', async () => {
  const { id } = await approved();
  await expectKeysKept({
    operationId: 'paySandboxWithdrawal',
    merchantId: trader.id,
    db: platform().db,
    path: `/v1/sandbox/withdrawals/${id}/pay`,
    send: sendUnderKey(sandbox.url(), trader.client.tokens()?.token, '{"amount":"25"}'),
  });
});
