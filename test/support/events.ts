import { sql } from 'kysely';
import { openDatabase } from '../../src/db/database.ts';

/** Unmakes the events of a resource, as nobody but the owner of the tables can. */
export async function takeBackEvents(ownerUrl: string, resourceId: string): Promise<void> {
  const owner = openDatabase({ url: ownerUrl, poolMax: 1, applicationName: 'test', onError: () => {} });
  try {
    await sql`alter table events disable trigger user`.execute(owner);
    await owner.deleteFrom('events').where('resource_id', '=', resourceId).execute();
    await sql`alter table events enable trigger user`.execute(owner);
  } finally {
    await owner.destroy();
  }
}
