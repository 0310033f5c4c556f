import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/db.ts';
import { isBoundary } from '../../src/db/pieces.ts';
import { isPreparable } from '../../src/db/prepared.ts';
import type { Db } from '../../src/lib/db-types.ts';

/** What an operation asks the database for. */
export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };

/** What statements cost the server. */
export type Cost = {
  /** Planned and executed. */
  readonly ms: number;
  /** 8 kB each, from memory or from disk. */
  readonly buffers: number;
};

/** A database whose statements are listened to. */
export type Listened = {
  readonly db: Db;
  /** The statements that the work sends. */
  readonly statementsOf: (work: (db: Db) => Promise<unknown>) => Promise<Statement[]>;
  /** The cost of each. */
  readonly explain: (statements: readonly Statement[]) => Promise<Cost[]>;
  /** The plan of each as text. */
  readonly plansOf: (statements: readonly Statement[]) => Promise<string[]>;
  readonly end: () => Promise<void>;
};

/** Connects as the application does: the same settings and types, one connection. */
export function listen(url: string): Listened {
  const types = { getTypeParser: (oid: number) => (oid === 20 ? BigInt : pg.types.getTypeParser(oid)) };
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    options: '-c random_page_cost=1.1',
    types: types as pg.CustomTypesConfig,
  });
  pool.on('error', () => undefined);
  let heard: Statement[] = [];
  // Where a transaction begins and ends there is nothing to explain.
  const hear = (statement: Statement) => void (isBoundary(statement.sql) || heard.push(statement));
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => hear(query) });
  const db = Object.assign(kysely, { ring: () => undefined }) as unknown as Db;
  const prepared = new Map<string, string>();
  /** As the application sends it: prepared, and planned once where its plan is as good for any values; or as it is. */
  const explained = async (options: string, { sql, parameters }: Statement) => {
    const explain = `explain (analyze, buffers, ${options})`;
    if (!isPreparable(sql, parameters.length)) return (await pool.query(`${explain} ${sql}`, [...parameters])).rows;
    const name = prepared.get(sql) ?? `s${prepared.size}`;
    if (!prepared.has(sql)) await pool.query(`prepare ${name} as ${sql}`);
    prepared.set(sql, name);
    return (await pool.query(`${explain} execute ${name} (${parameters.map(literalOf).join(', ')})`)).rows;
  };
  return {
    db,
    statementsOf: async (work) => {
      heard = [];
      await work(db);
      return heard;
    },
    explain: async (statements) => {
      const costs: Cost[] = [];
      // Without the time of each node, which costs more than the nodes.
      for (const statement of statements) costs.push(costOf(await explained('timing off, format json', statement)));
      return costs;
    },
    plansOf: async (statements) => {
      const plans: string[] = [];
      for (const statement of statements) {
        const rows = await explained('timing on', statement);
        plans.push(`${statement.sql}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`);
      }
      return plans;
    },
    end: () => kysely.destroy(),
  };
}

/** A value as text, in the form that PostgreSQL reads. */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value));
  return pg.escapeLiteral(`{${value.map((part) => JSON.stringify(part)).join(',')}}`);
}

/** What EXPLAIN says of one statement, as far as it is read here. */
type Explained = Readonly<Record<'Planning Time' | 'Execution Time', number>> & {
  readonly Plan: Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>>;
};

function costOf([row]: readonly Record<string, unknown>[]): Cost {
  const [explained] = (row?.['QUERY PLAN'] ?? []) as readonly Explained[];
  if (!explained) throw new Error('EXPLAIN said nothing');
  const { Plan: plan } = explained;
  return {
    ms: explained['Planning Time'] + explained['Execution Time'],
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  };
}
