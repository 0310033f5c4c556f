import { createAdminClient } from '../../../clients/typescript/src/admin.ts';
import { createClient } from '../../../clients/typescript/src/index.ts';
import { upsertAdmin } from '../../../src/admins/first-admin.ts';
import { createPasswords } from '../../../src/identity/passwords.ts';
import type { Db } from '../../../src/lib/db-types.ts';
import type { Desk } from '../ask.ts';
import { type Endings, stayLoggedIn } from '../stage.ts';

export type PlanKind = {
  readonly interval: 'daily' | 'weekly' | 'monthly' | 'yearly';
  readonly currency: 'USD' | 'LKR';
  readonly amount: number;
  readonly token: 'USDT' | 'USDC';
  readonly trialDays: number;
  /** How many of a thousand customers choose it. */
  readonly share: number;
};

export type Plan = PlanKind & { readonly id: string };

/** A merchant who sells subscriptions. */
export type Seller = {
  readonly id: string;
  readonly desk: Desk;
  readonly plans: readonly Plan[];
  /** When it could not collect. */
  readonly freezes: { readonly from: Date; to: Date | null }[];
};

export type Cast = { readonly sellers: readonly Seller[]; readonly admin: Desk };

/** More than the depth of any reorg here. */
export const CONFIRMATIONS = 4;
const PASSWORD = 'Str0ng-enough';

const KINDS: readonly PlanKind[] = [
  { interval: 'monthly', currency: 'USD', amount: 25, token: 'USDT', trialDays: 0, share: 350 },
  { interval: 'monthly', currency: 'USD', amount: 9.99, token: 'USDC', trialDays: 14, share: 250 },
  { interval: 'monthly', currency: 'LKR', amount: 4500, token: 'USDT', trialDays: 7, share: 160 },
  { interval: 'monthly', currency: 'LKR', amount: 1999.5, token: 'USDC', trialDays: 0, share: 120 },
  { interval: 'weekly', currency: 'USD', amount: 3, token: 'USDC', trialDays: 0, share: 30 },
  { interval: 'weekly', currency: 'LKR', amount: 650, token: 'USDT', trialDays: 3, share: 20 },
  { interval: 'yearly', currency: 'USD', amount: 199, token: 'USDT', trialDays: 30, share: 65 },
  { interval: 'daily', currency: 'USD', amount: 0.5, token: 'USDC', trialDays: 0, share: 5 },
];

/** Opens `count` merchants, each with a plan of every kind, and an administrator who may freeze them. */
export async function openCast(baseUrl: string, db: Db, count: number, endings: Endings): Promise<Cast> {
  const email = 'nimali@kasi.example';
  await upsertAdmin({ db, passwords: createPasswords() }, { email, password: PASSWORD }, new Date());
  const { auth } = createAdminClient({ baseUrl });
  const token = await stayLoggedIn(() => auth.login({ email, password: PASSWORD }), endings);
  const admin = createAdminClient({ baseUrl, token: token() });
  const { version } = await admin.settings.get();
  await admin.settings.update({ version, confirmations: { devnet: CONFIRMATIONS } });
  const sellers: Seller[] = [];
  for (let number = 1; number <= count; number += 1) {
    const account = { email: `tea${number}@example.com`, password: PASSWORD };
    const about = { businessName: `Tea club ${number}`, phone: '+94771234567', businessType: 'company' } as const;
    const client = createClient({ baseUrl, ...account });
    const { merchant } = await client.auth.register({ ...account, ...about });
    await admin.merchants.approve(merchant.id);
    const plans: Plan[] = [];
    for (const kind of KINDS) {
      const { share: _, ...draft } = kind;
      const { id } = await client.plans.create({ name: `Tea, ${kind.interval}`, ...draft });
      plans.push({ ...kind, id });
    }
    const own = await stayLoggedIn(() => createClient({ baseUrl }).auth.login(account), endings);
    sellers.push({ id: merchant.id, desk: { baseUrl, token: own, onSend: () => undefined }, plans, freezes: [] });
  }
  return { sellers, admin: { baseUrl, token, onSend: () => undefined } };
}
