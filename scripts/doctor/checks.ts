import { sql } from 'kysely';
import { createChains } from '../../src/chains/chains.ts';
import { findLackingRights } from '../../src/db/grants.ts';
import { migrationNames } from '../../src/db/migrate.ts';
import { findPoolerProblem } from '../../src/db/pooler.ts';
import { findRoleProblems, findSharing } from '../../src/db/role-rights.ts';
import { describeVerdict, judgeSchema, readSchema } from '../../src/db/schema-state.ts';
import { countSealed, listSealingKeys } from '../../src/deployment/evidence.ts';
import { findDeployment, findIdentityProblems } from '../../src/deployment/identity.ts';
import { findNetworkProblems, listKnown } from '../../src/deployment/networks.ts';
import { listSealingOtherwise } from '../../src/deployment/sealing-keys.ts';
import { KINDS } from '../../src/kinds.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { openMailServer } from '../../src/mail/smtp.ts';
import { isKeyInForce } from '../../src/sealed.ts';
import { claimOf } from '../lib/connection.ts';
import { examineClock } from './clock.ts';
import { examineGas } from './gas.ts';
import { type Line, ok, type Patient, problem, warning } from './line.ts';
import { examineCalls, examineNodes } from './nodes.ts';
import { examineNotifications, examineSession } from './pooling.ts';
import { examineCommits, examineOwner, examineWrites } from './primary.ts';
import { examineRates } from './rates.ts';
import { examineJobs, examineWatchers } from './running.ts';
import { examineStandby } from './standby.ts';

/** A check changes nothing. What it throws becomes a problem; later checks go on. */
export type DoctorCheck = { readonly name: string; readonly examine: (patient: Patient) => Promise<readonly Line[]> };

const POSTGRES_MIN = 15;

/** In this order. A new check is one more element. */
export const CHECKS: readonly DoctorCheck[] = [
  { name: 'database', examine: examineDatabase },
  { name: 'writes', examine: ({ db }) => examineWrites(db) },
  { name: 'commits', examine: examineCommits },
  { name: 'clock', examine: examineClock },
  { name: 'session', examine: ({ db }) => examineSession(db) },
  { name: 'notify', examine: examineNotifications },
  { name: 'standby', examine: examineStandby },
  { name: 'schema', examine: ({ db }) => examineSchema(db) },
  { name: 'role', examine: examineRole },
  { name: 'owner', examine: examineOwner },
  { name: 'deployment', examine: examineDeployment },
  { name: 'master key', examine: examineMasterKey },
  { name: 'networks', examine: examineNetworks },
  { name: 'nodes', examine: examineNodes },
  { name: 'calls', examine: examineCalls },
  { name: 'watchers', examine: examineWatchers },
  { name: 'jobs', examine: ({ db }) => examineJobs(db) },
  { name: 'gas', examine: examineGas },
  { name: 'rates', examine: examineRates },
  { name: 'mail', examine: examineMail },
  { name: 'metrics', examine: async ({ config }) => [examineMetrics(config)] },
  { name: 'incidents', examine: ({ db }) => examineIncidents(db) },
];

/** Of the settings of this shell, which are those of the process that it looks at. */
function examineMetrics({ mode, metrics }: Patient['config']): Line {
  if (metrics) return ok(`Prometheus reads them at ${metrics.host}:${metrics.port}`);
  if (mode !== 'live') return ok('none: METRICS_PORT is not set');
  return warning('live without METRICS_PORT: nothing can be measured; set it, and have Prometheus read /metrics there');
}

/** The first check of all: without an answer there is nothing else to look at. */
async function examineDatabase({ db, url }: Pick<Patient, 'db' | 'url'>): Promise<Line[]> {
  const lost = await findPoolerProblem(url, 'DATABASE_URL');
  if (lost !== null) return [problem(lost)];
  const { rows } = await sql<{ version: string; role: string }>`
    select current_setting('server_version') as version, current_user as role`.execute(db);
  const { version = '', role = '' } = rows[0] ?? {};
  if (Number.parseInt(version, 10) < POSTGRES_MIN)
    return [problem(`PostgreSQL ${version} is too old: use ${POSTGRES_MIN} or newer`)];
  return [ok(`PostgreSQL ${version} answers to ${role}`)];
}

async function examineSchema(db: Db): Promise<Line[]> {
  const state = await readSchema(db);
  const verdict = judgeSchema(state, migrationNames());
  const refusal = describeVerdict(verdict);
  if (refusal !== null) return [problem(refusal)];
  return [
    ok(`as of ${state.done.at(-1)}${verdict.kind === 'newer' ? ', newer than this release, which runs on it' : ''}`),
  ];
}

/** In the sandbox one role may own everything. */
async function examineRole({ config, db }: Patient): Promise<Line[]> {
  const problems = config.mode === 'live' ? await findRoleProblems(db) : [];
  const sharing = config.mode === 'live' ? await findSharing(db) : [];
  // What a newer release grants is not known here, and an older schema is migrated first, which grants all.
  const isOfThisRelease = judgeSchema(await readSchema(db), migrationNames()).kind === 'current';
  const lacking = isOfThisRelease ? await describeLacking(db) : [];
  const found = [...problems, ...lacking].map((text) => problem(text));
  return [...(found.length > 0 ? found : [ok('it can do no more than it needs')]), ...sharing.map(warning)];
}

const LACKING_SHOWN = 3;

async function describeLacking(db: Db): Promise<string[]> {
  const { role, lacking } = await findLackingRights(db);
  if (lacking.length === 0) return [];
  const shown = lacking.slice(0, LACKING_SHOWN).join(', ');
  const hidden = lacking.length > LACKING_SHOWN ? `, and ${lacking.length - LACKING_SHOWN} more` : '';
  return [
    `The role ${role} of DATABASE_URL lacks rights that it needs (${shown}${hidden}): npx kasi migrate grants them.`,
  ];
}

