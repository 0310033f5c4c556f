import { sql } from 'kysely';
import { type Address, encodeFunctionData, erc20Abi, getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evm } from '../../src/chains/evm/kind.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Chains } from '../../src/ports/chain-kind.ts';
import { followTreasury } from '../../src/treasury/follow.ts';
import { settleSweeps } from '../../src/treasury/settle.ts';
import { chainsOf } from '../support/chains.ts';
import { send, walletOf } from '../support/evm.ts';
import { START } from '../support/payments.ts';
import { openTreasury, type Treasury } from './fixture.ts';

const USDT = 1_000_000n;

let treasury: Treasury;
beforeAll(async () => {
  treasury = await openTreasury();
});
afterAll(() => treasury.close());

async function mine(...payments: Payment[]): Promise<void> {
  await treasury.node.rpc('anvil_mine', [3]);
  await treasury.scan(...payments);
  await sql`update credits set confirmed_at = now() where confirmed_at is null`.execute(treasury.world.db);
}

async function paid(units: bigint): Promise<Payment> {
  const payment = await treasury.world.create();
  await treasury.pay(treasury.addressOf(payment), units);
  await mine(payment);
  return payment;
}

/** As anyone may, without an allowance: has the token move nothing from a deposit address to the treasury. */
async function moveNothing(payment: Payment): Promise<void> {
  const { network, node } = treasury;
  const args = [getAddress(treasury.addressOf(payment)), getAddress(network.treasury), 0n] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args });
  const receipt = await send(walletOf(node), { to: network.tokens[0]?.contract as Address, data });
  expect(receipt.status).toBe('success');
  expect(receipt.logs).toHaveLength(1);
}

const follow = () =>
  followTreasury({ db: treasury.world.db, chains: chainsOf(treasury.network) }, treasury.network, START);
const sweptOf = async ({ id }: Payment): Promise<boolean[]> => {
  const rows = await treasury.world.db
    .selectFrom('credits')
    .select('swept_at')
    .where('payment_id', '=', id)
    .orderBy('block_number')
    .execute();
  return rows.map(({ swept_at }) => swept_at !== null);
};

test('a transfer of nothing from a deposit address sweeps nothing', async () => {
  const payment = await paid(30n * USDT);
  await moveNothing(payment);
  await mine();
  await follow();
  expect(await sweptOf(payment)).toEqual([false]);
  expect((await treasury.run('sweep.ts', '--dry-run')).out).toContain('1 deposits, 30 USDT');
});

test('only what all sweeps together cover is swept: not what arrived later in the block of a sweep', async () => {
  const payment = await paid(10n * USDT);
  await treasury.sweepAsStranger(payment);
  const height = Number(await treasury.node.rpc('eth_blockNumber'));
  await treasury.pay(treasury.addressOf(payment), 20n * USDT);
  await mine(payment);
  // As if both had been in one block.
  await sql`
    update credits set block_number = ${height}
     where payment_id = ${payment.id} and block_number > ${height}`.execute(treasury.world.db);
  expect(await sweptOf(payment)).toEqual([false, false]);
  await moveNothing(payment);
  await mine();
  await follow();
  expect(await sweptOf(payment)).toEqual([true, false]);
  await treasury.sweepAsStranger(payment);
  await mine();
  await follow();
  expect(await sweptOf(payment)).toEqual([true, true]);
});

test('credits that were wrongly noted as swept are found by the next comparison', async () => {
  const payment = await paid(40n * USDT);
  await follow();
  await sql`update credits set swept_at = now() where payment_id = ${payment.id}`.execute(treasury.world.db);
  expect(await treasury.run('reconcile.ts', '--all')).toMatchObject({ code: 0, err: '' });
  expect(await sweptOf(payment)).toEqual([false]);
  expect(await treasury.run('reconcile.ts', '--reread', 'devnet')).toMatchObject({ code: 0, err: '' });
  expect(await sweptOf(payment)).toEqual([false]);
});

