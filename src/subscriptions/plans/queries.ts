import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Plans } from '../../../generated/db.ts';
import { isAny } from '../../db/is-any.ts';
import { newestFirst, windowSql } from '../../db/keyset.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { notFound } from '../../lib/errors.ts';
import type { Currency } from '../../lib/money.ts';
import type { Page, PageWindow } from '../../lib/paging.ts';
import { skipDays } from '../../tallies/skip.ts';
import { readTotal, sumOf, type Tallied } from '../../tallies/total.ts';
import type { StableToken } from '../schedule/charge.ts';
import type { Plan } from './plan.ts';

/** A plan of one merchant, by id. */
export type PlanRef = { readonly id: string; readonly merchantId: string };

/** A plan and how many subscriptions of it are active. */
export type CountedPlan = { readonly plan: Plan; readonly subscriberCount: number };

export type PlanFilter = { readonly merchantId: string; readonly active?: boolean };

type Row = Selectable<Plans> & { readonly subscriber_count: bigint };

/** Stores a new plan. */
export async function insertPlan(trx: Trx, plan: Plan): Promise<void> {
  await trx
    .insertInto('plans')
    .values({ id: plan.id, merchant_id: plan.merchantId, created_at: plan.createdAt, ...toColumns(plan) })
    .execute();
}

const selectPlans = (db: Db | Trx) =>
  db
    .selectFrom('plans as p')
    .selectAll('p')
    .select(
      sumOf('count', { list: 'subscriptions', owners: sql`array[p.id]`, slice: { status: 'active' } }).as(
        'subscriber_count',
      ),
    );

/** The plan without a lock; throws NOT_FOUND. */
export async function getPlan(db: Db, ref: PlanRef): Promise<CountedPlan> {
  const row = await byRef(db, ref).executeTakeFirst();
  if (!row) throw notFound('subscription plan');
  return toCounted(row);
}

/** A plan of any merchant without a lock; throws NOT_FOUND. */
export async function getOfferedPlan(db: Db | Trx, id: string): Promise<Plan> {
  const row = await db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('subscription plan');
  return toPlan(row);
}

/** The merchant who offers a plan; undefined for an unknown one. */
export async function findOfferer(db: Db, planId: string): Promise<string | undefined> {
  const row = await db.selectFrom('plans').select('merchant_id').where('id', '=', planId).executeTakeFirst();
  return row?.merchant_id;
}

/** Takes the row lock that serialises changes to one plan, and waits for transactions that subscribe to it. */
export async function lockPlan(trx: Trx, ref: PlanRef): Promise<CountedPlan> {
  const row = await byRef(trx, ref).forNoKeyUpdate('p').executeTakeFirst();
  if (!row) throw notFound('subscription plan');
  return toCounted(row);
}

/** Locks the plan against changes; other transactions may subscribe to it meanwhile. Throws NOT_FOUND. */
export async function lockPlanShared(trx: Trx, ref: PlanRef): Promise<Plan> {
  const row = await trx
    .selectFrom('plans')
    .selectAll()
    .where('id', '=', ref.id)
    .where('merchant_id', '=', ref.merchantId)
    .forShare()
    .executeTakeFirst();
  if (!row) throw notFound('subscription plan');
  return toPlan(row);
}

const byRef = (db: Db | Trx, ref: PlanRef) =>
  selectPlans(db).where('p.id', '=', ref.id).where('p.merchant_id', '=', ref.merchantId);

const PLANS = newestFirst('plans', { table: 'p' });

/** Newest first, one page. */
export async function listPlans(db: Db, filter: PlanFilter, page: PageWindow): Promise<Page<CountedPlan>> {
  const at = windowSql(PLANS, await skipDays(db, talliedOf(filter), {}, page));
  const matching = db.selectFrom('plans as p').select(['p.id', 'p.created_at']).where(matches(filter));
  const isOnPage = at.isOnPage('p.id', (condition) => matching.where(condition));
  const rows = await selectPlans(db).select(at.keys).where(isOnPage).modifyEnd(at.sorted).execute();
  return at.pageOf(rows, toCounted);
}

/** How many plans match a filter, across all pages. */
export async function countPlans(db: Db, filter: PlanFilter): Promise<number> {
  return readTotal(db, sumOf('count', talliedOf(filter)));
}

const talliedOf = ({ merchantId, active }: PlanFilter): Tallied<'plans'> => ({
  list: 'plans',
  owners: [merchantId],
  slice: { active: active === undefined ? active : active ? 'active' : '' },
});

const matches = ({ merchantId, active }: PlanFilter): RawBuilder<SqlBool> =>
  sql`p.merchant_id = ${merchantId} and ${active === undefined ? sql`true` : sql`p.active = ${active}`}`;

/**
 * Whether the plan has a live subscription. With the plan locked, none begins meanwhile. The order is that of
 * `subscription_once`, which has only live ones; the states are literals, so that they match it whatever the plan.
 */
export async function hasSubscribers(trx: Trx, planId: string): Promise<boolean> {
  const live = sql`
    subscriptions where plan_id = ${planId} and status in ('active', 'trialing', 'past_due') order by plan_id, wallet`;
  const { rows } = await sql<{ found: boolean }>`select ${isAny(live)} as found`.execute(trx);
  return rows[0]?.found === true;
}

/** Writes the mutable columns of a locked plan. */
export async function savePlan(trx: Trx, plan: Plan): Promise<void> {
  await trx.updateTable('plans').set(toColumns(plan)).where('id', '=', plan.id).execute();
}

/** The names of plans, by id. */
export async function planNames(db: Db | Trx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('plans').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The description of a plan that exists. */
export async function getPlanDescription(db: Db, planId: string): Promise<string | null> {
  const plan = db.selectFrom('plans').select('description').where('id', '=', planId);
  return (await plan.executeTakeFirstOrThrow()).description;
}

const toColumns = (plan: Plan) => ({
  name: plan.name,
  description: plan.description,
  amount_minor: plan.amountMinor,
  currency: plan.currency,
  interval: plan.interval,
  trial_days: plan.trialDays,
  token: plan.token,
  network: plan.network,
  active: plan.active,
  updated_at: plan.updatedAt,
});

const toCounted = (row: Row): CountedPlan => ({ plan: toPlan(row), subscriberCount: Number(row.subscriber_count) });

const toPlan = (row: Selectable<Plans>): Plan => ({
  id: row.id,
  merchantId: row.merchant_id,
  name: row.name,
  description: row.description,
  amountMinor: row.amount_minor,
  currency: row.currency as Currency,
  interval: row.interval as Plan['interval'],
  trialDays: row.trial_days,
  token: row.token as StableToken,
  network: row.network,
  active: row.active,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
