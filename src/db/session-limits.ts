/**
 * What every session of the application's role is set to. A session asks for it when it connects, and the role has it
 * as a default (`npx kasi database roles`): a pooler in front, which shares sessions, leaves out what is asked for.
 */
export const SESSION_LIMITS = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/**
 * Plans are often prepared while a table is small. With the default cost, for spinning disks, they would scan the grown
 * table.
 */
const RANDOM_PAGE_COST = 1.1;

/**
 * All code relies on this, whatever the server, the database or the role has as its default: that a statement sees what
 * was committed before it, which is what a lock waits for, and that times are written as they are read.
 */
export const SESSION_MEANING = { default_transaction_isolation: 'read committed', DateStyle: 'ISO' } as const;

/**
 * A commit that was acknowledged is on the disk, whatever the server's default is: where it is `off` a crash loses the
 * last commits, and a payout that was begun by one of them would be begun again.
 */
const SESSION_DURABILITY = { synchronous_commit: 'on' } as const;

/** What sessions ask for besides their limits. */
const ASKED = { random_page_cost: RANDOM_PAGE_COST, ...SESSION_MEANING, ...SESSION_DURABILITY };

/** All of that as PostgreSQL takes it with a connection; a space ends an option. */
const SESSION_OPTIONS = Object.entries(ASKED)
  .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`)
  .join(' ');

/** The same as defaults of the role, for sessions that a pooler opens, which asks for nothing. */
export const ROLE_DEFAULTS = { ...SESSION_LIMITS, ...ASKED } as const;

/**
 * How a session connects. What a URL says takes the place of what its caller asks for, and some providers want options
 * in it (`?options=endpoint%3D…`): these go before ours, and no limit of a URL counts.
 */
export function sessionOf(url: string) {
  const { searchParams } = new URL(url);
  const own = searchParams.getAll('options');
  const asked = ['options', ...Object.keys(SESSION_LIMITS)].filter((name) => searchParams.has(name));
  return {
    ...{ connectionString: asked.length > 0 ? withoutParameters(url, asked) : url },
    ...{ options: [...own, SESSION_OPTIONS].join(' '), ...SESSION_LIMITS },
  };
}

function withoutParameters(url: string, names: readonly string[]): string {
  const left = new URL(url);
  for (const name of names) left.searchParams.delete(name);
  return left.href;
}
