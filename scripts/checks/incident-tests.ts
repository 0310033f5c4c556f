import type { IncidentKind } from '../../src/incidents/kinds.ts';

/**
 * For each kind of incident the test in which the code of the service opens it, because what it is about happens there.
 * `incidents.ts` checks this table. What all kinds share (listed, alerted once, resolved) is in
 * test/api/list-incidents.test.ts and test/api/get-alert-channel.test.ts, which open every kind themselves.
 */
export const RAISED_IN: Readonly<Record<IncidentKind, string>> = {
  'chain.disagreement': 'test/flows/second-opinion.long.test.ts',
  'chain.endpoint': 'test/chains/endpoints.long.test.ts',
  'chain.finality': 'test/chains/finality.test.ts',
  'chain.uncompared': 'test/treasury/compare.long.test.ts',
  'chain.unexplained': 'test/treasury/compare.long.test.ts',
  'identity.codes_locked': 'test/db/second-factor.test.ts',
  'ledger.reconcile': 'test/db/reconcile.long.test.ts',
  'mail.failing': 'test/flows/mail-trouble.long.test.ts',
  'merchant.renamed': 'test/api/update-merchant.test.ts',
  'network.closed': 'test/http/closed-network.test.ts',
  'network.delisted': 'test/flows/delisted.test.ts',
  'operator.funds': 'test/chains/operator-trouble.long.test.ts',
  'operator.refused': 'test/chains/operator-trouble.long.test.ts',
  'payment.coin_short': 'test/chains/ether-lies.long.test.ts',
  'payment.dust': 'test/db/dust.long.test.ts',
  'payment.parked': 'test/db/payment-queue.test.ts',
  'payment.reversed': 'test/db/payment-decisions.test.ts',
  'payment.revived': 'test/db/payment-pruning.test.ts',
  'payment.vanished': 'test/flows/second-opinion.long.test.ts',
  'rates.refused': 'test/db/rates.test.ts',
  'refund.resurfaced': 'test/flows/refund-taken-back.long.test.ts',
  'refund.reverted': 'test/flows/refund-taken-back.long.test.ts',
  'settings.change_pending': 'test/api/approve-change.test.ts',
  'subscription.dear_gas': 'test/subscriptions/kills.long.test.ts',
  'subscription.network': 'test/subscriptions/kills.long.test.ts',
  'subscription.parked': 'test/subscriptions/mishaps.long.test.ts',
  'subscription.reverted': 'test/subscriptions/mishaps.long.test.ts',
  'subscription.unconfirmed': 'test/subscriptions/mishaps.long.test.ts',
  'subscription.unexplained': 'test/subscriptions/mishaps.long.test.ts',
  'subscription.unknown_mandate': 'test/chains/collector-watch.test.ts',
  'sweep.refused': 'test/treasury/sweep.long.test.ts',
  'tallies.drift': 'test/db/tallies-check.test.ts',
  'watcher.coins_unread': 'test/chains/coins-unread.test.ts',
  'watcher.blind': 'test/chains/watch-job.test.ts',
  'watcher.other_list': 'test/chains/watched-list.test.ts',
  'withdrawal.resurfaced': 'test/flows/payout-taken-back.long.test.ts',
  'withdrawal.reverted': 'test/flows/payout-taken-back.long.test.ts',
};
