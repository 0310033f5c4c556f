/**
 * `npm run demo`: a shop's first day, from opening an account to the last webhook, on a service of its own that is gone afterwards, or
 * on the one that KASI_URL leads to. Exits with 0 when everything was as it should be.
 */
import { findFreePort } from '../src/db/daemon.ts';
import { tellStory } from './demo/story.ts';
import { createTelling } from './demo/telling.ts';
import {
  makeDataFolder,
  removeDataFolder,
  type ServiceProcess,
  startServiceProcess,
  untilInterrupted,
} from './service-process.ts';

const print = (text: string): void => void process.stdout.write(text);
type Own = { readonly dataDir: string; service?: ServiceProcess };
const given = process.env['KASI_URL'];
const own: Own | undefined = given ? undefined : { dataDir: makeDataFolder() };

try {
  await untilInterrupted(demo());
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
}
if (own) await cleanUp(own);
process.exit(); // After an interruption the story would go on.

async function demo(): Promise<void> {
  const tell = createTelling(print);
  tell.title('Kasi: the first day of a shop');
  print('The money is play money. The chain, the database, the ledger and the signatures are real.\n');
  const url = own ? await start(own) : (given as string);
  const startedAt = performance.now();
  await tellStory(url, tell);
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
  await service?.stop().catch((error: unknown) => {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  });
  await removeDataFolder(dataDir);
}
