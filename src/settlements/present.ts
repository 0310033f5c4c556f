import type { components } from '../../generated/api.ts';
import { formatMicro, presentMicro } from '../lib/money.ts';
import type { Balances, LedgerEntry } from './queries.ts';

type Schemas = components['schemas'];

/** A balance in dollars with two decimals, rounded toward zero. */
export const presentBalance = (balances: Balances): Schemas['SettlementBalance'] => ({
  availableBalance: presentMicro(balances.available),
  pendingBalance: presentMicro(balances.pending),
  heldBalance: presentMicro(balances.held),
  totalEarned: presentMicro(balances.earned),
  owed: presentMicro(-balances.debt),
  suspense: presentMicro(balances.suspense),
  currency: 'USD',
});

/** A journal has at most one entry per account, so the two ids together name the entry. */
export const presentEntry = (entry: LedgerEntry): Schemas['LedgerEntry'] => ({
  id: `${entry.journalId}-${entry.account}`,
  journalId: entry.journalId,
  account: entry.account,
  kind: entry.kind,
  amount: formatMicro(entry.amountMicro),
  currency: 'USD',
  paymentId: entry.paymentId,
  withdrawalId: entry.withdrawalId,
  createdAt: entry.createdAt.toISOString(),
});
