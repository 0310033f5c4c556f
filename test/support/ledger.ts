import type pg from 'pg';

/** An account outside of the ledger, which balances journals that a test writes by itself. */
export const EXTERNAL = 'external:x';

export async function addExternalAccount(owner: pg.Client): Promise<void> {
  const text = 'insert into ledger_accounts (id, kind, track, allow_negative) values ($1, $2, false, true)';
  await owner.query(text, [EXTERNAL, 'external']);
}