test('a slower run does not replace what a faster one has read meanwhile', async () => {
  const { world, network } = treasury;
  const payment = await paid(5n * USDT);
  await follow();
  await treasury.sweepAsStranger(payment);
  await mine();
  const chains: Pick<Chains, 'kindOf'> = {
    kindOf: () => ({
      ...evm,
      openTreasury: (each) => {
        const reader = evm.openTreasury!(each as EvmNetwork);
        const listTransfers = async () => {
          await follow();
          return [];
        };
        return { ...reader, listTransfers };
      },
    }),
  };
  await followTreasury({ db: world.db, chains }, network, START);
  expect(await sweptOf(payment)).toEqual([true]);
  const rows = await world.db
    .selectFrom('treasury_transfers')
    .select('units')
    .where('party', '=', treasury.addressOf(payment).toLowerCase())
    .execute();
  expect(rows.map(({ units }) => BigInt(units))).toEqual([5n * USDT]);
});

test('a crowd of transfers to the treasury is stored in pieces, because a statement has its time', async () => {
  const { world, network } = treasury;
  await follow();
  const crowd = 4_000;
  const asked: number[] = [];
  const chains: Pick<Chains, 'kindOf'> = {
    kindOf: () => ({
      ...evm,
      openTreasury: (each) => {
        const reader = evm.openTreasury!(each as EvmNetwork);
        const listTransfers = async (from: number, to: number) => {
          const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i);
          const transfers = heights.flatMap((height) => Array.from({ length: crowd }, (_, i) => dustAt(height, i)));
          asked.push(transfers.length);
          return transfers;
        };
        return { ...reader, listTransfers };
      },
    }),
  };
  const dustAt = (height: number, place: number) => ({
    ...{ block: { height, hash: `0x${height}` }, place, txHash: `0x${height}`, units: 1n, outgoing: false },
    ...{ contract: network.tokens[0]?.contract ?? '', treasury: network.treasury, party: '0xdusty' },
  });
  await treasury.node.rpc('anvil_mine', [8]);
  await treasury.scan();
  await followTreasury({ db: world.db, chains }, network, START);
  const rows = await sql<{ blocks: bigint; transfers: bigint }>`
    select count(distinct block_number) as blocks, count(*) as transfers from treasury_transfers
     where party = '0xdusty'`.execute(world.db);
  const [{ blocks, transfers } = { blocks: 0n, transfers: 0n }] = rows.rows;
  expect(blocks).toBeGreaterThanOrEqual(8n);
  expect(transfers).toBe(blocks * BigInt(crowd));
  const stored = asked.filter((count) => count <= 10_000).reduce((sum, count) => sum + count, 0);
  expect(stored).toBe(Number(transfers));
});

test('a network that keeps silent does not hold up the sweeps of another', async () => {
  const { world, network } = treasury;
  const payment = await world.create();
  await treasury.pay(treasury.addressOf(payment), 6n * USDT, 'USDC');
  await mine(payment);
  expect(await treasury.run('sweep.ts', '--no-wait', 'devnet')).toMatchObject({ code: 0, err: '' });
  await treasury.settle();
  // Both tokens' sweeps are not settled yet, and as if the earlier one were on another network.
  await sql`update sweeps set status = 'open', finished_at = null`.execute(world.db);
  await sql`
    update sweeps set network = 'silent', created_at = created_at - interval '1 day'
     where contract = ${network.tokens[0]?.contract}`.execute(world.db);
  await sql`
    insert into chain_cursors
    select (jsonb_populate_record(c, jsonb_build_object('network', 'silent'))).* from chain_cursors c`.execute(
    world.db,
  );
  const silent = { ...network, name: 'silent', rpcUrl: 'http://127.0.0.1:9' };
  const failed: string[] = [];
  const deps = {
    db: world.db,
    chains: chainsOf(network),
    log: (_: unknown, message: string) => void failed.push(message),
  };
  await settleSweeps(deps, [silent, network], START);
  expect(failed).toEqual([expect.stringMatching(/^silent: sweeps could not be settled: /)]);
  const open = await world.db.selectFrom('sweeps').select('network').where('status', '=', 'open').execute();
  expect(open).toEqual([{ network: 'silent' }]);
});
