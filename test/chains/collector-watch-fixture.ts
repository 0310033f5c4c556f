import { sql } from 'kysely';
import type { Address } from 'viem';
import type { testUsdt } from '../../generated/contracts.ts';
import { type Mandate, mandateId } from '../../src/chains/evm/collector.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import type { WatcherDeps } from '../../src/chains/lease.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Token } from '../../src/ports/chain.ts';
import { insertMandate } from '../../src/subscriptions/mandates/queries.ts';
import { insertSubscription } from '../../src/subscriptions/queries.ts';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';
import { subscriptionMatcher } from '../../src/subscriptions/settling/observe.ts';
import { startAnvil } from '../support/anvil.ts';
import { connectTestDatabase } from '../support/connection.ts';
import { deploy, tokenNetwork } from '../support/evm.ts';
import { insertBareMerchant } from '../support/merchants.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { openCollector, type Payer } from './collector-fixture.ts';

export type CollectorBench = Awaited<ReturnType<typeof openCollectorBench>>;

const { Noise } = compileTestContracts('Noise.sol');
const NOW = new Date('2026-01-01T10:00:00.000Z');

/**
 * A node with a collector, a database with subscriptions made by the test, and a watcher of both. The network lists
 * USDC, and as USDT a contract that emits whatever it is asked to.
 */
export async function openCollectorBench() {
  const node = await startAnvil();
  const world = await openCollector(node);
  const noise = await deploy(world.wallet, Noise!);
  const listed = tokenNetwork(node, { usdt: noise, usdc: world.usdc }, lower(world.treasury) as Address, 20);
  const network: EvmNetwork = { ...listed, collector: lower(world.collector) };
  const { db, database, close } = await connectTestDatabase();
  const open = await subscriptionsIn(db, network);
  const deps: WatcherDeps = {
    ...{ db, network, reader: createEvmReader(network), matchers: [paymentMatcher, subscriptionMatcher] },
    ...{ confirmationsOn: async () => 2, now: () => NOW, worker: 'worker', log: () => undefined },
  };
  const watcher = createWatcher(deps);

  return {
    ...world,
    ...{ db, database, network, noise, deps },
    catchUp: async (): Promise<void> => {
      while ((await watcher.look()) === 'behind');
    },
    open,
    /** A payer with one mandate, either ours or an unknown one. */
    agreed: async (ours: boolean): Promise<{ payer: Payer; mandate: Mandate; id: string }> => {
      const payer = await world.payer();
      const mandate = await world.mandate(payer);
      if (ours) await open(payer.address, [mandate]);
      return { payer, mandate, id: mandateId(mandate) };
    },
    /** The stored canonical events, in the order in which they are to be applied. */
    stored: async (ids: readonly string[]) => {
      const rows = db.selectFrom('collector_events').selectAll().where('canonical', '=', true).orderBy('id');
      return rows.where('mandate_id', 'in', [...ids]).execute();
    },
    signals: async (): Promise<string[]> => {
      const rows = await db.selectFrom('subscription_signals').selectAll().execute();
      return rows.map((row) => `${row.subscription_id} ${row.kind}`).toSorted();
    },
    /** Makes a subscription wait for money. */
    shorten: (id: string) =>
      db.updateTable('subscriptions').set({ status: 'past_due' }).where('id', '=', id).executeTakeFirstOrThrow(),
    end: async (): Promise<void> => {
      await close();
      await node.stop();
    },
  };
}

/** Creates subscriptions of one merchant, each with these mandates and its own plan; resolves to their ids. */
async function subscriptionsIn(db: Db, network: EvmNetwork) {
  const merchantId = newId('merchant', NOW);
  await insertBareMerchant(db, merchantId, NOW);
  return async (wallet: Address, mandates: readonly Mandate[], token: Token['symbol'] = 'USDC'): Promise<string> => {
    const id = newId('subscription', NOW);
    const plan = newId('plan', NOW);
    const { next } = subscribe({ interval: 'monthly', trialDays: 0, mandateDeadlineHours: 72 }, NOW);
    await inTransaction(db, async (trx) => {
      await sql`
        insert into plans
          (id, merchant_id, name, amount_minor, currency, interval, token, network, created_at, updated_at)
        values (${plan}, ${merchantId}, 'Tea', 500, 'USD', 'monthly', ${token}, 'devnet', ${NOW}, ${NOW})`.execute(trx);
      await insertSubscription(trx, {
        ...{
          ...next,
          id,
          merchantId,
          planId: plan,
          customerEmail: 'a@example.org',
          locale: null,
          customerName: 'A',
          subscribedBy: 'merchant',
          token,
        },
        ...{ wallet: lower(wallet), amountMinor: 500n, currency: 'USD', network: 'devnet', mandateId: null },
        ...{ eventSequence: 1, createdAt: NOW, updatedAt: NOW },
      });
      for (const mandate of mandates) await insertMandate(trx, storedMandate(mandate, id, network));
    });
    return id;
  };
}

const lower = (address: string): string => address.toLowerCase();

const storedMandate = (mandate: Mandate, subscriptionId: string, { name, collector }: EvmNetwork) => ({
  ...{ ...mandate, id: mandateId(mandate), subscriptionId, network: name, collector: collector ?? '' },
  ...{ payer: lower(mandate.payer), tokenContract: lower(mandate.token), createdAt: NOW },
  ...{ signature: null, submittedAt: null, relayedBy: null, authorizedAt: null, revokedAt: null },
});

/** The functions of the contract listed as USDT. */
export const noiseAbi = Noise!.abi as typeof testUsdt.abi;
