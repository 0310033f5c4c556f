import { sql } from 'kysely';
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Payment } from '../../src/payments/types.ts';
import { deploy, send, walletOf } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { openTreasury, type Treasury } from './fixture.ts';

/** USDT, whose issuer switches its fee on while deposits lie there: less reaches the treasury than left them. */
const USDT = 1_000_000n;
const { FeeUsdt } = compileTestContracts('FeeUsdt.sol');

let treasury: Treasury;
beforeAll(async () => {
  treasury = await openTreasury();
});
afterAll(() => treasury.close());

async function mine(...payments: Payment[]): Promise<void> {
  await treasury.node.rpc('anvil_mine', [2]);
  await treasury.scan(...payments);
  await sql`update credits set confirmed_at = now() where confirmed_at is null`.execute(treasury.world.db);
}

async function paid(...amounts: bigint[]): Promise<Payment[]> {
  const payments: Payment[] = [];
  for (const units of amounts) {
    const payment = await treasury.world.create();
    await treasury.pay(treasury.addressOf(payment), units);
    payments.push(payment);
  }
  await mine(...payments);
  return payments;
}

const token = (): Address => getAddress(treasury.network.tokens.find(({ symbol }) => symbol === 'USDT')!.contract);

async function switchFeeOn(): Promise<void> {
  const there = await deploy(walletOf(treasury.node), FeeUsdt!);
  await treasury.node.rpc('anvil_setCode', [token(), await treasury.node.rpc('eth_getCode', [there, 'latest'])]);
}

async function seize(payment: Payment, units: bigint): Promise<void> {
  const args = [getAddress(treasury.addressOf(payment)), units] as const;
  const data = encodeFunctionData({ abi: FeeUsdt!.abi as never, functionName: 'seize', args } as never) as Hex;
  expect((await send(walletOf(treasury.node), { to: token(), data })).status).toBe('success');
}

const findings = (out: string): string[] => out.split('\n').filter((line) => /^[a-z]+\.[a-z_]+: /.test(line));
const incidents = () =>
  treasury.world.db.selectFrom('incidents').select(['kind', 'subject']).where('resolved_at', 'is', null).execute();

test('what a token keeps of what is swept is told from a loss', async () => {
  const [first, second, robbed] = (await paid(40n * USDT, 60n * USDT, 50n * USDT)) as [Payment, Payment, Payment];
  await switchFeeOn();
  await seize(robbed, 30n * USDT);
  await mine();
  expect(await treasury.run('sweep.ts', '--no-wait', 'devnet', 'USDT')).toMatchObject({ code: 0, err: '' });
  await treasury.settle(new Date());
  await mine();
  const items = await treasury.world.db.selectFrom('sweep_items').select(['payment_id', 'outcome']).execute();
  expect(new Map(items.map((each) => [each.payment_id, each.outcome]))).toEqual(
    new Map([first, second, robbed].map(({ id }) => [id, 'moved'])),
  );
  expect(await incidents()).toEqual([]);
  const { out, code } = await treasury.run('reconcile.ts');
  expect({ findings: findings(out), code }).toEqual({
    findings: [
      `chain.deposit: ${treasury.addressOf(robbed).toLowerCase()}: it holds 0 USDT, 30 USDT less than was credited and not swept: a credit that no transfer on the chain made`,
    ],
    code: 1,
  });
  expect(out).toContain('USDT: treasury 119.88 (swept 119.88, collected 0, foreign 0, spent 0, fees 0.12); unswept 0');
  const unswept = await treasury.world.db
    .selectFrom('credits')
    .select('payment_id')
    .where('swept_at', 'is', null)
    .execute();
  expect(unswept.map(({ payment_id }) => payment_id)).toEqual([robbed.id]);
});
