import { setTimeout as sleep } from 'node:timers/promises';
import { createAdminClient } from '../../../clients/typescript/src/admin.ts';
import { type Client, createClient } from '../../../clients/typescript/src/index.ts';
import { upsertAdmin } from '../../../src/admins/first-admin.ts';
import { createPasswords } from '../../../src/identity/passwords.ts';
import type { Network } from '../../../src/ports/chain.ts';
import { prepareSandboxNetwork } from '../../../src/sandbox/network.ts';
import type { Desk } from '../ask.ts';
import { type Endings, type Stage, stayLoggedIn } from '../stage.ts';

/** A merchant with money, and the client that acts for it. */
export type Customer = { readonly id: string; readonly desk: Desk };

/** The participants. */
export type Bank = {
  readonly customers: readonly Customer[];
  readonly tellers: readonly Desk[];
  readonly network: Network;
};

const PASSWORD = 'Str0ng-enough';
const PAID_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** Each merchant's starting balance, in US cents, which a customer pays on the chain. */
export const FUNDS_CENTS = 10_000_000n;
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
    await deposit(createClient({ baseUrl, token: token() }));
    customers.push({ id: merchant.id, desk: { baseUrl, onSend, token } });
  }
  const [info] = (await createClient({ baseUrl, token: customers[0]?.desk.token() }).sandbox.get()).networks;
  return { customers, tellers, network: await prepareSandboxNetwork({ rpcUrl: info?.rpcUrl ?? '' }) };
}

/** A payment of the whole starting balance, so that the ledger has nothing that the chain has not. */
async function deposit({ payments, sandbox, settlements }: Client): Promise<void> {
  const { id } = await payments.create({ amount: Number(FUNDS_CENTS) / 100, currency: 'USD' });
  await sandbox.payments.pay(id);
  for (const until = performance.now() + PAID_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    const { availableBalance } = await settlements.balance();
    if (Math.round(availableBalance * 100) === Number(FUNDS_CENTS)) return;
    if (performance.now() > until) throw new Error(`${id} was paid, and ${availableBalance} USD are available`);
  }
}
