import { countEntries as countAudit, listEntries as listAudit } from '../../src/audit/queries.ts';
import { listSealedEvents } from '../../src/events/queries.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { PageWindow, Total } from '../../src/lib/paging.ts';
import { listMerchants } from '../../src/merchants/list-queries.ts';
import { countLinks, findLink, listLinks } from '../../src/payment-links/queries.ts';
import { type PaymentFilter, readPayments } from '../../src/payments/list-queries.ts';
import { countPayouts, listPayouts } from '../../src/payouts/queue.ts';
import { countRefunds, listRefunds } from '../../src/refunds/queries.ts';
import { readMerchantFigures } from '../../src/settlements/merchant-figures.ts';
import { countEntries, listEntries, readBalances } from '../../src/settlements/queries.ts';
import { boundsOf } from '../../src/settlements/statement.ts';
import { listMovements } from '../../src/settlements/statement-queries.ts';
import { countPlans, listPlans } from '../../src/subscriptions/plans/queries.ts';
import { countSubscriptions, listSubscriptions } from '../../src/subscriptions/queries.ts';
import { readTotal, sumOf } from '../../src/tallies/total.ts';
import { countDeliveries, listDeliveries } from '../../src/webhooks/queries.ts';
import { listOwned } from '../../src/withdrawals/admin-queries.ts';
import { countWithdrawals, listWithdrawals } from '../../src/withdrawals/queries.ts';

/** What a request asks for, and what reads the rows that answer it. */
export type Operation = {
  readonly name: string;
  /** As a merchant asks for it; null for what administrators ask, or what has no path of its own. */
  readonly path: string | null;
  readonly read: (db: Db) => Promise<unknown>;
  /** Of what no tally knows, rows are read up to some number: it is as slow as that many are, and no slower. */
  readonly bounded?: true;
};

/** A list by one filter. */
type Listed = {
  readonly name: string;
  readonly path: string | null;
  readonly list: (db: Db, page: PageWindow) => Promise<unknown>;
  readonly count: (db: Db, page: PageWindow) => Promise<Total>;
  /** Whether `list` counts, too. */
  readonly counts?: true;
};

const PAGE = 20;
const DAY = 24 * 3_600_000;

/** What is read of a merchant, and of its lists and the platform's the first page, the middle one and the last. */
export async function operationsOf(db: Db, merchantId: string): Promise<Operation[]> {
  const operations = [...singles(merchantId)];
  const paymentId = await findPaymentId(db, merchantId);
  for (const { name, path, list, count, counts } of [...merchantLists(merchantId, paymentId), ...platformLists()]) {
    const total = await count(db, { offset: 0, limit: PAGE });
    // The last full one: half a page among few and a whole one among many is no growth.
    const last = Math.max(1, Math.floor((typeof total === 'number' ? total : total.atLeast) / PAGE));
    const pages = { first: 1, middle: Math.ceil(last / 2), last };
    for (const [place, number] of Object.entries(pages)) {
      const page = { offset: (number - 1) * PAGE, limit: PAGE };
      operations.push({
        name: `${name}, ${place}`,
        path: path && `${path}limit=${PAGE}&page=${number}`,
        ...(/ by (search|actorId)/.test(name) && { bounded: true as const }),
        read: async (on) => {
          await list(on, page);
          if (!counts) await count(on, page);
        },
      });
    }
  }
  return operations;
}

async function findPaymentId(db: Db, merchantId: string): Promise<string> {
  const { payments } = await readPayments(db, { merchantId }, { offset: 100, limit: 1 });
  return payments.rows[0]?.id ?? '';
}

/** What is not a page of a list by number. */
const singles = (merchantId: string): Operation[] => [
  { name: 'balance', path: 'settlements/balance', read: (db) => readBalances(db, merchantId) },
  {
    name: 'a link',
    path: 'payment-links/plink_scale2',
    read: (db) => findLink(db, { id: 'plink_scale2', merchantId }),
  },
  { name: 'merchant detail', path: null, read: (db) => readMerchantFigures(db, merchantId, new Date()) },
  ...Object.entries({ head: 0n, tail: 1_000_000_000_000n }).map(([place, after]) => ({
    name: `events, ${place}`,
    path: null,
    read: (db: Db) => listSealedEvents(db, merchantId, { after, limit: PAGE }),
  })),
];

