import { findFreePort } from '../../src/db/daemon.ts';
import {
  makeDataFolder,
  removeDataFolder,
  type ServiceProcess,
  startServiceProcess,
  untilInterrupted,
} from '../lib/service-process.ts';
import { createTelling, type Telling } from './telling.ts';

/** A story that a demo tells about the service at `baseUrl`. Throws an Error that names what was not as expected. */
export type Story = {
  readonly title: string;
  readonly tell: (baseUrl: string, tell: Telling, dataDir: string | undefined) => Promise<void>;
};

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
  const url = typeof where === 'string' ? where : await start(where);
  const startedAt = performance.now();
  await tellStory(url, tell, typeof where === 'string' ? undefined : where.dataDir);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  print(`\nThat took ${seconds} seconds. Yours begins with: npm start\n\n`);
}

async function start(own: Own): Promise<string> {
  print('\nStarting a service for it (a database and a chain of its own) …\n');
  own.service = await startServiceProcess({ dataDir: own.dataDir, port: await findFreePort() });
  await own.service.ready();
  return own.service.url;
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
