import type { components } from '../../generated/api.ts';
import { merchantAccount, readBalance } from '../ledger/accounts.ts';
import type { Db } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import { parseFiat } from '../lib/money.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { openNumber } from './bank-account.ts';
import { resolveNetwork } from './destination.ts';
import { feeOf } from './fees.ts';
import { limitsOf } from './limits.ts';
import { parseRequest, requireOwnFields } from './parse.ts';
import { presentQuote, presentWithdrawal } from './present.ts';
import { countWithdrawals, findWithdrawal, listWithdrawals, readUsage, type WithdrawalFilter } from './queries.ts';
import { createWithdrawal, describeWithdrawal, moveWithdrawal, type WithdrawalDeps } from './service.ts';
import type { Withdrawal, WithdrawalStatus } from './withdrawal.ts';

export type WithdrawalHandlerDeps = WithdrawalDeps & { readonly db: Db };

type Operation = 'createWithdrawal' | 'listWithdrawals' | 'getWithdrawal' | 'quoteWithdrawal' | 'cancelWithdrawal';

/** The states behind each status that merchants see. */
const STATUSES: Readonly<Record<components['schemas']['WithdrawalStatus'], readonly WithdrawalStatus[]>> = {
  pending: ['pending'],
  approved: ['approved', 'processing'],
  completed: ['completed'],
  rejected: ['rejected', 'failed'],
};

/** The operations of the tag `withdrawals`. */
export function withdrawalHandlers(deps: WithdrawalHandlerDeps): HandlersOf<Operation> {
  const present = (withdrawal: Withdrawal) => presentWithdrawal(withdrawal, openNumber(deps.keyRing, withdrawal));
  return {
    createWithdrawal: async ({ principal, body, now, real, trx, audit }) => {
      const { merchantId } = principal;
      const keyId = principal.via === 'api_key' ? principal.keyId : null;
      const draft = { ...parseRequest(body), merchantId, keyId, otp: body.otp };
      const { withdrawal, secondFactor } = await createWithdrawal(trx, deps, draft, { now, real });
      audit.note({ metadata: { ...describeWithdrawal(withdrawal), ...secondFactor } });
      return { status: 201, body: present(withdrawal) };
    },
    listWithdrawals: async ({ principal, query }) => {
      const { status } = query;
      const filter: WithdrawalFilter = {
        merchantId: principal.merchantId,
        ...(status && { statuses: STATUSES[status] }),
      };
      const [withdrawals, total] = await Promise.all([
        listWithdrawals(deps.db, filter, windowOf(query)),
        countWithdrawals(deps.db, filter),
      ]);
      return {
        status: 200,
        body: { withdrawals: withdrawals.rows.map(present), pagination: presentPagination(query, total, withdrawals) },
      };
    },
    getWithdrawal: async ({ principal, params }) => {
      const withdrawal = await findWithdrawal(deps.db, { id: params.id, merchantId: principal.merchantId });
      if (!withdrawal) throw notFound('withdrawal');
      return { status: 200, body: present(withdrawal) };
    },
    quoteWithdrawal: async ({ principal, query, now }) => {
      requireOwnFields(query);
      const settings = await deps.settings.current();
      const amountMinor = parseFiat(query.amount);
      const route = resolveNetwork(deps, query);
      const feeMinor = feeOf({ amountMinor, method: query.method, network: route.network }, settings);
      const [availableMicro, usage] = await Promise.all([
        readBalance(deps.db, merchantAccount(principal.merchantId, 'available')),
        readUsage(deps.db, principal.merchantId, now),
      ]);
      const limits = limitsOf(settings, usage);
      const quote = { amountMinor, feeMinor, method: query.method, ...route, availableMicro, limits };
      return { status: 200, body: presentQuote(quote) };
    },
    // Whatever the merchant's state: see decision withdrawals/cancel-in-any-merchant-state.
    cancelWithdrawal: async ({ principal, params, now, trx, audit }) => {
      const ref = { id: params.id, merchantId: principal.merchantId };
      const withdrawal = await moveWithdrawal(trx, deps, ref, { kind: 'cancel' }, now);
      audit.note({ metadata: { previousStatus: 'pending', newStatus: withdrawal.status, reason: 'cancelled' } });
      return { status: 200, body: present(withdrawal) };
    },
  };
}
