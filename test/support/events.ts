import { sql } from 'kysely';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { problemsOfEvent } from './contract.ts';

/** The body of events that a test inserts directly. */
const INVENTED = Buffer.from('{}');

/** The contract violations in the events that the service emitted; empty when there are none. */
export async function problemsOfEvents(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'body'])
    .where((eb) => eb(eb.fn<number>('length', ['body']), '>', 0))
    .where('body', '<>', INVENTED)
    .execute();
  return rows.flatMap(({ type, body }) =>
    problemsOfEvent(type, JSON.parse(body.toString('utf8'))).map((problem) => `${type}: ${problem}`),
  );
}

/** Deletes the events of a resource, as only the owner of the tables can. */
export async function deleteEvents(ownerUrl: string, resourceId: string): Promise<void> {
  const owner = openDatabase({ url: ownerUrl, poolMax: 1, applicationName: 'test', onError: () => {} });
  try {
    await sql`alter table events disable trigger user`.execute(owner);
    await owner.deleteFrom('events').where('resource_id', '=', resourceId).execute();
    await sql`alter table events enable trigger user`.execute(owner);
  } finally {
    await owner.destroy();
  }
}
