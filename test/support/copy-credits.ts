import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';
import { asOwner } from './database.ts';

/**
 * Copies each stored credit `c` that matches so many times; `differing` is the JSON of what each copy `n`, from 1, has
 * instead: its id and its transfer at least.
 */
export const copyCredits = (db: Db, which: RawBuilder<boolean>, differing: RawBuilder<unknown>, times = 1) =>
  asOwner(
    db,
    sql`
    insert into credits
    select made.* from credits c cross join generate_series(1, ${times}::integer) n
     cross join lateral jsonb_populate_record(c, ${differing}) made where ${which}`,
  );
