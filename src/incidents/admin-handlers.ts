import { parseRange } from '../lib/dates.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError, conflict, invalidField } from '../lib/errors.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { parseNotes } from '../lib/remarks.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { readChannel } from './alert-queries.ts';
import { INCIDENT_KINDS, type IncidentKind, type LastingKind, type RetryableKind } from './kinds.ts';
import { presentIncident, presentSummary } from './present.ts';
import {
  countIncidents,
  getIncident,
  type IncidentRow,
  listIncidents,
  lockUnresolved,
  saveDecision,
} from './queries.ts';

/** Whether what an incident of one kind says is still so; locks what it looks at. */
export type StillHolds = (trx: Trx, subject: string) => Promise<boolean>;

/** Takes up again what an incident of one kind is about; writes rows, which a job acts on. */
export type Retry = (trx: Trx, subject: string, now: Date) => Promise<void>;

export type IncidentDeps = {
  readonly db: Db;
  /** One for every kind that the catalogue says can be tried again; the folders that own the rows have them. */
  readonly retries: Readonly<Record<RetryableKind, Retry>>;
  /** One for every kind that the catalogue names a cure for. */
  readonly stillHolds: Readonly<Record<LastingKind, StillHolds>>;
  /** The names of the networks that are listed. */
  readonly networks: readonly string[];
  readonly alerts: { readonly destination: string | null; readonly publicKey: string };
};

type Operation =
  | 'listIncidents'
  | 'getIncident'
  | 'acknowledgeIncident'
  | 'retryIncident'
  | 'resolveIncident'
  | 'getAlertChannel';

/** The operations of the tag `admin-incidents`. */
export const incidentHandlers = (deps: IncidentDeps): HandlersOf<Operation> => ({
  listIncidents: async ({ query }) => {
    const { status, kind, resource, network, since } = query;
    if (kind !== undefined && !isKind(kind)) {
      throw invalidField('kind', `must be one of: ${Object.keys(INCIDENT_KINDS).sort().join(', ')}`);
    }
    await requireNetwork(deps, network);
    const from = since === undefined ? {} : { since: parseRange({ fromDate: since }).from as Date };
    const filter = {
      ...(status && { status }),
      ...(kind !== undefined && { kind }),
      ...(resource !== undefined && { resource }),
      ...(network !== undefined && { network }),
      ...from,
    };
    const window = windowOf(query);
    const [page, total] = await Promise.all([listIncidents(deps.db, filter, window), countIncidents(deps.db, filter)]);
    const pagination = presentPagination(query, total, page);
    return { status: 200, body: { data: page.rows.map(presentSummary), pagination } };
  },
  getIncident: async ({ params }) => ({
    status: 200,
    body: presentIncident(await getIncident(deps.db, params.id)),
  }),
  acknowledgeIncident: async ({ params, body, principal, now, trx, audit }) => {
    const incident = await lockUnresolved(trx, params.id);
    const note = parseNotes(body?.note);
    const first = incident.acknowledged_at === null && { acknowledged_at: now, acknowledged_by: principal.adminId };
    const set = { ...first, ...(note !== null && { note }) };
    const saved = Object.keys(set).length > 0 ? await saveDecision(trx, incident.id, set) : incident;
    audit.note({ resourceId: params.id, metadata: { ...about(incident), ...(note !== null && { note }) } });
    return { status: 200, body: presentIncident(saved) };
  },
  retryIncident: async ({ params, now, trx, audit }) => {
    const { kind, subject } = await getIncident(deps.db, params.id);
    if (!isRetryable(kind)) {
      throw new AppError('CONFLICT', `Nothing can be tried again for an incident of the kind ${kind}.`);
    }
    // First what it is about, because that is locked before incidents everywhere.
    await deps.retries[kind](trx, subject, now);
    const incident = await lockUnresolved(trx, params.id);
    audit.note({ resourceId: params.id, metadata: about(incident) });
    return { status: 200, body: presentIncident(incident) };
  },
  resolveIncident: async ({ params, body, principal, now, trx, audit }) => {
    const { kind, subject } = await getIncident(deps.db, params.id);
    // As above: what it is about comes first.
    const holds = isLasting(kind) && (await deps.stillHolds[kind](trx, subject));
    const incident = await lockUnresolved(trx, params.id);
    if (holds) throw conflict(INCIDENT_KINDS[kind].cure);
    const note = parseNotes(body.note);
    if (note === null) throw invalidField('note', 'must not be blank');
    const saved = await saveDecision(trx, incident.id, { resolved_at: now, resolved_by: principal.adminId, note });
    audit.note({ resourceId: params.id, metadata: { ...about(incident), note } });
    return { status: 200, body: presentIncident(saved) };
  },
  getAlertChannel: async () => ({ status: 200, body: { ...deps.alerts, ...(await readChannel(deps.db)) } }),
});

/** A network that is listed, or that an incident was about: a slip must not look like quiet. */
async function requireNetwork({ db, networks }: IncidentDeps, name: string | undefined): Promise<void> {
  if (name === undefined || networks.includes(name) || (await countIncidents(db, { network: name })) > 0) return;
  throw invalidField('network', `must be one of: ${networks.join(', ')}`);
}

const about = ({ kind, subject }: IncidentRow) => ({ kind, subject });

const isKind = (name: string): name is IncidentKind => Object.hasOwn(INCIDENT_KINDS, name);

const isLasting = (name: string): name is LastingKind => isKind(name) && 'cure' in INCIDENT_KINDS[name];

const isRetryable = (name: string): name is RetryableKind => isKind(name) && 'retry' in INCIDENT_KINDS[name];
