import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../src/db/daemon.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { untilOk } from '../lib/children.ts';
import { makeDataFolder, removeDataFolder } from '../lib/service-process.ts';

const run = promisify(execFile);

export type ContainerTrial = { readonly size: number; readonly readyMs: number; readonly said: string };
/** What builds and runs images. */
type Engine = { readonly program: string };

/** This machine can't try it; that says nothing about the image. */
export class SkippedTrial extends Error {}

const ENGINES = ['podman', 'docker'];
const TAG = 'kasi:trial';
/** As compose.yaml runs it. The network is the machine's, so that the database is at 127.0.0.1. */
const HARDENED = ['--rm', '--read-only', '--cap-drop=all', '--security-opt=no-new-privileges', '--network=host'];
/** A network that does not answer: the process serves without it. */
const NETWORKS = {
  networks: [
    {
      ...{ name: 'base', chainId: 8453, rpcUrl: 'http://127.0.0.1:1', confirmations: 10 },
      factory: '0x00000000000000000000000000000000000000f0',
      treasury: '0x00000000000000000000000000000000000000f1',
      tokens: [{ symbol: 'USDC', contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 }],
    },
  ],
  rates: [],
};

/** The first engine that answers. Throws SkippedTrial. */
export async function findEngine(): Promise<Engine> {
  for (const program of ENGINES) {
    const answers = await run(program, ['info']).then(
      () => true,
      () => false,
    );
    if (answers) return { program };
  }
  throw new SkippedTrial(`neither ${ENGINES.join(' nor ')} is here and answers.`);
}

/** Builds the image and runs it. Throws SkippedTrial where the engine can do neither with the base image alone. */
export async function tryContainer(engine: Engine, progress: (line: string) => void): Promise<ContainerTrial> {
  const folder = makeDataFolder();
  try {
    await tryBase(engine);
    await build(engine, folder);
    const size = Number((await run(engine.program, ['image', 'inspect', '--format', '{{.Size}}', TAG])).stdout);
    progress(`${TAG} is built.`);
    return { size, ...(await serve(engine, folder, progress)) };
  } finally {
    await removeDataFolder(folder);
  }
}

const readContainerfile = (): Promise<string> => readFile('deploy/Containerfile', 'utf8');

async function baseImage(): Promise<string> {
  const [, base = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(await readContainerfile()) ?? [];
  return process.env['NODE_IMAGE'] ?? base;
}

/** Gets the base and runs nothing in it, to tell what this machine can't do from what is wrong with ours. */
async function tryBase({ program }: Engine): Promise<void> {
  const base = await baseImage();
  await run(program, ['run', ...HARDENED, base, 'true']).catch((error: { stderr?: string }) => {
    const last = error.stderr?.trim().split('\n').at(-1) ?? String(error);
    throw new SkippedTrial(`${program} can not run ${base} here: ${last}`);
  });
}

async function build({ program }: Engine, folder: string): Promise<void> {
  await run(process.execPath, ['scripts/pack.ts', folder]);
  await cp('deploy/Containerfile', join(folder, 'Containerfile'));
  const format = program === 'podman' ? ['--format=docker'] : [];
  const base = `NODE_IMAGE=${await baseImage()}`;
  await run(program, ['build', ...format, '--build-arg', base, '--tag', TAG, folder], { maxBuffer: 64e6 });
}

async function serve({ program }: Engine, folder: string, progress: (line: string) => void) {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, durable: false, log: () => undefined });
  const networks = join(folder, 'networks.json');
  await writeFile(networks, JSON.stringify(NETWORKS), { mode: 0o644 });
  const port = await findFreePort();
  const env = {
    ...{ KASI_MODE: 'live', DEPLOYMENT_ID: 'container-trial', PUBLIC_URL: 'https://pay.example', TRUST_PROXY: 'none' },
    ...{ DATABASE_URL: postgres.url, MASTER_KEY: randomBytes(32).toString('hex'), KASI_NETWORKS: '/networks.json' },
    ...{ HOST: '127.0.0.1', PORT: String(port) },
  };
  const owner = { DATABASE_OWNER_URL: postgres.ownerUrl };
  const call = (name: string, words: readonly string[], more = {}): readonly string[] => [
    ...['run', ...HARDENED, '--name', name, '--volume', `${networks}:/networks.json:ro`],
    ...Object.entries({ ...env, ...more }).flatMap(([setting, value]) => ['--env', `${setting}=${value}`]),
    ...[TAG, ...words],
  ];
  const name = `kasi-trial-${process.pid}`;
  try {
    progress((await run(program, call(`${name}-migrate`, ['migrate'], owner))).stdout.trim());
    const startedAt = performance.now();
    const container = spawn(program, call(name, ['start']), { stdio: ['ignore', 'pipe', 'pipe'] });
    const printed: string[] = [];
    for (const stream of [container.stdout, container.stderr]) stream.on('data', (data) => printed.push(String(data)));
    const url = `http://127.0.0.1:${port}`;
    await untilOk(`${url}/readyz`, container, (why) => new Error(`The container ${why}:\n${printed.join('')}`));
    const readyMs = performance.now() - startedAt;
    return { readyMs, said: await (await fetch(`${url}/readyz`)).text() };
  } finally {
    await run(program, ['stop', '--time', '40', name]).catch(() => undefined);
    await postgres.stop();
  }
}
