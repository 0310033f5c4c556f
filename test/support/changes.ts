import { inTransaction } from '../../src/db/transaction.ts';
import { HOUR_MS } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Change } from '../../src/settings/change.ts';
import { proposeChange } from '../../src/settings/changes.ts';
import type { TestService } from '../harness.ts';

/** A change that this administrator proposes, about a role that nobody has; another administrator has to approve it. */
export const propose = (
  { db, clock }: Pick<TestService, 'db' | 'clock'>,
  proposedBy: string,
  needsApproval = true,
): Promise<Change> => {
  const now = clock.now();
  const fields = { permissions: { from: [], to: ['settings.update'] } };
  const draft = { kind: 'role', subjectId: newId('role', now), fields, proposedBy } as const;
  return inTransaction(db, (trx) => proposeChange(trx, draft, { delayMs: 24 * HOUR_MS, needsApproval }, now));
};
