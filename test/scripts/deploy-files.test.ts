import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS, findCommand } from '../../scripts/kasi/commands.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { SESSION_LIMITS } from '../../src/db/session-limits.ts';
import { makeTestFolder } from '../support/run-folder.ts';

/** Another part builds these; a unit and the operators' book name them already. */
const COMING = ['backup', 'restore'].filter((name) => findCommand([name]) === undefined);

const read = (file: string): string => readFileSync(`deploy/${file}`, 'utf8');
const isThere = (program: string, ...args: string[]): boolean => spawnSync(program, args).error === undefined;

type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly restart: string;
  readonly read_only?: boolean;
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
};

const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const ours = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('kasi:'));

/** The settings of an example, those that are commented out, too. */
const settingsIn = (text: string): string[] => [...text.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name);

/** What reads the environment: the service, the commands, and for one name the image of PostgreSQL. */
const known = new Set(
  [readFileSync('src/config.ts', 'utf8'), ...COMMANDS.flatMap(({ takes }) => takes.map(([name]) => name))]
    .join('\n')
    .match(/\b[A-Z][A-Z_]{3,}\b/g),
);

describe('settings', () => {
  test.for(readdirSync('deploy/env'))('those of %s are read by the service or by a command', (file) => {
    const strange = settingsIn(read(`env/${file}`)).filter((name) => !known.has(name));
    expect(strange.filter((name) => !['POSTGRES_PASSWORD', 'BACKUP_KEY'].includes(name))).toEqual([]);
  });

  test('the keys that sign are given to the worker alone, and the owner to no process that runs all day', () => {
    for (const file of ['env/kasi.env.example', 'env/api.env.example'])
      expect(settingsIn(read(file)).filter((name) => /OPERATOR|SWEEP|OWNER|BACKUP|ADMIN/.test(name))).toEqual([]);
    for (const [name, { env_file = [], restart }] of ours) {
      expect([name, env_file.includes('env/worker.env')]).toEqual([name, name === 'worker']);
      if (restart !== 'no') expect([name, env_file.includes('env/owner.env')]).toEqual([name, false]);
    }
  });
});

describe('compose.yaml', () => {
  test('every command of it is one of ours, and every file that it mounts or reads is there', () => {
    for (const [name, { command, env_file = [], read_only }] of ours) {
      if (command) expect([name, findCommand(command)?.rest]).toEqual([name, []]);
      for (const file of env_file) expect(read(`${file}.example`), name).not.toBe('');
      expect([name, read_only]).toEqual([name, true]);
    }
    const mounts = [...read('compose.yaml').matchAll(/- \.\/((?!env\/|backups:)\S+?):/g)].map(([, path = '']) => path);
    expect(mounts.length).toBeGreaterThan(2);
    for (const path of mounts) expect(read(path)).not.toBe('');
  });

  test('what is filled in here is not for git, which would publish the keys', () => {
    const filled = ours.flatMap(([, { env_file = [] }]) => env_file);
    for (const file of [...filled, 'env/networks.json', 'backups/x', '.env'])
      expect([file, spawnSync('git', ['check-ignore', '-q', `deploy/${file}`]).status]).toEqual([file, 0]);
  });

  test('the public reaches Caddy alone; neither metrics nor the database', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.filter((port) => !port.startsWith('127.0.0.1:')).map(() => name),
    );
    expect(new Set(published)).toEqual(new Set(['caddy']));
    expect(compose.services['postgres']?.networks).toEqual(['data']);
    expect([compose.networks['data']?.internal, compose.networks['metrics']?.internal]).toEqual([true, true]);
  });

  test('ports and addresses agree with the proxy, Prometheus and TRUST_PROXY', () => {
    const processes = ours.filter(([, { environment }]) => environment !== undefined);
    const at = (setting: string) => processes.map(([name, { environment }]) => `${name}:${environment?.[setting]}`);
    const { scrape_configs: jobs } = parse(read('prometheus/prometheus.yaml')) as {
      scrape_configs: readonly { static_configs: readonly { targets: readonly string[] }[] }[];
    };
    expect(jobs[0]?.static_configs[0]?.targets).toEqual(at('METRICS_PORT'));
    const upstreams = compose.services['caddy']?.environment?.['KASI_UPSTREAMS']?.split(' ');
    expect(upstreams).toEqual(at('PORT').filter((address) => address.startsWith('api-')));
    const edge = Object(compose.services['caddy']?.networks)['edge'] as { ipv4_address: string };
    expect(read('env/kasi.env.example')).toContain(`In compose.yaml: ${edge.ipv4_address}`);
  });
});

