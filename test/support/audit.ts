import type { TestService } from '../harness.ts';

/** The entries of the audit log about one thing, oldest first, without those of refusals. */
export async function auditOf({ db }: Pick<TestService, 'db'>, resourceId: string) {
  return db
    .selectFrom('audit_log')
    .select(['actor_type', 'actor_id', 'action', 'resource_type', 'merchant_id', 'metadata'])
    .where('resource_id', '=', resourceId)
    .where('action', '<>', 'permission.refuse')
    .orderBy('id')
    .execute();
}
