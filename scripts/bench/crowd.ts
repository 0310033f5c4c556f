import { sql } from 'kysely';
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, pad, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { subscriptionCollector } from '../../generated/contracts.ts';
import { createAccountSender } from '../../src/chains/evm/account-sender.ts';
import { openReader } from '../../src/chains/evm/client.ts';
import { encodeAuthorizeBySig, mandateTypedData } from '../../src/chains/evm/collector.ts';
import { deriveAccounts } from '../../src/chains/evm/dev-accounts.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, DAY_MS, SECOND_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Network, Token } from '../../src/ports/chain.ts';
import { createRpc, MNEMONIC } from '../../src/sandbox/anvil.ts';
import { insertMandate } from '../../src/subscriptions/mandate-queries.ts';
import { mandateTerms } from '../../src/subscriptions/mandate-window.ts';
import { newMandate, onChain } from '../../src/subscriptions/mandates.ts';
import { insertSubscription } from '../../src/subscriptions/queries.ts';
import type { StoredMandate } from '../../src/subscriptions/records.ts';
import { subscribe } from '../../src/subscriptions/subscription.ts';

const { abi } = subscriptionCollector;

/** What each of a crowd pays in a week. */
const PRICE_MINOR = 500n;
export const CROWD_PRICE_UNITS = 5_000_000n;
/** Agreements in one transaction; the sandbox's node obeys EIP-7825. */
const AGREEMENTS = 100;
/** Where the sandbox's USDT keeps what everybody has, and what they allow. */
const [BALANCES, ALLOWANCES] = [1n, 2n];
/** One of the development accounts, which has coins. */
const SENDER = 5;

/** People of one merchant and plan, whose mandates stand on the chain, and whose first week was paid. */
export type Crowd = {
  readonly ids: readonly string[];
  readonly mandates: readonly StoredMandate[];
  /** Lets the second week of all begin. */
  readonly becomeDue: () => Promise<void>;
};

export type CrowdDraft = {
  /** Null: nobody but the chain knows of them. */
  readonly merchantId: string | null;
  readonly count: number;
  readonly now: Date;
};

/** Makes a crowd whose second week begins at `now`. Nobody looks at it before it is told that it is due. */
export async function openCrowd(db: Db, network: Network, { merchantId, count, now }: CrowdDraft): Promise<Crowd> {
  const token = network.tokens.find(({ symbol }) => symbol === 'USDT');
  if (!token || network.collector === null) throw new Error(`${network.name} collects no USDT`);
  const start = new Date(Math.floor(now.getTime() / SECOND_MS) * SECOND_MS - 7 * DAY_MS);
  const terms = mandateTerms({ interval: 'weekly', currency: 'USD', tokenAmount: CROWD_PRICE_UNITS, firstDue: start });
  const collecting = { network, collector: network.collector, token };
  const people = Array.from({ length: count }, () => {
    const id = newId('subscription', now);
    const key = privateKeyToAccount(keccak256(toHex(id)));
    return { id, key, mandate: newMandate({ id, wallet: key.address.toLowerCase() }, collecting, terms, start) };
  });
  await fillWallets(network, token, people);
  await agree(network, people);
  if (merchantId !== null) await store(db, network, people, { merchantId, start, now });
  const ids = people.map(({ id }) => id);
  return {
    ids,
    mandates: people.map(({ mandate }) => mandate),
    becomeDue: () =>
      inTransaction(db, async (trx) => {
        await sql`update subscriptions set next_action_at = ${now} where id = any (${ids}::text[])`.execute(trx);
        trx.wake('kasi_subscriptions');
      }),
  };
}

type Stored = { readonly merchantId: string; readonly start: Date; readonly now: Date };

/** As if the first week of everybody had been charged. */
async function store(db: Db, network: Network, people: readonly Person[], { merchantId, start, now }: Stored) {
  const id = newId('plan', now);
  const plan = { id, merchant_id: merchantId, name: 'Crowd', amount_minor: PRICE_MINOR, currency: 'USD' };
  const times = { created_at: start, updated_at: start };
  await db
    .insertInto('plans')
    .values({ ...plan, ...times, interval: 'weekly', token: 'USDT', network: network.name })
    .execute();
  const { next } = subscribe({ interval: 'weekly', trialDays: 0, mandateDeadlineHours: 72 }, start);
  const paid = { everCharged: true, nextNumber: 2, mandateStatus: 'active' } as const;
  await inTransaction(db, async (trx) => {
    for (const { id: subscriptionId, mandate } of people) {
      await insertSubscription(trx, {
        ...{ ...next, ...paid, id: subscriptionId, merchantId, planId: id, nextActionAt: after(now, 365 * DAY_MS) },
        ...{ wallet: mandate.payer, mandateId: mandate.id, network: network.name, token: 'USDT' },
        ...{ customerEmail: 'crowd@example.org', customerName: 'One of many' },
        ...{ amountMinor: PRICE_MINOR, currency: 'USD', eventSequence: 0, createdAt: start, updatedAt: start },
      });
      await insertMandate(trx, { ...mandate, authorizedAt: start });
    }
  });
}

/** Gives wallets ten prices each, and has them allow the collector all, by writing that into the contract's storage. */
async function fillWallets(network: Network, { contract }: Token, people: readonly Person[]): Promise<void> {
  const wallets = people.map(({ key }) => key.address);
  const rpc = createRpc(network.rpcUrl);
  const store = (slot: Hex, value: bigint) => rpc('anvil_setStorageAt', [contract, slot, pad(toHex(value))]);
  for (let from = 0; from < wallets.length; from += AGREEMENTS) {
    await Promise.all(
      wallets
        .slice(from, from + AGREEMENTS)
        .flatMap((wallet) => [
          store(placeOf(wallet, pad(toHex(BALANCES))), 10n * CROWD_PRICE_UNITS),
          store(placeOf(network.collector as Address, placeOf(wallet, pad(toHex(ALLOWANCES)))), 2n ** 256n - 1n),
        ]),
    );
  }
}

/** Where a mapping keeps the value of an address. */
const placeOf = (key: Address, slot: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, slot]));

type Person = {
  readonly id: string;
  readonly key: ReturnType<typeof privateKeyToAccount>;
  readonly mandate: StoredMandate;
};

/** Brings everybody's signature to the chain. */
async function agree(network: Network, people: readonly Person[]): Promise<void> {
  const collector = network.collector as Address;
  const sender = createAccountSender(openReader(network.rpcUrl), deriveAccounts(MNEMONIC)(SENDER), network.chainId);
  for (let from = 0; from < people.length; from += AGREEMENTS) {
    const calls = await Promise.all(
      people.slice(from, from + AGREEMENTS).map(async ({ key, mandate }) => {
        const terms = onChain(mandate);
        const typed = mandateTypedData({ collector, chainId: network.chainId }, terms);
        return encodeAuthorizeBySig(terms, await key.signTypedData(typed));
      }),
    );
    await sender.send({
      to: collector,
      data: encodeFunctionData({ abi, functionName: 'multicall', args: [calls] }),
      gas: 16_000_000n,
    });
  }
}