test('the image has the Node.js of this checkout, an exact version, and runs the commands as nobody', () => {
  const file = read('Containerfile');
  const { dependencies, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
    version: string;
  };
  expect(/NODE_IMAGE=\S+\/node:(\d+\.\d+\.\d+)-\S*slim/.exec(file)?.[1]).toBe(dependencies['node']);
  expect(file).toMatch(/^USER 1000:1000$/m);
  expect(file).toMatch(/^ENTRYPOINT \["kasi"\]\nCMD \["start"\]$/m);
  expect(file).toContain('/healthz');
  expect(read('compose.yaml')).toContain(`KASI_VERSION:-${version}}`);
});

describe('units', () => {
  const units = readdirSync('deploy/systemd');

  test.for(units)('the commands of %s are ours', (unit) => {
    const started = [...read(`systemd/${unit}`).matchAll(/\.bin\/kasi (\w+)/g)].map(([, name = '']) => name);
    expect(started.length).toBe(unit.endsWith('.service') ? 1 : 0);
    for (const name of started) if (!COMING.includes(name)) expect(findCommand([name])?.command.name).toBe(name);
  });

  test('no two have an account, or a folder that they write, in common: one reads the environment of the other', () => {
    const places = ['kasi@', 'kasi-backup'].map((unit) => {
      const text = read(`systemd/${unit}.service`);
      return ['User', 'StateDirectory'].map((name) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]);
    });
    expect(places).toEqual([
      ['kasi-%i', 'kasi/%i'],
      ['kasi-backup', 'kasi/backups'],
    ]);
    const book = readFileSync('openapi/guides/operate-install.md', 'utf8');
    expect(
      /^for name in (api api2 worker backup); do\n {2}useradd .*\n.*"kasi-\$name"$/m.exec(book)?.[1],
    ).toBeDefined();
  });

  test('each instance has its file of settings, with a port of its own', () => {
    const ports = ['api', 'worker'].flatMap((name) => {
      const text = read(`env/${name}.env.example`);
      return [/^PORT=(\d+)$/m, /^METRICS_PORT=(\d+)$/m].map((pattern) => pattern.exec(text)?.[1]);
    });
    expect(new Set(ports).size).toBe(4);
    expect(ports).not.toContain(undefined);
  });

  const verifies = isThere('systemd-analyze', '--version');
  test.skipIf(!verifies)(`systemd agrees${verifies ? '' : ' (skipped: systemd-analyze is not installed)'}`, () => {
    const folder = join(makeTestFolder(inject('runFolder')), 'units');
    mkdirSync(folder);
    // Kasi is not in /opt here; any program that is there will do.
    for (const unit of units)
      writeFileSync(
        join(folder, unit),
        read(`systemd/${unit}`).replaceAll('/opt/kasi/node_modules/.bin/kasi', '/bin/true'),
      );
    const paths = units.map((unit) => join(folder, unit.replace('@', '@worker')));
    cpSync(join(folder, 'kasi@.service'), join(folder, 'kasi@worker.service'));
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], { encoding: 'utf8' });
    const about = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('kasi'));
    expect(about).toEqual([]);
  });
});

