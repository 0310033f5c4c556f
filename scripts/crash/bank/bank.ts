import { createAdminClient } from '../../../clients/typescript/src/admin.ts';
import { createClient } from '../../../clients/typescript/src/index.ts';
import { upsertAdmin } from '../../../src/admins/first-admin.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { createPasswords } from '../../../src/identity/passwords.ts';
import { merchantAccount, platformAccount } from '../../../src/ledger/accounts.ts';
import { postJournal } from '../../../src/ledger/post.ts';
import type { Db } from '../../../src/lib/db-types.ts';
import { MICRO_PER_CENT } from '../../../src/lib/money.ts';
import type { Desk } from '../ask.ts';
import { type Endings, type Stage, stayLoggedIn } from '../stage.ts';

/** A merchant with money, and the client that acts for it. */
export type Customer = { readonly id: string; readonly desk: Desk };

/** The participants. */
export type Bank = { readonly customers: readonly Customer[]; readonly tellers: readonly Desk[] };

const PASSWORD = 'Str0ng-enough';
/** Each merchant's starting balance, in US cents. */
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
    await fund(db, merchant.id);
    const token = await stayLoggedIn(() => auth.login({ email, password: PASSWORD }), endings);
    customers.push({ id: merchant.id, desk: { baseUrl, onSend, token } });
  }
  return { customers, tellers };
}

async function fund(db: Db, merchantId: string): Promise<void> {
  const amount = FUNDS_CENTS * MICRO_PER_CENT;
  const postings = [
    { account: platformAccount('loss'), amount: -amount },
    { account: merchantAccount(merchantId, 'available'), amount },
  ];
  const draft = { kind: 'test.funded', ref: merchantId, merchantId, postings };
  await inTransaction(db, (trx) => postJournal(trx, draft, new Date()));
}
