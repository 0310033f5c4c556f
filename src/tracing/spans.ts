import type { Attributes, Link, SpanKind } from '@opentelemetry/api';
import type { CallWork, Ended, JobWork, RequestWork, StatementWork, WORK } from '../lib/work.ts';
import { nameStatement } from './statement-name.ts';

/** What a span is called, and what it says from its start. */
export type Draft = {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly links?: readonly Link[];
};

/** What it says at its end. `error`: a class of errors, never a message, which may hold a value. */
export type Outcome = {
  readonly attributes?: Attributes;
  readonly error?: string | undefined;
  /** Whether something was done, by which a run is worth a trace. */
  readonly changed?: boolean;
};

/** How one sort of work becomes a span. */
export type Teller<W extends object = object> = {
  readonly sort: keyof typeof WORK;
  /** Alone: it begins a trace. Of a run only if something was done in it. */
  readonly begins: 'trace' | 'run' | 'nothing';
  readonly draft: (work: W) => Draft;
  readonly outcome: (work: W & Ended) => Outcome;
};

/** Kinds of spans, as numbers: they are a value of a package that is loaded only where there are traces. */
const INTERNAL = 0 as SpanKind.INTERNAL;
const SERVER = 1 as SpanKind.SERVER;
const CLIENT = 2 as SpanKind.CLIENT;
const POSTGRES = { 'db.system.name': 'postgresql' };
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** A SQLSTATE, a code of ours or of Node.js, or the name of a class. */
function classOf(error: unknown): string {
  const { code, name, problem } = (error ?? {}) as { code?: unknown; name?: unknown; problem?: unknown };
  for (const each of [code, problem, name]) if (typeof each === 'string' && /^[\w.-]{1,60}$/.test(each)) return each;
  return '_OTHER';
}

const classIn = ({ error }: Ended): string | undefined => (error === undefined ? undefined : classOf(error));

const request: Teller<RequestWork> = {
  sort: 'request',
  begins: 'trace',
  draft: ({ id, method, scheme, operation, route, traceparent }) => ({
    name: operation ?? (route === undefined ? method : `${method} ${route}`),
    kind: SERVER,
    attributes: {
      ...{ 'http.request.method': method, 'url.scheme': scheme, 'kasi.request_id': id },
      ...(route !== undefined && { 'http.route': route }),
      ...(operation !== undefined && { 'kasi.operation': operation }),
    },
    links: linksTo(traceparent),
  }),
  outcome: ({ status = 0, principal }) => ({
    attributes: {
      'http.response.status_code': status,
      ...(principal !== undefined && { 'kasi.principal': principal }),
    },
    error: status >= 500 ? String(status) : undefined,
    changed: true,
  }),
};

/** The caller's trace is linked, and not continued. See decision tracing/callers-are-linked. */
function linksTo(traceparent: string | undefined): Link[] {
  const [, traceId = '', spanId = ''] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(traceparent ?? '') ?? [];
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return [];
  return [{ context: { traceId, spanId, traceFlags: 0, isRemote: true } }];
}

const transaction: Teller = {
  sort: 'transaction',
  begins: 'nothing',
  draft: () => ({ name: 'transaction', kind: INTERNAL, attributes: POSTGRES }),
  outcome: (work) => ({ error: classIn(work) }),
};

const statement: Teller<StatementWork> = {
  sort: 'statement',
  begins: 'nothing',
  draft: ({ text }) => {
    const { summary, operation, table } = nameStatement(text);
    return {
      name: summary,
      kind: CLIENT,
      attributes: {
        ...POSTGRES,
        ...{ 'db.query.summary': summary, 'db.operation.name': operation },
        ...(table !== undefined && { 'db.collection.name': table }),
      },
    };
  },
  outcome: (work) => {
    const error = classIn(work);
    const { command, rowCount } = (work.result ?? {}) as { command?: unknown; rowCount?: unknown };
    const rows = typeof rowCount === 'number' ? rowCount : undefined;
    return {
      error,
      attributes: {
        ...(error !== undefined && { 'db.response.status_code': error }),
        ...(rows !== undefined && { 'db.response.returned_rows': rows }),
      },
      changed: rows !== undefined && rows > 0 && (CHANGES.has(String(command)) || nameStatement(work.text).calls),
    };
  },
};

const job: Teller<JobWork> = {
  sort: 'job',
  begins: 'run',
  draft: ({ job: name }) => ({ name: `job ${name}`, kind: INTERNAL, attributes: { 'kasi.job': name } }),
  outcome: (work) => ({ error: classIn(work) }),
};

const call: Teller<CallWork> = {
  sort: 'call',
  begins: 'nothing',
  draft: ({ method, scheme, host, rpc, webhookId }) => ({
    name: rpc ? `${method} ${rpc.join(' ')}`.slice(0, 80) : method,
    kind: CLIENT,
    attributes: {
      ...{ 'http.request.method': method, 'url.scheme': scheme, 'server.address': host },
      ...(rpc && { 'rpc.system.name': 'jsonrpc', 'rpc.method': rpc.join(' ') }),
      ...(webhookId !== undefined && { 'kasi.webhook_id': webhookId }),
    },
  }),
  outcome: (work) => {
    const { statusCode, failure } = (work.result ?? {}) as { statusCode?: unknown; failure?: unknown };
    const status = typeof statusCode === 'number' ? statusCode : undefined;
    const refused = status !== undefined && status >= 400 ? String(status) : undefined;
    return {
      error: classIn(work) ?? (typeof failure === 'string' ? failure : refused),
      attributes: status === undefined ? {} : { 'http.response.status_code': status },
    };
  },
};

export const TELLERS = [request, transaction, statement, job, call] as readonly Teller[];
