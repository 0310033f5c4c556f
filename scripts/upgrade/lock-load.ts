import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { MERCHANTS } from './lock-seed.ts';

/** The name under which PostgreSQL knows connections of the load. */
export const LOAD = 'kasi-load';

/** What requests and jobs ask while a migration runs. */
export type Load = {
  readonly statements: number;
  /** The slowest statement, by the clock: a lock, or a machine that had something else to do. */
  readonly slowest: { readonly ms: number; readonly sql: string };
  readonly failures: readonly string[];
};

const THINK_MS = 20;

type Ask = (sql: string, values?: readonly unknown[]) => Promise<void>;

export type LoadOptions = {
  readonly ownerUrl: string;
  /** How long a report holds a table. */
  readonly reportMs: number;
};

/** Lets connections write and read what payments do, and one hold tables as a report does, until `end`. */
export function startLoad({ ownerUrl, reportMs }: LoadOptions): { readonly end: () => Promise<Load> } {
  const failures: string[] = [];
  let [statements, ended] = [0, false];
  let slowest = { ms: 0, sql: '' };

  const work = async (application: string, turn: (ask: Ask, n: number) => Promise<void>): Promise<void> => {
    const client = new pg.Client({ connectionString: ownerUrl, application_name: application });
    await client.connect();
    // The application's own limits (db/database.ts): who waits longer gets an error.
    await client.query(`set statement_timeout = '5s'; set lock_timeout = '2s'`);
    const ask: Ask = async (sql, values = []) => {
      const began = performance.now();
      await client.query(sql, [...values]);
      const ms = performance.now() - began;
      statements += 1;
      if (application === LOAD && ms > slowest.ms) slowest = { ms, sql };
    };
    for (let n = 0; !ended; n += 1) {
      try {
        await turn(ask, n);
      } catch (error) {
        failures.push(String(error));
        await client.query('rollback');
      }
      await sleep(THINK_MS);
    }
    await client.end();
  };
  const all = Promise.all([
    work(LOAD, (ask, n) => writePayment(ask, `a${n}`, n)),
    work(LOAD, (ask, n) => writePayment(ask, `b${n}`, n + 1)),
    work(LOAD, readLists),
    work('kasi-report', (ask, n) => report(ask, n, reportMs)),
  ]);
  all.catch(() => undefined); // It is thrown by `end`.
  return {
    end: async () => {
      ended = true;
      await all;
      return { statements, slowest, failures };
    },
  };
}

/** A payment that is made, paid, booked, told of and audited, in transactions as short as the application's. */
async function writePayment(ask: Ask, id: string, n: number): Promise<void> {
  const of = [id, `mer_lock${n % MERCHANTS}`];
  await ask('begin');
  await ask(
    `insert into payments (id, merchant_id, status, source, amount_minor, currency, amount_micro, tolerance_micro,
       late_window_ms, rate, options, factory_address, created_at, updated_at, expires_at)
     values ('pay_' || $1, $2, 'initiated', 'direct', 2500, 'USD', 25000000, 0, 0, '{}', '[{"token": "USDT"}]', '0xf0',
       now(), now(), now() + interval '1 hour')`,
    of,
  );
  await announce(ask, of, 1);
  await ask('commit');
  await ask('begin');
  await ask(
    `insert into credits (id, payment_id, network, tx_hash, transfer_index, block_hash, block_number, block_time, token,
       contract, sender, recipient, amount_units, decimals, value_e18, seen_at)
     values ('crd_' || $1, 'pay_' || $1, 'devnet', '0x' || $1, 0, '0xb', 1, now(), 'USDT', '0x', '0x', '0xd',
       25000000, 6, 25000000000000000000, now())`,
    [id],
  );
  await ask(
    `update payments set status = 'paid', paid_at = now(), booked_available = 25000000, credit_count = 1
      where id = 'pay_' || $1`,
    [id],
  );
  await ask(
    `with journal as (
       insert into journals (id, kind, ref, merchant_id, payment_id, created_at)
       values ('je_' || $1, 'credit', $1, $2, 'pay_' || $1, now()) returning id)
     insert into entries (journal_id, account_id, amount, created_at)
     select id, account, amount, now() from journal cross join
       (values ('external:devnet:USDT', -25000000), ($2 || ':available', 25000000)) as e (account, amount)`,
    of,
  );
  await ask(`update credits set applied_at = now(), confirmed_at = now() where id = 'crd_' || $1`, [id]);
  await announce(ask, of, 2);
  await ask('commit');
  await ask(
    `update webhook_deliveries set status = 'success', next_attempt_at = null, finished_at = now(), attempts = 1
      where id in ('whd_' || $1 || 1, 'whd_' || $1 || 2)`,
    [id],
  );
  await ask(`update payment_links set updated_at = now() where id = 'plink_lock' || $1`, [n % 1000]);
}

async function announce(ask: Ask, of: readonly string[], sequence: number): Promise<void> {
  await ask(
    `insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
     values ('evt_' || $1 || $3, $2, 'payment.completed', 'pay_' || $1, $3::text::integer, 'x', now())`,
    [...of, String(sequence)],
  );
  await ask(
    `insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, next_attempt_at, created_at)
     values ('whd_' || $1 || $3, 'evt_' || $1 || $3, $2, 'payment.completed', 'https://shop.example', now(), now())`,
    [...of, String(sequence)],
  );
  await ask(
    `insert into audit_log (id, actor_type, actor_id, action, resource_type, resource_id, merchant_id, ip_address,
       user_agent, request_id, created_at)
     values ('log_' || $1 || $3, 'merchant', $2, 'payment.created', 'payment', 'pay_' || $1, $2, '10.0.0.1', 'locks', '',
       now())`,
    [...of, String(sequence)],
  );
}

/** First pages of lists, a payment, and a link as a payer sees it. */
async function readLists(ask: Ask, n: number): Promise<void> {
  const merchant = [`mer_lock${n % MERCHANTS}`];
  for (const table of ['payments', 'webhook_deliveries', 'audit_log', 'plans', 'subscriptions']) {
    await ask(`select * from ${table} where merchant_id = $1 order by created_at desc, id desc limit 20`, merchant);
  }
  await ask('select * from entries where account_id = $1 order by created_at desc, id desc limit 20', [
    `${merchant[0]}:available`,
  ]);
  await ask('select * from payments p left join credits c on c.payment_id = p.id where p.id = $1', [`pay_lock${n}`]);
  await ask('select * from payment_links l join merchants m on m.id = l.merchant_id where l.slug = $1', [
    `lock${n % 1000}`,
  ]);
}

/** What a report does: it has read a table, and keeps its transaction and a lock for a while. */
async function report(ask: Ask, n: number, ms: number): Promise<void> {
  await ask('begin');
  await ask(`select from ${['payment_links', 'payments', 'subscriptions'][n % 3]} limit 1`);
  await sleep(ms);
  await ask('commit');
}
