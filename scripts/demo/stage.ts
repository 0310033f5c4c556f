import { randomBytes } from 'node:crypto';
import { findFreePort } from '../../src/db/daemon.ts';
import {
  makeDataFolder,
  removeDataFolder,
  type ServiceProcess,
  startServiceProcess,
  untilInterrupted,
} from '../lib/service-process.ts';
import { createTelling, type Telling } from './telling.ts';

/** The service that a demo plays on. */
export type Place = {
  readonly baseUrl: string;
  /** Where a temporary service keeps its data. */
  readonly dataDir: string | undefined;
  /** Undefined on a given service without ADMIN_EMAIL and ADMIN_PASSWORD. */
  readonly administrator: Login | undefined;
};

/** A story that a demo tells. Throws an Error that names what was not as expected. */
export type Story = {
  readonly title: string;
  readonly tell: (place: Place, tell: Telling) => Promise<void>;
};

type Login = { readonly email: string; readonly password: string };

const print = (text: string): void => void process.stdout.write(text);
type Own = { readonly dataDir: string; service?: ServiceProcess };

/**
 * Tells a story on a temporary service, or on the one at KASI_URL, and ends the process: with 0 if everything was as
 * expected. A temporary service keeps its data in `dataDir` until then.
 */
export async function playDemo(story: Story): Promise<never> {
  const given = process.env['KASI_URL'];
  const own: Own | undefined = given ? undefined : { dataDir: makeDataFolder() };
  try {
    await untilInterrupted(play(story, own ?? String(given)));
  } catch (error) {
    fail(error);
  }
  if (own) await cleanUp(own);
  process.exit(); // Without this, the story would continue after an interruption.
}

async function play({ title, tell: tellStory }: Story, where: Own | string): Promise<void> {
  const tell = createTelling(print);
  tell.title(title);
  print('The money is play money. The chain, the database, the ledger and the signatures are real.\n');
  const place = typeof where === 'string' ? given(where) : await start(where);
  const startedAt = performance.now();
  await tellStory(place, tell);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  print(`\nThat took ${seconds} seconds. Yours begins with: npm start\n\n`);
}

function given(baseUrl: string): Place {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = process.env;
  return { baseUrl, dataDir: undefined, administrator: email && password ? { email, password } : undefined };
}

async function start(own: Own): Promise<Place> {
  print('\nStarting a service for it (a database and a chain of its own) …\n');
  const { dataDir } = own;
  const administrator = { email: 'admin@kasi.example', password: `Str0ng-${randomBytes(12).toString('hex')}` };
  const env = { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password };
  own.service = await startServiceProcess({ dataDir, port: await findFreePort(), env });
  await own.service.ready();
  return { baseUrl: own.service.url, dataDir, administrator };
}

/** Nothing of the demo stays: no process, no file. */
async function cleanUp({ dataDir, service }: Own): Promise<void> {
  await service?.stop().catch(fail);
  await removeDataFolder(dataDir);
}

function fail(error: unknown): void {
  process.exitCode = 1;
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
}
