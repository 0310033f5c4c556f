import pg from 'pg';
import { timeOfId } from '../lib/time-of-id.ts';

/** Rows of a large database. Everything else grows with its payments. */
export type Scale = { readonly payments: number };

/** Over which the rows are spread evenly, up to now. */
const DAYS = 1000;
/** Rows of one statement. */
const BULK_MAX = 500_000;

type Filling = { readonly table: string; readonly count: number; readonly select: string };

/** The merchant of a database without a service. */
export const SCALE_MERCHANT = 'mer_scale';

/**
 * Fills the database at `ownerUrl` with payments, their addresses, transfers, sessions, entries of the ledger, events,
 * deliveries, audit entries, links, plans, subscriptions with a charge each, withdrawals, refunds and merchants. The
 * merchant owns half of all, others share the rest; the newest is the last. Triggers, foreign keys and indexes are left
 * out meanwhile, and the tallies and texts are made afterwards. Nothing is due. `tell` hears what was done.
 */
export async function seedScale(
  ownerUrl: string,
  merchantId: string,
  { payments }: Scale,
  tell: (line: string) => void = () => undefined,
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const fillings = fillingsOf(merchantId, payments);
    const tables = [...new Set(fillings.map(({ table }) => table))];
    await client.query(`set work_mem = '256MB'`);
    const giveBack = await strip(client, tables);
    for (const { table, count, select } of fillings) {
      tell(`${count} rows of ${table}`);
      for (let from = 1; from <= count; from += BULK_MAX) {
        const to = Math.min(count, from + BULK_MAX - 1);
        await client.query(`insert into ${table} ${select.replaceAll('%series', `generate_series(${from}, ${to}) g`)}`);
      }
    }
    tell('indexes');
    await giveBack();
    tell('statistics and tallies');
    for (const table of tables) await client.query(`vacuum (freeze, analyze) ${table}`);
    const lists = 'select distinct list from tallied_rows';
    await client.query(`select rebuild_tallies(list) from (${lists}) as l`);
    await client.query('select fill_payment_texts()');
    await client.query('vacuum (freeze, analyze) tallies, payment_texts');
  } finally {
    await client.end();
  }
}