describe('proxies', () => {
  test.for(['proxy/nginx.conf', 'proxy/Caddyfile'])(
    '%s waits longer than we do, hides metrics and buffers no stream',
    (file) => {
      const text = read(file);
      const [, seconds] = /read_timeout (\d+)s/.exec(text) ?? [];
      // Kasi answers within 15 seconds, and a stream has a line every 15.
      expect(Number(seconds)).toBeGreaterThan(30);
      expect(text).toMatch(/\/metrics[^\n]*\{ return 404; \}|respond @metrics 404/);
      expect(text).not.toContain('$proxy_add_x_forwarded_for');
      // Ours is 64 KiB; a smaller one here would answer in other words.
      const [, kilobytes] = /(?:max_size|client_max_body_size) (\d+)k/i.exec(text) ?? [];
      expect(Number(kilobytes)).toBeGreaterThan(64);
      // Kasi closes idle connections after 5 seconds.
      expect(text).toMatch(/keepalive(_timeout)? 4s/);
    },
  );

  test('neither compresses: what Kasi sends as it is holds a secret, whose length would tell it', () => {
    expect(read('proxy/nginx.conf')).toMatch(/^ {4}gzip off;$/m); // Distributions turn it on for every server.
    expect(read('proxy/Caddyfile')).not.toMatch(/^\s*encode\b/m);
  });

  const nginx = isThere('nginx', '-v') && isThere('openssl', 'version');
  test.skipIf(!nginx)(`nginx agrees${nginx ? '' : ' (skipped: nginx or openssl is not installed)'}`, async () => {
    const folder = makeTestFolder(inject('runFolder'));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
    ];
    spawnSync('openssl', [...request, '-subj', '/CN=pay.example', '-keyout', key, '-out', certificate]);
    // It takes the ports, which only root may where they are those of the web.
    const [http, https] = [await findFreePort(), await findFreePort()];
    const text = read('proxy/nginx.conf')
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ', `listen 127.0.0.1:${https} `)
      .replace(/\/etc\/ssl\S*fullchain.pem/, certificate)
      .replace(/\/etc\/ssl\S*privkey.pem/, key);
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, `pid ${folder}/pid; error_log stderr; events {}\nhttp {\naccess_log off;\n${text}\n}\n`);
    const { status, stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', file], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  });

  const caddy = isThere('caddy', 'version');
  test.skipIf(!caddy)(`Caddy agrees${caddy ? '' : ' (skipped: caddy is not installed)'}`, () => {
    const args = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/proxy/Caddyfile'];
    const env = { ...process.env, KASI_HOST: 'pay.example' };
    const { status, stdout, stderr } = spawnSync('caddy', args, { encoding: 'utf8', env });
    expect(status, stdout + stderr).toBe(0);
  });
});

const promtool = isThere('promtool', '--version');
test.skipIf(!promtool)(
  `promtool agrees with the scrapes${promtool ? '' : ' (skipped: promtool is not installed)'}`,
  () => {
    const args = ['check', 'config', 'deploy/prometheus/prometheus.yaml'];
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  },
);

describe('the cluster', () => {
  type Patroni = {
    readonly bootstrap: { readonly dcs: Readonly<Record<string, unknown>> };
    readonly postgresql: { readonly listen: string };
  };

  test('acknowledges nothing that one standby does not have, and does not wait for what died', () => {
    const { bootstrap, postgresql } = parse(read('cluster/patroni.yaml')) as Patroni;
    expect(bootstrap.dcs).toMatchObject({
      ...{ synchronous_mode: true, synchronous_mode_strict: true, primary_start_timeout: 0 },
      postgresql: { use_pg_rewind: true, parameters: { synchronous_commit: 'on' } },
    });
    const { ttl, loop_wait: wait, retry_timeout: retry } = bootstrap.dcs as Record<string, number>;
    expect(Number(wait) + 2 * Number(retry)).toBeLessThanOrEqual(Number(ttl));
    expect(read('cluster/haproxy.cfg')).toContain(`server db1 ${postgresql.listen} check port 8008`);
  });

  test('PgBouncer keeps names of statements, and lets go what the role has', () => {
    const file = read('cluster/pgbouncer.ini');
    const ignored = /^ignore_startup_parameters = (.+)$/m.exec(file)?.[1]?.split(',');
    expect(ignored).toEqual(['options', ...Object.keys(SESSION_LIMITS)]);
    expect(file).toMatch(/^pool_mode = transaction$/m);
    expect(Number(/^max_prepared_statements = (\d+)$/m.exec(file)?.[1])).toBeGreaterThan(300);
  });

  test.skipIf(!isThere('/usr/sbin/haproxy', '-v'))('HAProxy reads its file', () => {
    expect(
      spawnSync('/usr/sbin/haproxy', ['-c', '-f', 'deploy/cluster/haproxy.cfg'], { encoding: 'utf8' }),
    ).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('backups', () => {
  const DAYS: Readonly<Record<string, number>> = {
    'kasi-a.backup': 40,
    'kasi-b.backup': 1,
    'kasi-c.backup.part-12': 1,
    'kasi-d.backup.part-13': 0,
  };
  const prepare = () => {
    const folder = makeTestFolder(inject('runFolder'));
    mkdirSync(join(folder, 'backups'));
    for (const [name, age] of Object.entries(DAYS)) {
      const file = join(folder, 'backups', name);
      writeFileSync(file, '');
      const at = new Date(Date.now() - age * 86_400_000);
      utimesSync(file, at, at);
    }
    return { folder, list: () => readdirSync(join(folder, 'backups')).sort() };
  };
  // One that another backup still writes stays; whole ones go only after one that succeeded.
  const BEFORE = ['kasi-a.backup', 'kasi-b.backup', 'kasi-d.backup.part-13'];
  const AFTER = ['kasi-b.backup', 'kasi-d.backup.part-13'];

  test('what one that was killed has left is deleted by the next one, so that no disk fills up with it', () => {
    const { folder, list } = prepare();
    const steps = [...read('systemd/kasi-backup.service').matchAll(/^ExecStart(Pre|Post)=(.*)$/gm)];
    const after = steps.map(([, when, command = '']) => {
      expect(spawnSync('/bin/sh', ['-c', command], { cwd: folder }).status).toBe(0);
      return [when, list()];
    });
    expect(after).toEqual([
      ['Pre', BEFORE],
      ['Post', AFTER],
    ]);
  });

  test.for([
    ['fails', 1, BEFORE],
    ['succeeds', 0, AFTER],
  ] as const)('those of the guide for Compose go as those of systemd, where one %s', ([, status, left]) => {
    const book = readFileSync('openapi/guides/operate-install.md', 'utf8');
    const blocks = [...book.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    const script = blocks.find((block) => /compose run [^"]* backup "/.test(block)) ?? 'exit 99';
    const { folder, list } = prepare();
    mkdirSync(join(folder, 'bin'));
    // No Docker runs here: what it would be called with, and how it ends.
    const docker = `#!/bin/sh\necho "$@" > called\nexit ${status}\n`;
    writeFileSync(join(folder, 'bin', 'docker'), docker, { mode: 0o700 });
    const PATH = `${join(folder, 'bin')}:/usr/bin:/bin`;
    // The account of the container is not there either.
    const run = spawnSync('/bin/sh', ['-c', script.replace(' -o 1000', '')], {
      cwd: folder,
      env: { PATH },
    });
    expect(run.status).toBe(status);
    expect(list()).toEqual(left);
    expect(readFileSync(join(folder, 'called'), 'utf8')).toMatch(
      /^compose run .*\bbackup backup \/backups\/kasi-\d{8}T\d{6}Z\.backup\n$/,
    );
  });
});
