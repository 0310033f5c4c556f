import { type Incident, openIncident } from '../../src/incidents/incidents.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { TestService } from '../harness.ts';

/** Opens an incident as a job would, and returns its id. */
export async function openTestIncident(
  { db, clock }: Pick<TestService, 'db' | 'clock'>,
  incident: Partial<Incident> & Pick<Incident, 'subject'>,
): Promise<string> {
  const { kind, subject, message } = { kind: 'payment.reversed' as const, message: 'Something happened.', ...incident };
  await openIncident(db, { ...incident, kind, subject, message }, clock.now());
  const found = db.selectFrom('incidents').select('public_id').where('kind', '=', kind).where('subject', '=', subject);
  const { public_id: id } = await found.where('resolved_at', 'is', null).executeTakeFirstOrThrow();
  return id ?? '';
}

/** The incidents that are not resolved. */
export const listOpenIncidents = (db: Db) =>
  db.selectFrom('incidents').select(['kind', 'subject', 'message']).where('resolved_at', 'is', null).execute();
