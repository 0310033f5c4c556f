import { createAdminClient } from '../../../clients/typescript/src/admin.ts';
import { type Client, createClient } from '../../../clients/typescript/src/index.ts';
import { upsertAdmin } from '../../../src/admins/first-admin.ts';
import { createPasswords } from '../../../src/identity/passwords.ts';
import type { Network } from '../../../src/ports/chain.ts';
import { prepareSandboxNetwork } from '../../../src/sandbox/network.ts';
import { until } from '../../lib/wait.ts';
import type { Desk } from '../ask.ts';
import { type Endings, type Stage, stayLoggedIn } from '../stage.ts';

/**
 * A merchant with money, and the client that acts for it. One of its payments is paid; of the other one only a part
 * came before it was cancelled, which waits.
 */
export type Customer = { readonly id: string; readonly desk: Desk; readonly payments: readonly string[] };

/** The participants. */
export type Bank = {
  readonly customers: readonly Customer[];
  readonly tellers: readonly Desk[];
  readonly network: Network;
};

const PASSWORD = 'Str0ng-enough';
const PAID_WITHIN_MS = 60_000;
/** What each merchant can spend, and what waits for its decision, in US cents, which its payers pay on the chain. */
const SPENDABLE_CENTS = 10_000_000n;
const WAITING_CENTS = 500_000n;
/** All that a merchant starts with. */
export const FUNDS_CENTS = SPENDABLE_CENTS + WAITING_CENTS;
/** Payouts are not checked on the chain, because none is sent. Limits are off, because they would end the run early. */
const SETTINGS = { verifyPayoutOnChain: false, withdrawalMaxOpen: 100, withdrawalDailyMax: '1000000.00' };

/** Opens the bank: active merchants with money, and two administrators, because none may approve and complete alone. */
export async function openBank(
  { baseUrl, db }: Stage,
  merchants: number,
  onSend: () => void,
  endings: Endings,
): Promise<Bank> {
  const tellers: Desk[] = [];
  for (const email of ['nimali@kasi.example', 'asha@kasi.example']) {
    await upsertAdmin({ db, passwords: createPasswords() }, { email, password: PASSWORD }, new Date());
    const { auth } = createAdminClient({ baseUrl });
    tellers.push({
      baseUrl,
      onSend,
      token: await stayLoggedIn(() => auth.login({ email, password: PASSWORD }), endings),
    });
  }
  const admin = createAdminClient({ baseUrl, token: tellers[0]?.token() });
  await admin.settings.update({ version: (await admin.settings.get()).version, ...SETTINGS });
  const customers: Customer[] = [];
  for (let number = 1; number <= merchants; number += 1) {
    const email = `phoenix${number}@example.com`;
    const about = { businessName: `Phoenix Tea ${number}`, phone: '+94771234567', businessType: 'company' } as const;
    const { auth } = createClient({ baseUrl });
    const { merchant } = await auth.register({ email, password: PASSWORD, ...about });
    await admin.merchants.approve(merchant.id);
    const token = await stayLoggedIn(() => auth.login({ email, password: PASSWORD }), endings);
    const client = createClient({ baseUrl, token: token() });
    const payments = [await paySome(client), await payAll(client)];
    customers.push({ id: merchant.id, desk: { baseUrl, onSend, token }, payments });
  }
  const [info] = (await createClient({ baseUrl, token: customers[0]?.desk.token() }).sandbox.get()).networks;
  return { customers, tellers, network: await prepareSandboxNetwork({ rpcUrl: info?.rpcUrl ?? '' }) };
}

/** A payment of all that can be spent, so that the ledger has nothing that the chain has not. */
async function payAll(client: Client): Promise<string> {
  const { id } = await client.payments.create({ amount: toDollars(SPENDABLE_CENTS), currency: 'USD' });
  await client.sandbox.payments.pay(id);
  await reach(client, ({ availableBalance }) => availableBalance, SPENDABLE_CENTS);
  return id;
}

/** A payment of which half came before its merchant cancelled it. */
async function paySome(client: Client): Promise<string> {
  const { id } = await client.payments.create({ amount: toDollars(2n * WAITING_CENTS), currency: 'USD' });
  await client.sandbox.payments.pay(id, { amount: String(toDollars(WAITING_CENTS)) });
  await client.payments.cancel(id);
  await reach(client, ({ suspense }) => suspense, WAITING_CENTS);
  return id;
}

const toDollars = (cents: bigint): number => Number(cents) / 100;

type Balance = Awaited<ReturnType<Client['settlements']['balance']>>;

async function reach({ settlements }: Client, figure: (balance: Balance) => number, cents: bigint): Promise<void> {
  const look = async () => Math.round(figure(await settlements.balance()) * 100) === Number(cents);
  await until(`${cents} cents, which were paid, are there`, PAID_WITHIN_MS, look);
}