/** Takes triggers, foreign keys and indexes of the tables away, and returns what brings them back. */
async function strip(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s not valid', conrelid::regclass, conname,
                   replace(pg_get_constraintdef(oid), ' NOT VALID', '')) as add
       from pg_constraint where contype = 'f' and conrelid = any ($1::text[]::regclass[])`,
    [tables],
  );
  const { rows: indexes } = await client.query<{ name: string; add: string }>(
    `select indexname as name, indexdef as add from pg_indexes i
      where schemaname = 'public' and tablename = any ($1)
        and not exists (select from pg_constraint where conname = i.indexname)`,
    [tables],
  );
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  for (const { drop } of keys) await client.query(drop);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return async () => {
    await client.query(`set maintenance_work_mem = '512MB'`);
    for (const { add } of indexes) await client.query(add);
    for (const { add } of keys) await client.query(add);
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  };
}

/** How many of each, and expressions of the row `g` of a series. */
type Shares = {
  readonly payments: number;
  readonly others: number;
  readonly tenth: number;
  readonly plans: number;
  /** Whose it is. */
  readonly owner: string;
  /** The moment of the g-th of so many rows. */
  readonly at: (count: number) => string;
  /** As the service makes ids: they begin with the time. */
  readonly paymentId: string;
  /** A number below 100 that has nothing to do with whose the row is. */
  readonly dice: string;
};

function fillingsOf(merchantId: string, payments: number): Filling[] {
  const others = Math.max(10, Math.round(payments / 2000));
  const tenth = Math.round(payments / 10);
  // Not the database's: what is filled later has the ids of what was filled before.
  const now = new Date().toISOString();
  const at = (count: number) => `timestamptz '${now}' - (${count} - g) * (interval '${DAYS} days' / ${count})`;
  const shares: Shares = {
    ...{ payments, others, tenth, plans: Math.max(20, Math.round(tenth / 100)) },
    owner: `case when g % 2 = 0 then '${merchantId}' else 'mer_scale' || (g / 2) % ${others} end`,
    ...{ at, paymentId: `'pay_' || ${timeOfId(at(payments))} || lpad(g::text, 16, '0')` },
    dice: `(g / 2 * 37 % 100)`,
  };
  return [paymentsAmong, received, ledgerOf, announced, sealed, sold, collected, paidOut].flatMap((fillings) =>
    fillings(shares),
  );
}

/** Inserts a merchant and its accounts without a registration. */
const SEEDED = `
  insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at, updated_at)
  values ('${SCALE_MERCHANT}', 'Scale', 'scale@example.org', 'none', '+94112345678', 'company', 'active', now(), now());
  insert into ledger_accounts (id, owner_id, kind, allow_negative)
  select '${SCALE_MERCHANT}:' || kind, '${SCALE_MERCHANT}', kind, kind = 'debt'
    from unnest(array['pending', 'available', 'hold', 'suspense', 'debt']) as k (kind)`;

/** Adds the merchant that `seedScale` may give half of all. */
export async function addScaleMerchant(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(SEEDED).finally(() => client.end());
}

/** Payments, of several merchants. */
const paymentsAmong = ({ payments, others, tenth, owner, at, paymentId, dice }: Shares): Filling[] => [
  {
    table: 'merchants',
    count: others,
    select: `(id, business_name, email, password_hash, phone, business_type, status, created_at, updated_at)
        select 'mer_scale' || g - 1, 'Shop ' || g, 'scale' || g || '@example.org', 'none', '+94112345678', 'company',
               case when g % 20 = 0 then 'pending_verification' else 'active' end, ${at(others)}, ${at(others)}
          from %series`,
  },
  { table: 'payments', count: payments, select: paymentsOf({ owner, paymentId, dice }, at(payments), tenth) },
  {
    table: 'deposit_addresses',
    count: payments,
    select: `(kind, address, payment_id)
        select 'evm', '0xde' || lpad(to_hex(g), 38, '0'), ${paymentId} from %series`,
  },
  {
    table: 'pruned_payments',
    count: tenth,
    select: `(payment_id, merchant_id, row_then, pruned_at)
        select 'pay_gone' || g, ${owner}, '{}', ${at(tenth)} from %series`,
  },
];

/** Transfers to the oldest tenth of the payments, of which nothing is left to do, and as many sessions. */
const received = ({ tenth, owner, at, paymentId, dice }: Shares): Filling[] => [
  {
    table: 'credits',
    count: tenth,
    select: `(id, payment_id, network, tx_hash, transfer_index, block_hash, block_number, block_time, token, contract,
                sender, recipient, amount_units, decimals, value_e18, counted, canonical, booked_micro, seen_at,
                confirmed_at, applied_at, seconded_at, final_at, swept_at, arrived_at)
        select 'crd_scale' || lpad(g::text, 20, '0'), ${paymentId}, 'devnet', '0xc' || lpad(to_hex(g), 63, '0'), 0,
               '0xb' || lpad(to_hex(g), 63, '0'), -g, ${at(tenth)}, 'USDT', '0xa1', '0xda',
               '0xde' || lpad(to_hex(g), 38, '0'), 10000000, 6, 10000000000000000000, true, true, 10000000, ${at(tenth)},
               ${at(tenth)}, ${at(tenth)}, ${at(tenth)}, ${at(tenth)}, ${at(tenth)}, ${at(tenth)} from %series`,
  },
  {
    table: 'checkout_sessions',
    count: tenth,
    select: `(id, merchant_id, payment_id, amount_minor, currency, success_url, cancel_url, status, event_sequence,
                expires_at, created_at, finished_at)
        select 'cs_scale' || lpad(g::text, 20, '0'), ${owner}, ${paymentId}, 1000, 'USD', 'https://shop.example/ok',
               'https://shop.example/no', case when ${dice} < 60 then 'completed' when ${dice} < 90 then 'expired' else 'open' end,
               1, now() + interval '1 year', ${at(tenth)}, case when ${dice} < 90 then ${at(tenth)} end from %series`,
  },
];

/** What subscriptions were charged by, once each, and keys that are no longer used. */
const collected = ({ tenth, plans, owner, at, paymentId }: Shares): Filling[] => [
  {
    table: 'mandates',
    count: tenth,
    select: `(id, subscription_id, network, collector, payer, token_contract, ref, max_units, window_seconds, starts_at,
                ends_at, carry, signature, submitted_at, authorized_at, created_at)
        select '0x' || lpad(to_hex(g), 64, '0'), 'sub_scale' || g, 'devnet', '0x' || repeat('c', 40),
               '0xce' || lpad(to_hex(g), 38, '0'), '0x' || repeat('a', 40), '0xf' || lpad(to_hex(g), 63, '0'), 25000000,
               2592000, 1, 4102444800, 0, '0x00', ${at(tenth)}, ${at(tenth)}, ${at(tenth)} from %series`,
  },
  {
    table: 'charges',
    count: tenth,
    select: `(id, subscription_id, merchant_id, number, period_start, period_end, status, amount_minor, currency, network,
                token, mandate_id, attempts, last_attempt_at, payment_id, created_at, updated_at, finished_at)
        select 'chg_scale' || lpad(g::text, 20, '0'), 'sub_scale' || g, ${owner}, 1, ${at(tenth)} - interval '30 days',
               ${at(tenth)}, 'succeeded', 2500, 'USD', 'devnet', 'USDT', '0x' || lpad(to_hex(g), 64, '0'), 1, ${at(tenth)},
               ${paymentId}, ${at(tenth)}, ${at(tenth)}, ${at(tenth)} from %series`,
  },
  {
    table: 'api_keys',
    count: plans,
    select: `(id, merchant_id, name, api_key, permissions, created_at, revoked_at)
        select 'key_scale' || g, ${owner}, 'Before', 'pk_sandbox_' || md5(g::text), '{payments:read}', ${at(plans)},
               ${at(plans)} from %series`,
  },
];

/** Two entries for a fifth of the payments. */
const ledgerOf = ({ others, tenth, owner, at }: Shares): Filling[] => [
  {
    table: 'ledger_accounts',
    count: others,
    select: `(id, owner_id, kind)
        select 'mer_scale' || g - 1 || ':' || kind, 'mer_scale' || g - 1, kind
          from %series cross join unnest(array['pending', 'available']) as k (kind)`,
  },
  {
    table: 'journals',
    count: tenth * 2,
    select: `(id, kind, ref, merchant_id, created_at)
        select 'je_scale' || g, 'payment_confirmed', 'scale ' || g, ${owner}, ${at(tenth * 2)} from %series`,
  },
  {
    table: 'entries',
    count: tenth * 2,
    select: `(journal_id, account_id, amount, created_at)
        select 'je_scale' || g, ${owner} || ':' || kind, amount, ${at(tenth * 2)}
          from %series cross join (values ('pending', -1000), ('available', 1000)) as e (kind, amount)`,
  },
];

/** What was told of them, and who did what. */
const announced = ({ payments, tenth, owner, at, dice }: Shares): Filling[] => [
  {
    table: 'events',
    count: payments,
    select: `(id, merchant_id, type, resource_id, sequence, body, created_at)
        select 'evt_scale' || lpad(g::text, 20, '0'), ${owner}, 'payment.completed', 'pay_scale' || g, 1, '{}',
               ${at(payments)} from %series`,
  },
  {
    table: 'webhook_deliveries',
    count: payments,
    select: `(id, event_id, merchant_id, event_type, url, status, attempts, created_at, finished_at)
        select 'whd_scale' || lpad(g::text, 20, '0'), 'evt_scale' || lpad(g::text, 20, '0'), ${owner},
               'payment.completed', 'https://shop.example/hooks', case when ${dice} < 2 then 'failed' else 'success' end,
               1, ${at(payments)}, ${at(payments)} from %series`,
  },
  {
    table: 'webhook_attempts',
    count: tenth,
    select: `(delivery_id, attempt, url, status_code, response_time_ms, started_at)
        select 'whd_scale' || lpad((${payments - tenth} + g)::text, 20, '0'), 1, 'https://shop.example/hooks',
               case when ${dice} < 2 then 500 else 200 end, 10, ${at(tenth)} from %series`,
  },
  {
    table: 'audit_log',
    count: tenth,
    select: `(id, actor_type, actor_id, action, resource_type, resource_id, merchant_id, ip_address, user_agent,
                request_id, created_at)
        select 'log_scale' || lpad(g::text, 20, '0'), (array['merchant', 'system', 'admin'])[1 + least(2, ${dice} / 40)],
               'someone' || g % 50, (array['payment.cancelled', 'api_key.created', 'session.ended'])[1 + g % 3],
               (array['payment', 'api_key', 'session'])[1 + g % 3], '', ${owner}, '10.0.0.1', 'bench', '', ${at(tenth)}
          from %series`,
  },
];

/** A tenth of the events in the feed, and the chain of the audit log. Behind what a live service has sealed itself. */
const sealed = ({ tenth, owner }: Shares): Filling[] => [
  {
    table: 'event_feed',
    count: tenth,
    select: `(merchant_id, position, event_id, previous_hash, hash)
        select ${owner}, 1000000000 + g, 'evt_scale' || lpad(g::text, 20, '0'), sha256('a'), sha256('b') from %series`,
  },
  {
    table: 'audit_chain',
    count: tenth,
    select: `(sequence, entry_id, body, hash)
        select 1000000000 + g, 'log_scale' || lpad(g::text, 20, '0'), sha512('a'), sha256('b') from %series`,
  },
];

/** What merchants sell by. */
const sold = ({ tenth, plans, owner, at, paymentId, dice }: Shares): Filling[] => [
  {
    table: 'payment_links',
    count: tenth,
    select: `(id, merchant_id, title, amount_minor, currency, accepted_tokens, slug, disabled, expires_at,
                expiry_announced_at, created_at, updated_at)
        select 'plink_scale' || g, ${owner}, 'Tea', 2500, 'USD', '{USDT}', 'scale' || g, ${dice} < 5,
               case when ${dice} > 60 then ${at(tenth)} + interval '200 days' end,
               case when ${dice} > 60 and ${at(tenth)} + interval '200 days' <= now() then now() end,
               ${at(tenth)}, ${at(tenth)}
          from %series`,
  },
  {
    table: 'payment_link_totals',
    count: tenth,
    select: `(payment_id, link_id, amount_minor, paid_at)
        select ${paymentId}, 'plink_scale' || case when g % 2 = 0 then 2 else 1 + g % 100 end, 2500, ${at(tenth)} from %series`,
  },
  {
    table: 'plans',
    count: plans,
    select: `(id, merchant_id, name, amount_minor, currency, interval, token, network, active, created_at, updated_at)
        select 'plan_scale' || g, ${owner}, 'Tea', 2500, 'USD', 'monthly', 'USDT', 'devnet', ${dice} > 10, ${at(plans)}, ${at(plans)}
          from %series`,
  },
  { table: 'subscriptions', count: tenth, select: subscriptionsOf(owner, at(tenth), dice) },
];

/** A withdrawal and a refund for a hundred payments. */
const paidOut = ({ payments, owner, at, paymentId, dice }: Shares): Filling[] => {
  const count = Math.round(payments / 100);
  const moment = at(count);
  return [
    {
      table: 'withdrawals',
      count,
      select: `(id, merchant_id, method, status, amount_minor, fee_minor, currency, network, destination_address,
                reviewed_by, reviewed_at, finished_by, finished_at, reason, tx_hash, tx_verified, created_at, updated_at)
        select 'wd_scale' || lpad(g::text, 20, '0'), ${owner}, 'crypto',
               case when ${dice} < 96 then 'completed' when ${dice} < 99 then 'rejected' else 'pending' end,
               100000, 100, 'USDT', 'devnet', '0xda', case when ${dice} < 99 then 'adm_scale' end,
               case when ${dice} < 99 then ${moment} end, case when ${dice} < 99 then 'adm_scale' end,
               case when ${dice} < 99 then ${moment} end, case when ${dice} between 96 and 98 then 'No' end,
               case when ${dice} < 96 then '0x' || g end, case when ${dice} < 96 then false end, ${moment}, ${moment}
          from %series`,
    },
    {
      table: 'refunds',
      count,
      select: `(id, merchant_id, payment_id, status, amount_minor, currency, from_suspense, from_available, counted, token,
                network, decimals, units, reason, destination_address, destination_by, destined_at, finished_by,
                finished_at, tx_hash, tx_verified, event_sequence, created_at, updated_at)
        select 'rfd_scale' || lpad(g::text, 20, '0'), ${owner}, ${paymentId},
               case when ${dice} < 97 then 'completed' else 'failed' end, 1000, 'USD', 0, 10000000, true, 'USDT',
               'devnet', 6, 10000000, 'Gone', '0xda', 'merchant', ${moment}, 'adm_scale', ${moment},
               case when ${dice} < 97 then '0x' || g end, case when ${dice} < 97 then false end, 1, ${moment}, ${moment}
          from %series`,
    },
  ];
};

const paymentsOf = (
  { owner, paymentId, dice }: Pick<Shares, 'owner' | 'paymentId' | 'dice'>,
  at: string,
  links: number,
): string => `
  (id, merchant_id, status, exception, source, link_id, amount_minor, currency, amount_micro, tolerance_micro,
   late_window_ms, rate, customer_email, metadata, options, factory_address, booked_available, booked_suspense,
   credit_count, created_at, updated_at, expires_at, paid_at)
  select ${paymentId}, ${owner},
         case when ${dice} < 60 then 'paid' when ${dice} < 90 then 'expired' when ${dice} < 97 then 'initiated'
              else 'pending' end,
         case when ${dice} in (1, 60) then 'underpaid' end,
         (array['direct', 'session', 'link'])[1 + g / 2 % 3],
         case when g / 2 % 3 = 2 then 'plink_scale' || 1 + g % ${links} end,
         1000 + g % 9000, case when ${dice} % 7 = 0 then 'LKR' else 'USD' end, 10000000, 0, 0,
         '{"pair": "USD/USD", "valueE8": "100000000", "source": "fixed", "quotedAt": "2026-01-01T10:00:00.000Z"}',
         case when g % 3 = 0 then 'buyer' || g % 100000 || '@example.org' end, jsonb_build_object('orderId', g::text),
         jsonb_build_array(jsonb_build_object('token', 'USDT', 'network', 'devnet', 'chainId', 31337, 'contract', '0xa1',
           'decimals', 6, 'units', '10000000', 'address', '0xde' || lpad(to_hex(g), 38, '0'), 'paymentUri', 'ethereum:0xa1')),
         '0xf0', case when ${dice} < 60 then 10000000 else 0 end,
         case when ${dice} = 60 then 1000000 else 0 end,
         1, ${at}, ${at}, now() + interval '1 year', case when ${dice} < 60 then ${at} + interval '5 minutes' end
    from %series`;

const subscriptionsOf = (owner: string, at: string, dice: string): string => `
  (id, merchant_id, plan_id, customer_email, customer_name, wallet, amount_minor, currency, interval, token, network,
   status, mandate_status, anchor_at, trial_reminder_sent, period_number, current_period_start, current_period_end,
   next_number, ever_charged, charge, failures, next_action_at, event_sequence, created_at, updated_at, cancelled_at,
   cancel_reason)
  select 'sub_scale' || g, ${owner}, 'plan_scale' || 1 + (g - 1) % 20, '', '', '0xce' || lpad(to_hex(g), 38, '0'), 2500, 'USD',
         'monthly', 'USDT', 'devnet', case when ${dice} < 80 then 'active' when ${dice} < 95 then 'past_due' else 'cancelled' end,
         'active', ${at}, true, 1, ${at}, ${at}, 2, true, 'none', 0, now() + interval '100 days', 1, ${at}, ${at},
         case when ${dice} >= 95 then ${at} end, case when ${dice} >= 95 then 'requested' end from %series`;
