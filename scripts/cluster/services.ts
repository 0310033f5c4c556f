import { randomBytes } from 'node:crypto';
import { findFreePort } from '../../src/db/daemon.ts';
import { makeRoles } from '../../src/db/make-roles.ts';
import { startDevChain } from '../../src/sandbox/dev-chain.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import type { Endings } from '../crash/stage.ts';
import { startBouncer } from '../lib/pgbouncer.ts';
import { makeDataFolder, removeDataFolder, type ServiceProcess, startServiceProcess } from '../lib/service-process.ts';
import { until } from '../lib/wait.ts';
import { makeFolder } from './daemons.ts';
import { type DatabaseCluster, startHaproxy } from './database.ts';
import type { Programs } from './programs.ts';

/** Two processes of each role on one cluster. */
export type Services = {
  /** Where HAProxy passes requests on to the API processes. */
  readonly baseUrl: string;
  readonly network: Awaited<ReturnType<typeof prepareSandboxNetwork>>;
  /** The application's URL of the database. */
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
};

const ROLES = ['api', 'api', 'watcher', 'watcher', 'scheduler', 'scheduler'] as const;
const DATABASE = 'kasi';
const FRONT_WITHIN_MS = 20_000;

/** Makes the database on the primary, a chain, and starts the processes; the first of them migrates. */
export async function startServices(
  programs: Programs,
  database: DatabaseCluster,
  folder: string,
  endings: Endings,
): Promise<Services> {
  const { owner, application } = await makeRoles(database.adminUrl(DATABASE), {
    newPasswords: false,
    prove: async () => undefined,
  });
  const chainFolder = makeDataFolder();
  endings.push(() => removeDataFolder(chainFolder));
  const chain = await startDevChain({
    ...{ dataDir: chainFolder, now: new Date(), log: () => undefined, allowOrigin: 'http://localhost' },
  });
  endings.push(() => chain.stop());
  const network = await prepareSandboxNetwork({ rpcUrl: chain.rpcUrl });
  const masterKey = randomBytes(32);
  const bouncer =
    programs.pgbouncer === undefined
      ? undefined
      : await startBouncer(programs.pgbouncer, makeFolder(folder, 'pgbouncer'), application.url);
  if (bouncer) endings.push(bouncer.stop);
  const env = {
    DATABASE_URL: bouncer?.url ?? application.url,
    ...(bouncer && { DATABASE_LISTEN_URL: application.url }),
    DATABASE_OWNER_URL: owner.url,
    DATABASE_READ_URL: withPort(application.url, database.ports.standbys),
    EVM_RPC_URL: chain.rpcUrl,
    MASTER_KEY: masterKey.toString('hex'),
    RATE_LIMITS: 'off',
  };
  const processes: ServiceProcess[] = [];
  for (const role of ROLES) {
    const dataDir = makeDataFolder();
    endings.push(() => removeDataFolder(dataDir));
    const started = await startServiceProcess({
      ...{ dataDir, port: await findFreePort(), env: { ...env, KASI_ROLES: role } },
    });
    endings.push(() => started.stop());
    processes.push(started);
    await started.ready();
  }
  const port = await findFreePort();
  startHaproxy(programs, folder, frontFor(port, processes.slice(0, 2)), endings);
  const baseUrl = `http://127.0.0.1:${port}`;
  await until('the front answers', FRONT_WITHIN_MS, async () => (await fetch(`${baseUrl}/healthz`)).ok);
  return {
    baseUrl,
    network,
    databaseUrl: application.url,
    masterKey,
  };
}

const withPort = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href;

/** Stands for the proxy in front of the API, which the operators' book has as Caddy or nginx. */
const frontFor = (port: number, processes: readonly ServiceProcess[]): string => `
defaults
	mode http
	timeout connect 3s
	timeout client 60s
	timeout server 60s
	timeout http-keep-alive 4s
	# A process that does not answer at all is passed over; one that says 503 is asked nevertheless, for there is no better.
	option redispatch
	default-server inter 2s
listen api
	bind 127.0.0.1:${port}
	balance roundrobin
	option httpchk GET /healthz
${processes.map(({ url }, index) => `	server api${index} ${new URL(url).host} check`).join('\n')}
`;