/** Of the month before this one. */
function statementOf(merchantId: string): Listed {
  const today = new Date();
  const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1)).toISOString().slice(0, 7);
  const span = boundsOf(month);
  return {
    name: 'statement of a month',
    path: `settlements/statements/${month}?`,
    list: (db, page) => listMovements(db, { merchantId, ...span }, page),
    count: (db) => readTotal(db, sumOf('count', { list: 'movements', owners: [merchantId] }, span)),
  };
}

/** A list without a filter, and by each of some. `of` makes the list of a filter. */
const listed = <F extends object>(
  name: string,
  path: string | null,
  filters: readonly (readonly [query: string, filter: F])[],
  of: (filter: F | Record<never, never>) => Omit<Listed, 'name' | 'path'>,
): Listed[] =>
  [['', {}] as const, ...filters].map(([query, filter]) => ({
    name: `${name}${query && ` by ${query.length > 40 ? query.slice(0, query.lastIndexOf('=') + 1) : query}`}`,
    path: path && `${path}?${query}${query && '&'}`,
    ...of(filter),
  }));

const from = new Date(Math.floor(Date.now() / DAY) * DAY - 30 * DAY);
const to = new Date(Date.now() - 365 * DAY);

/** `id` is of one of the merchant's payments. */
const paymentFilters = (id: string): readonly (readonly [string, Omit<PaymentFilter, 'merchantId'>])[] => [
  ['status=paid', { status: 'paid' }],
  ['status=initiated', { status: 'initiated' }],
  ['source=link', { source: 'link' }],
  ['currency=LKR', { currency: 'LKR' }],
  ['waiting=true', { waiting: true }],
  ['exception=underpaid', { exception: 'underpaid' }],
  ['linkId=plink_scale2', { linkId: 'plink_scale2' }],
  ['customerEmail=buyer6@example.org', { customerEmail: 'buyer6@example.org' }],
  ['metadata[orderId]=8', { metadata: { orderId: '8' } }],
  [`fromDate=${from.toISOString().slice(0, 10)}`, { from }],
  [`toDate=${to.toISOString()}`, { to }],
  ['status=paid&source=link', { status: 'paid', source: 'link' }],
  // A filter that matches no row.
  ['source=subscription', { source: 'subscription' }],
  ...[
    'buyer6',
    'buyer6@example.org',
    'example.org',
    'no such thing',
    'pay_01',
    id.slice(0, -1),
    `${id.slice(0, 14)}zz`,
    'pay_none',
  ].map((text) => [`search=${text}`, { search: { kind: 'text', text } }] as const),
  ['search=buyer6&status=paid', { search: { kind: 'text', text: 'buyer6' }, status: 'paid' }],
  ['search=buyer6&currency=LKR', { search: { kind: 'text', text: 'buyer6' }, currency: 'LKR' }],
  ['search=example&source=subscription', { search: { kind: 'text', text: 'example' }, source: 'subscription' }],
  ['search=example&exception=underpaid', { search: { kind: 'text', text: 'example' }, exception: 'underpaid' }],
  [`search=buyer6&toDate=${to.toISOString()}`, { search: { kind: 'text', text: 'buyer6' }, to }],
  [`search=${id}`, { search: { kind: 'payment', id } }],
  ['search=0x77', { search: { kind: 'transaction', hashes: ['77'.repeat(32), `0x${'77'.repeat(32)}`] } }],
  [
    'search=0xde00000000000000000000000000000000000008',
    { search: { kind: 'address', keys: [{ kind: 'evm', address: `0xde${'8'.padStart(38, '0')}` }] } },
  ],
];

const merchantLists = (merchantId: string, paymentId: string): Listed[] => [
  ...listed('payments', 'payments', paymentFilters(paymentId), (filter) => ({
    list: (db, page) => readPayments(db, { merchantId, ...filter }, page),
    count: async (db, page) => (await readPayments(db, { merchantId, ...filter }, page)).total,
    counts: true,
  })),
  ...listed(
    'transactions',
    'settlements/transactions',
    [['account=available', { account: 'available' as const }]],
    (filter) => ({
      list: (db, page) => listEntries(db, { merchantId, ...filter }, page),
      count: (db) => countEntries(db, { merchantId, ...filter }),
    }),
  ),
  statementOf(merchantId),
  ...listed(
    'deliveries',
    'webhooks/deliveries',
    [
      ['status=failed', { status: 'failed' as const }],
      ['status=success', { status: 'success' as const }],
    ],
    (filter) => ({
      list: (db, page) => listDeliveries(db, { merchantId, ...filter }, page),
      count: (db) => countDeliveries(db, { merchantId, ...filter }),
    }),
  ),
  ...listed(
    'audit log',
    'merchant/audit-logs',
    [['action=api_key.created', { action: 'api_key.created' }]],
    (filter) => ({
      list: (db, page) => listAudit(db, { merchantId, ...filter }, page),
      count: (db, page) => countAudit(db, { merchantId, ...filter }, page),
    }),
  ),
  ...sellingLists(merchantId),
];

