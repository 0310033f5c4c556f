import type pg from 'pg';

/** Rows of one statement. */
const BULK_MAX = 200_000;

/** Whose rows they are: few enough that each has long lists. */
export const MERCHANTS = 50;

const merchantOf = (g: string): string => `'mer_lock' || ${g} % ${MERCHANTS}`;
const AT = `now() - (%count - g) * interval '1 second'`;

/** A table that is filled, and the rows of it by the number `g`. Later ones refer to earlier ones. */
const FILLED: readonly (readonly [table: string, select: string])[] = [
  [
    'payments',
    `(id, merchant_id, status, source, amount_minor, currency, amount_micro, tolerance_micro, late_window_ms, rate,
      customer_email, metadata, options, factory_address, booked_available, credit_count, created_at, updated_at,
      expires_at, paid_at)
     select 'pay_lock' || g, ${merchantOf('g')}, case when g % 3 = 0 then 'expired' else 'paid' end, 'direct', 2500,
            'USD', 25000000, 0, 0, '{}', case when g % 3 = 0 then 'buyer' || g || '@example.org' end, '{}',
            '[{"token": "USDT", "network": "devnet"}]', '0xf0', case when g % 3 = 0 then 0 else 25000000 end, 1,
            ${AT}, ${AT}, ${AT}, case when g % 3 <> 0 then ${AT} end from %series`,
  ],
  [
    'credits',
    `(id, payment_id, network, tx_hash, transfer_index, block_hash, block_number, block_time, token, contract, sender,
      recipient, amount_units, decimals, value_e18, seen_at, confirmed_at, applied_at, final_at)
     select 'crd_lock' || g, 'pay_lock' || g, 'devnet', '0x' || g, 0, '0xb' || g, g, ${AT}, 'USDT', '0x', '0x',
            '0xd' || g, 25000000, 6, 25000000000000000000, ${AT}, ${AT}, ${AT}, ${AT} from %series`,
  ],
  [
    'events',
    `(id, merchant_id, type, resource_id, sequence, body, created_at)
     select 'evt_lock' || g, ${merchantOf('g')}, 'payment.completed', 'pay_lock' || g, 1,
            convert_to(repeat('x', 200), 'UTF8'), ${AT} from %series`,
  ],
  [
    'webhook_deliveries',
    `(id, event_id, merchant_id, event_type, url, status, attempts, created_at, finished_at)
     select 'whd_lock' || g, 'evt_lock' || g, ${merchantOf('g')}, 'payment.completed', 'https://shop.example', 'success',
            1, ${AT}, ${AT} from %series`,
  ],
  [
    'journals',
    `(id, kind, ref, merchant_id, payment_id, created_at)
     select 'je_lock' || g, 'credit', 'lock' || g, ${merchantOf('g')}, 'pay_lock' || g, ${AT} from %series`,
  ],
  [
    'entries',
    `(journal_id, account_id, amount, created_at)
     select 'je_lock' || g, case when amount < 0 then 'external:devnet:USDT' else ${merchantOf('g')} || ':available' end,
            amount, ${AT} from %series cross join (values (-25000000), (25000000)) as e (amount)`,
  ],
  [
    'audit_log',
    `(id, actor_type, actor_id, action, resource_type, resource_id, merchant_id, ip_address, user_agent, request_id,
      created_at)
     select 'log_lock' || g, 'merchant', ${merchantOf('g')}, 'payment.created', 'payment', 'pay_lock' || g,
            ${merchantOf('g')}, '10.0.0.1', 'locks', '', ${AT} from %series`,
  ],
];

/** Merchants, their accounts and links, and so many rows of each of the biggest tables. */
export async function seedBigTables(client: pg.Client, rows: number, told: (text: string) => void): Promise<void> {
  await client.query(`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at, updated_at)
      select ${merchantOf('g')}, 'Shop ' || g, 'lock' || g || '@example.org', 'none', '+94112345678', 'company',
             'active', now(), now() from generate_series(0, ${MERCHANTS - 1}) g;
    insert into ledger_accounts (id, kind, track, allow_negative)
      values ('external:devnet:USDT', 'external', false, true);
    insert into ledger_accounts (id, owner_id, kind)
      select ${merchantOf('g')} || ':available', ${merchantOf('g')}, 'available' from generate_series(0, ${MERCHANTS - 1}) g;
    insert into payment_links (id, merchant_id, title, amount_minor, currency, accepted_tokens, slug, created_at, updated_at)
      select 'plink_lock' || g, ${merchantOf('g')}, 'Tea', 2500, 'USD', '{USDT}', 'lock' || g, now(), now()
        from generate_series(0, 999) g`);
  for (const [table, select] of FILLED) {
    told(`filling ${table}`);
    // Their own triggers would do the work of years; foreign keys and checks stay.
    await client.query(`alter table ${table} disable trigger user`);
    for (let from = 0; from < rows; from += BULK_MAX) {
      const series = `generate_series(${from}, ${Math.min(rows, from + BULK_MAX) - 1}) g`;
      const filled = select.replaceAll('%count', String(rows)).replaceAll('%series', series);
      await client.query(`insert into ${table} ${filled}`);
    }
    await client.query(`alter table ${table} enable trigger user; analyze ${table}`);
  }
}
