import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { compileCache } from '../../scripts/lib/service-command.mjs';
import { makeTestFolder } from '../support/run-folder.ts';

/** Namespaces of the kernel are what a container is made of: processes, ports and shared memory of its own. */

const project = new URL('../..', import.meta.url).pathname;
const ofUser = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user', '--keep-caps'];
const ENTER = [...ofUser, '--pid', '--fork', '--kill-child', '--mount-proc', '--net', '--ipc', 'sh'];
const hasNamespaces = spawnSync('unshare', [...ENTER, '-c', 'ip link set lo up']).status === 0;

let dataDir: string;
let program: string;
const ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  dataDir = makeTestFolder(inject('runFolder'));
  program = join(makeTestFolder(inject('runFolder')), 'service.mjs');
  // Adds a cup, and says how many there are.
  const code = `
    const { startEmbeddedPostgres } = await import('${project}/src/db/embedded.ts');
    const pg = (await import('${project}/node_modules/pg/lib/index.js')).default;
    try {
      const server = await startEmbeddedPostgres({ dataDir: '${dataDir}', log: () => undefined, warn: console.log });
      const client = new pg.Client({ connectionString: server.ownerUrl });
      await client.connect();
      await client.query('create table if not exists cups (id int)');
      await client.query('insert into cups values (1)');
      const { rows } = await client.query('select count(*)::int as n from cups');
      console.log('cups: ' + rows[0].n);
      setInterval(() => undefined, 60_000);
    } catch (error) { console.log(error.message); }`;
  writeFileSync(program, code);
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A container, and in it a shell that starts services. */
function openContainer() {
  const shell = spawn('unshare', ENTER, {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  shell.stdin.write('ip link set lo up\n');
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  const ask = async (command: string): Promise<string> => {
    shell.stdin.write(`${command}\n`);
    return (await lines.next()).value ?? 'the container has ended';
  };
  const closed = once(shell, 'close');
  const end = async (): Promise<void> => {
    shell.kill('SIGKILL');
    await closed;
  };
  ends.push(end);
  return {
    startService: () => ask(`'${process.execPath}' '${program}' &`),
    killService: () => ask('{ kill -9 $!; wait; } 2>/dev/null; echo killed'),
    /** Ends all that runs in it, at once. */
    end,
  };
}

const read = (name: string): string => readFileSync(join(dataDir, 'postgres', name), 'utf8');
const seen = () => ({
  names: readdirSync(join(dataDir, 'postgres')).sort(),
  texts: ['holder.json', 'postgres.json', 'data/postmaster.pid'].map(read),
});

test('a second container is refused while the first one lives, touches nothing, and goes on once it has ended', async ({
  skip,
}) => {
  skip(!hasNamespaces, 'unshare makes no namespaces here');
  const [first, second] = [openContainer(), openContainer()];
  expect(await first.startService()).toBe('cups: 1');
  const before = seen();
  expect(await second.startService()).toBe(
    `${dataDir}/postgres is in use by a process that can not be seen from here, perhaps by a Kasi in another ` +
      'container. Stop that one first, or give this one another data folder (KASI_DATA_DIR) and another PORT.',
  );
  expect(seen()).toEqual(before);
  await first.end();
  expect(await second.startService()).toBe('cups: 2');
});

test('a server that a killed service has left keeps other containers out, and is taken over in its own', async ({
  skip,
}) => {
  skip(!hasNamespaces, 'unshare makes no namespaces here');
  const [first, second] = [openContainer(), openContainer()];
  expect(await first.startService()).toBe('cups: 1');
  expect(await first.killService()).toBe('killed');
  const postmaster = read('data/postmaster.pid');
  expect(await second.startService()).toBe(
    `What a Kasi started in ${dataDir}/postgres still runs, and can not be seen from here: perhaps in another ` +
      'container. Stop that one first, or give this one another data folder (KASI_DATA_DIR) and another PORT.',
  );
  expect(read('data/postmaster.pid')).toBe(postmaster);
  expect(await first.startService()).toBe('cups: 2');
  expect(read('data/postmaster.pid')).toBe(postmaster);
  await first.end();
  expect(await second.startService()).toBe('cups: 3');
});
