import { sql } from 'kysely';
import { type Address, getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkNetworkContracts } from '../../src/chains/evm/check-network.ts';
import { deployDeterministic, factoryInitCode } from '../../src/chains/evm/deploy.ts';
import { evm } from '../../src/chains/evm/kind.ts';
import { type EvmNetwork, findEvmConflicts } from '../../src/chains/evm/network.ts';
import { operatorOfKey } from '../../src/chains/evm/operator-account.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createPayment } from '../../src/payments/service.ts';
import type { Payment } from '../../src/payments/types.ts';
import { allFindings, reconcileChains } from '../../src/reconcile/chains.ts';
import { sandboxOperatorKey, sandboxSweepKey } from '../../src/sandbox/network.ts';
import { settleSweeps } from '../../src/treasury/settle.ts';
import { planSweep, storeSweeps } from '../../src/treasury/sweep.ts';
import { newAddress } from '../chains/deposit-fixture.ts';
import { chainsOf } from '../support/chains.ts';
import { walletOf } from '../support/evm.ts';
import { draftOf, START } from '../support/payments.ts';
import { openTreasury, type Treasury } from './fixture.ts';

const DOLLAR = 1_000_000n;
const sweeper = operatorOfKey(sandboxSweepKey());

let treasury: Treasury;
/** The network of `treasury` with another treasury and factory, whose predecessors stay listed. */
let next: EvmNetwork;
beforeAll(async () => {
  treasury = await openTreasury();
  const heir: Address = newAddress();
  const { address } = await deployDeterministic(walletOf(treasury.node), factoryInitCode(heir));
  const { network } = treasury;
  const former = [{ factory: network.factory, treasury: network.treasury }];
  next = { ...network, factory: address.toLowerCase(), treasury: heir.toLowerCase(), former };
});
afterAll(() => treasury.close());

async function pay(payment: Payment, units: bigint): Promise<void> {
  await treasury.pay(treasury.addressOf(payment), units);
  await treasury.node.rpc('anvil_mine', [2]);
  await treasury.scan(payment);
  await sql`update credits set confirmed_at = now() where confirmed_at is null`.execute(treasury.world.db);
}

test('a treasury is succeeded: new payments go to the new one, and what comes to addresses of the old one is swept', async () => {
  const { world } = treasury;
  const [usdt] = next.tokens;
  const chains = chainsOf(next);
  const deps = { db: world.db, chains, coinWorth: async () => null };
  const old = await world.create();
  const young = await inTransaction(world.db, (trx) =>
    createPayment(trx, { ...world.deps, networks: [next], chains }, draftOf(world.merchantId), START),
  );
  expect(getAddress(young.factoryAddress)).toBe(getAddress(next.factory));
  await pay(old, 30n * DOLLAR);
  await pay(young, 50n * DOLLAR);

  const plan = await planSweep(deps, next, usdt!, { from: sweeper.address, now: START, settledFor: 0 });
  expect(plan?.batches.map(({ factory, waits }) => [factory, waits])).toEqual([
    [next.factory, null],
    [treasury.network.factory, null],
  ]);
  await storeSweeps({ ...deps, sweeper }, plan!, START);
  await treasury.settle();
  await settleSweeps({ ...deps, log: (_, message) => expect.unreachable(message) }, [next], START);

  const result = await reconcileChains({ ...deps, networks: [next] }, { now: START });
  expect(allFindings(result)).toEqual([]);
  const outcome = result.outcomes.get(next.name);
  expect(outcome).toMatchObject({ kind: 'compared' });
  const figures = outcome?.kind === 'compared' ? outcome.comparison.figures[0] : undefined;
  expect(figures).toMatchObject({ treasury: 80n * DOLLAR, swept: 80n * DOLLAR, unswept: 0n });
  const reader = evm.openTreasury!(next);
  const [head] = await evm.openReader(next).findBlocks([Number(await treasury.node.rpc('eth_blockNumber'))]);
  expect(await reader.readBalances(usdt!.contract, reader.treasuries, head!)).toEqual([50n * DOLLAR, 30n * DOLLAR]);
});

test('a start checks the former factories too, and lets the collector go on paying a former treasury', async () => {
  await expect(checkNetworkContracts(next, sandboxOperatorKey())).resolves.toBeUndefined();
  const wrong = { ...next, former: [{ factory: next.tokens[0]!.contract, treasury: treasury.network.treasury }] };
  await expect(checkNetworkContracts(wrong, null)).rejects.toThrow("is not this version's deposit factory");
  expect(evm.listOwnAddresses(next)).toEqual(
    expect.arrayContaining([treasury.network.treasury, treasury.network.factory, next.treasury, next.factory]),
  );
  expect(evm.describe(next).contracts).toContainEqual({
    ...{ role: 'factory', address: treasury.network.factory, treasury: treasury.network.treasury },
  });
});

test('networks with other former factories, or a factory before itself, are refused', () => {
  const apart = findEvmConflicts([next, { ...next, name: 'other', former: [] }]);
  expect(apart).toContain(
    'the former factories must be the same on every network, because one deposit address serves them all',
  );
  const itself = [{ factory: next.factory, treasury: next.treasury }];
  expect(findEvmConflicts([{ ...next, former: itself }])).toContain('the factory is listed among the former ones, too');
});