async function examineDeployment({ config, db }: Patient): Promise<Line[]> {
  const known = await findDeployment(db);
  const problems = await findIdentityProblems(db, claimOf(config));
  if (problems.length > 0) return problems.map((text) => problem(text));
  if (!known) return [ok(`no process has started on this database yet; the first start makes it ${config.mode}`)];
  const copied = known.copiedFrom.length > 0 ? `, a copy of ${known.copiedFrom.join(', ')}` : '';
  return [ok(`${known.id} (${known.mode}), since ${known.madeAt.toISOString()}${copied}`)];
}

async function examineMasterKey({ config, db }: Patient): Promise<Line[]> {
  const { ring } = claimOf(config);
  if (!ring) return [ok('none is set: not tried')];
  const counts = await countSealed(db).catch(() => null);
  const needed = counts ? [...counts.keys()] : await listSealingKeys(db);
  const missing = needed.filter((id) => !ring.keys.has(id));
  if (missing.length > 0) {
    return [problem(`Stored secrets are sealed with the keys ${missing.join(', ')}: list them in MASTER_KEYS_OLD`)];
  }
  const current = ring.current.id.toString('hex');
  if ((await findDeployment(db)) && !(await isKeyInForce(db, ring))) {
    return [
      warning(
        `MASTER_KEY here is ${current}, and no process has started with it first yet: restart them with it, or, if it is a ` +
          'former key, put the one after it first here and wherever else it is',
      ),
    ];
  }
  const opens = ok(`${current} opens what is stored`);
  const former = [...ring.keys.keys()].filter((id) => id !== current);
  const others = await listSealingOtherwise(db, current).catch(() => []); // Not migrated yet.
  const late = others.map(({ worker, key }) =>
    warning(`the process ${worker} still seals with the key ${key}: restart it with ${current} as its MASTER_KEY`),
  );
  return former.length === 0
    ? [opens, ...late]
    : [opens, ...late, ...former.map((id) => describeFormer(id, counts?.get(id) ?? 0n, counts !== null))];
}

/** A former key goes once nothing is sealed by it. */
function describeFormer(id: string, count: bigint, isCounted: boolean): Line {
  if (!isCounted) {
    return ok(
      `what ${id} has sealed is too much to count in time: npx kasi keys rewrap wraps all of it and says when it may go`,
    );
  }
  if (count > 0n) {
    return ok(
      `sealed values left: ${count} with the former key ${id}; keep it in MASTER_KEYS_OLD while processes with the scheduler wrap them anew`,
    );
  }
  return ok(
    `nothing stored is sealed with the former key ${id}: it may leave MASTER_KEYS_OLD once every process has the new one first; ` +
      'keep it for npx kasi audit verify, and for backups of its time',
  );
}

async function examineNetworks({ config: { mode, networks }, db }: Patient): Promise<Line[]> {
  const chains = createChains(KINDS, networks);
  const problems = await findNetworkProblems(db, networks, { chains, mode });
  if (problems.length > 0) return problems.map((text) => problem(text));
  const known = await listKnown(db);
  const twice = await listWatchedTwice(db);
  if (twice.length > 0) return twice.map((text) => problem(text));
  const listed = new Set(networks.map((network) => chains.kindOf(network).describe(network).chain));
  return known.map(({ chain, name, names }) => {
    const others = names.filter((each) => each !== name);
    const also = others.length > 0 ? `, also called ${others.join(', ')}` : '';
    if (listed.has(chain) || mode === 'sandbox') return ok(`${chain} is "${name}"${also}`);
    return problem(
      `${chain}, "${name}"${also}, is not in KASI_NETWORKS: what payers still send there is not seen, and nothing that is ` +
        'open there goes on; list it again',
    );
  });
}

/** An earlier release watched a chain anew when it was called otherwise, and credited its transfers again. */
async function listWatchedTwice(db: Db): Promise<string[]> {
  const { rows } = await sql<{ chain: string; kept: string; other: string }>`
    select n.chain, n.name as kept, a.name as other
      from deployment_networks n join deployment_names a on a.chain = n.chain and a.name <> n.name
     where exists (select from chain_cursors where network = n.name)
       and exists (select from chain_cursors where network = a.name)
     order by n.chain, a.name`.execute(db);
  return rows.map(
    ({ chain, kept, other }) =>
      `${chain} was watched as "${kept}" and as "${other}", so transfers may be credited twice, and nothing of ` +
      `"${other}" goes on: npx kasi reconcile compares the ledger with the chain; settle what is open there by hand`,
  );
}

/** Connects and logs in, and sends nothing. */
async function examineMail({ config: { mail } }: Patient): Promise<Line[]> {
  if (mail === null) return [ok('SMTP_URL and MAIL_FROM are not set: payers get no receipts by e-mail')];
  const server = openMailServer(mail);
  try {
    const failure = await server.verify();
    if (failure === null) return [ok(`${server.name} answers, and would send from ${mail.from.address}`)];
    return [problem(`${server.name} of SMTP_URL can not be used (${failure}): receipts wait, for a day at most`)];
  } finally {
    server.close();
  }
}

async function examineIncidents(db: Db): Promise<Line[]> {
  const { rows } = await sql<{ kind: string; count: bigint }>`
    select kind, count(*) as count from incidents where resolved_at is null group by kind order by kind`.execute(db);
  if (rows.length === 0) return [ok('none is open')];
  return rows.map(({ kind, count }) => problem(`${count} of ${kind} are open: see GET /v1/admin/incidents`));
}