/** What a merchant sells by, and what is paid out to it. */
const sellingLists = (merchantId: string): Listed[] => [
  ...listed(
    'links',
    'payment-links',
    (['active', 'expired', 'disabled'] as const).map((status) => [`status=${status}`, { status }]),
    (filter) => ({
      list: (db, page) => listLinks(db, { merchantId, now: new Date(), ...filter }, page),
      count: (db) => countLinks(db, { merchantId, now: new Date(), ...filter }),
    }),
  ),
  ...listed(
    'subscriptions',
    'subscriptions',
    [
      ['status=past_due', { status: 'past_due' as const }],
      ['status=cancelled', { status: 'cancelled' as const }],
      ['status=trialing', { status: 'trialing' as const }],
      ['planId=plan_scale2', { planId: 'plan_scale2' }],
      ['planId=plan_scale2&status=cancelled', { planId: 'plan_scale2', status: 'cancelled' as const }],
      // Another merchant's.
      ['planId=plan_scale3', { planId: 'plan_scale3' }],
    ],
    (filter) => ({
      list: (db, page) => listSubscriptions(db, { merchantId, ...filter }, page),
      count: (db) => countSubscriptions(db, { merchantId, ...filter }),
    }),
  ),
  ...listed('plans', 'subscription-plans', [], () => ({
    list: (db, page) => listPlans(db, { merchantId }, page),
    count: (db) => countPlans(db, { merchantId }),
  })),
  ...listed('withdrawals', 'withdrawals', [['status=completed', { statuses: ['completed'] as const }]], (filter) => ({
    list: (db, page) => listWithdrawals(db, { merchantId, ...filter }, page),
    count: (db) => countWithdrawals(db, { merchantId, ...filter }),
  })),
  ...listed('refunds', 'refunds', [['status=failed', { status: 'failed' as const }]], (filter) => ({
    list: (db, page) => listRefunds(db, { merchantId, ...filter }, page),
    count: (db) => countRefunds(db, { merchantId, ...filter }),
  })),
];

/** What administrators list, of all merchants together. */
const platformLists = (): Listed[] => [
  ...listed(
    'admin audit log',
    null,
    [
      ['actorType=system', { actorType: 'system' as const }],
      ['actorType=admin', { actorType: 'admin' as const }],
      ['resourceType=session', { resourceType: 'session' }],
      ['action=api_key.created', { action: 'api_key.created' }],
      ['actorId=someone7', { actorId: 'someone7' }],
      ['actorType=admin&action=session.ended', { actorType: 'admin' as const, action: 'session.ended' }],
    ],
    (filter) => ({
      list: (db, page) => listAudit(db, filter, page),
      count: (db, page) => countAudit(db, filter, page),
    }),
  ),
  ...listed(
    'admin merchants',
    null,
    [
      ['status=active', { status: 'active' as const }],
      ['search=shop', { search: 'shop' }],
      ['search=scale17', { search: 'scale17' }],
    ],
    (filter) => ({
      list: (db, page) => listMerchants(db, filter, page),
      count: async (db, page) => (await listMerchants(db, filter, page)).total,
      counts: true,
    }),
  ),
  ...listed(
    'admin withdrawals',
    null,
    [
      ['status=pending', { statuses: ['pending'] as const }],
      ['status=completed', { statuses: ['completed'] as const }],
    ],
    (filter) => ({
      list: (db, page) => listOwned(db, filter, page),
      count: (db) => countWithdrawals(db, filter),
    }),
  ),
  ...listed('admin payouts', null, [], () => ({
    list: (db, page) => listPayouts(db, {}, page),
    count: (db) => countPayouts(db, {}),
  })),
];
