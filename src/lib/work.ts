import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';

/**
 * What the service tells of its work while it does it, by channels of Node.js. The parts that do the work know nothing
 * of what listens. While nothing does, telling costs a comparison. See decision tracing/told-by-channels.
 */
export const WORK = {
  /** From a request's first hook to its answer. */
  request: channelOf<RequestWork>('kasi:request'),
  /** One attempt at a transaction, with its commit. */
  transaction: channelOf<object>('kasi:transaction'),
  statement: channelOf<StatementWork>('kasi:statement'),
  /** One run of a job, or one look of a watcher at its chain. */
  job: channelOf<JobWork>('kasi:job'),
  /** One HTTP request of ours. */
  call: channelOf<CallWork>('kasi:call'),
};

export type RequestWork = {
  readonly id: string;
  readonly method: string;
  readonly scheme: string;
  /** Of the contract; undefined: a page, or an unknown path. */
  readonly operation: string | undefined;
  /** As the contract writes it: what takes the places of its parameters may be a secret. */
  readonly route: string | undefined;
  readonly traceparent: string | undefined;
  /** Known at its end. */
  status?: number;
  principal?: string | undefined;
};

export type StatementWork = {
  /** With `$1` where values stand. */
  readonly text: string;
};

export type JobWork = { readonly job: string };

export type CallWork = {
  readonly method: string;
  /** Of the URL only this is told: the rest may be a key. */
  readonly host: string;
  readonly scheme: string;
  /** The methods of JSON-RPC that go in it. */
  readonly rpc?: readonly string[];
  /** Of a webhook: the event that it brings. */
  readonly webhookId?: string | undefined;
};

/** What a channel adds to the work once it has ended. */
export type Ended = { readonly result?: unknown; readonly error?: unknown };

function channelOf<W extends object>(name: string): TracingChannel<unknown, W> {
  return tracingChannel<unknown, W>(name);
}

/** Does the work, and tells of it if anything listens. */
export function telling<W extends object, T>(
  channel: TracingChannel<unknown, W>,
  about: () => W,
  work: () => Promise<T>,
): Promise<T> {
  return channel.start.hasSubscribers ? channel.tracePromise(work, about()) : work();
}
