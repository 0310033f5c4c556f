import type { TestService } from '../harness.ts';

/** The audit entries with this action about one resource; entries of the same instant come in any order. */
export async function auditOf({ db }: Pick<TestService, 'db'>, resourceId: string, action: `${string}.${string}`) {
  return db
    .selectFrom('audit_log')
    .select(['actor_type', 'actor_id', 'action', 'resource_type', 'merchant_id', 'metadata'])
    .where('resource_id', '=', resourceId)
    .where('action', '=', action)
    .orderBy('created_at')
    .execute();
}
