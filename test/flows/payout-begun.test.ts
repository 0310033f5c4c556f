import { getAddress, type Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { KINDS } from '../../src/kinds.ts';
import type { Token } from '../../src/ports/chain.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type Desk, openDesk, TEN, transfer } from '../chains/payout-fixture.ts';
import { startService, type TestMerchant, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

/** What the service lists, which a test changes in place, as a start with another list does. */
const tokens: Token[] = [];
let desk: Desk;
let service: TestService;
let merchant: TestMerchant;
let admin: TestAdmin;
let former: readonly Token[];
let usdtElsewhere: Token;

const list = (...listed: readonly Token[]) => tokens.splice(0, tokens.length, ...listed);

beforeAll(async () => {
  desk = await openDesk();
  former = desk.network.tokens;
  usdtElsewhere = { symbol: 'USDT', contract: desk.namesake.toLowerCase(), decimals: 6 };
  list(...former);
  service = await startService({
    composed: { kinds: KINDS, networks: [{ ...desk.network, tokens }] },
    settings: { verifyPayoutOnChain: true, withdrawalMaxOpen: 100, fourEyesThreshold: null },
  });
  merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 1_000_000n);
  admin = await service.admin();
  const chain = 'eip155:1337';
  await service.db
    .insertInto('deployment_networks')
    .values({ chain, kind: 'evm', name: desk.network.name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await service.db
    .insertInto('deployment_tokens')
    .values([...former, usdtElsewhere].map((token) => ({ chain, ...token })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
});
beforeEach(() => {
  list(...former);
});
afterAll(async () => {
  const { findings } = await reconcile(service.db);
  await service.close();
  await desk.close();
  expect(findings).toEqual([]);
});

/** An approved withdrawal of ten dollars to one wallet. */
async function approved(): Promise<string> {
  const { id } = await merchant.client.withdrawals.create({
    ...{ amount: 11, method: 'crypto', currency: 'USDT', destinationAddress: WALLET },
  });
  await admin.client.withdrawals.approve(id, {});
  return id;
}
const exported = async (id: string) => admin.client.payouts.export({ network: desk.network.name, payoutIds: [id] });
const complete = (id: string, txHash: Hex) => admin.client.payouts.complete({ txHash, payoutIds: [id] });
const paid = async (step: Parameters<Desk['pay']>[0]) => {
  const txHash = await desk.pay(step);
  await desk.mine(1);
  return txHash;
};

test('what was begun in one contract is exported and completed in it, whatever is listed by then', async () => {
  const id = await approved();
  const before = await exported(id);
  expect(before.csv).toContain(getAddress(desk.usdt));
  list(usdtElsewhere, ...former.filter(({ symbol }) => symbol !== 'USDT'));
  const again = await exported(id);
  expect(again.csv).toContain(getAddress(desk.usdt));
  expect(again.safe?.transactions).toEqual(before.safe?.transactions);
  const elsewhere = await paid(transfer(desk.namesake, WALLET, TEN));
  expect(await complete(id, elsewhere)).toMatchObject({
    refused: [{ reason: 'payout_wrong_token', message: expect.stringContaining(desk.namesake.toLowerCase()) }],
  });
  // Also where it is listed no more, and nobody has to say how they know.
  list(...former.filter(({ symbol }) => symbol !== 'USDT'));
  expect(await exported(id)).toMatchObject({ refused: [{ reason: 'network_not_listed' }] });
  const txHash = await paid(transfer(desk.usdt, WALLET, TEN));
  expect(await complete(id, txHash)).toMatchObject({ completed: [id] });
  const row = await service.db.selectFrom('withdrawals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ tx_contract: desk.usdt.toLowerCase(), tx_verified: true });
});
