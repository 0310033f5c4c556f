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
export const RANDOM_PAGE_COST = 1.1;
