import { sql } from 'kysely';
import { createEcho } from '../../src/db/echo.ts';
import { startListener } from '../../src/db/listen.ts';
import { SESSION_LIMITS, SESSION_MEANING } from '../../src/db/session-limits.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { messageOf } from '../../src/lib/errors.ts';
import { type Line, ok, type Patient, problem } from './line.ts';

/** Longer than `/readyz` waits: no request depends on the doctor. */
const HEARD_WITHIN_MS = 3000;

/** Whether what a process asks for is in force, which a pooler may have left out. */
export async function examineSession(db: Db): Promise<Line[]> {
  const names = [...Object.keys(SESSION_LIMITS), ...Object.keys(SESSION_MEANING)];
  const { rows } = await sql<{ name: string; setting: string; unit: string | null }>`
    select name, split_part(setting, ',', 1) as setting, unit from pg_settings where name = any (${names}::text[])
     order by name`.execute(db);
  const wanted: Readonly<Record<string, unknown>> = { ...SESSION_LIMITS, ...SESSION_MEANING };
  const off = rows.filter(({ name, setting }) => setting !== String(wanted[name]));
  if (off.length === 0) return [ok('statements, locks and idle transactions have their limits')];
  const found = off.map(
    ({ name, setting, unit }) => `${name} is ${setting}${unit ? ` ${unit}` : ''} and not ${wanted[name]}`,
  );
  return [
    problem(
      `${found.join(', ')}: a pooler leaves out what a session asks for, so let the role have it: ` +
        'npx kasi database roles sets it, and sessions that begin then have it',
    ),
  ];
}

/** Sends a notification as processes do, and waits for it where they listen. */
export async function examineNotifications({ config, db, url }: Patient): Promise<Line[]> {
  const name = config.databaseListenUrl === null ? 'DATABASE_URL' : 'DATABASE_LISTEN_URL';
  const listener = await startListener(config.databaseListenUrl ?? url, () => undefined).catch(messageOf);
  if (typeof listener === 'string') return [problem(`${name} can not be listened on: ${listener}`)];
  try {
    if (await createEcho(db, listener, HEARD_WITHIN_MS)()) return [ok(`what is sent is heard on ${name}`)];
    return [
      problem(
        `what is sent is not heard on ${name}: webhooks, pages and jobs are seconds late; set DATABASE_LISTEN_URL ` +
          'to this database itself, past a pooler that shares sessions',
      ),
    ];
  } finally {
    await listener.stop();
  }
}
