import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import { type Ended, WORK } from '../lib/work.ts';
import { type Outcome, TELLERS, type Teller } from './spans.ts';

/** A span that is open, or has just ended. */
type Active = {
  readonly sort: Teller['sort'];
  readonly span: Span;
  readonly context: Context;
  readonly root: Root;
  readonly isRoot: boolean;
};

/** What the spans of one trace share. */
type Root = {
  /** Ends of spans that wait until something was done; null: nothing waits. */
  held: (() => void)[] | null;
  children: number;
  leftOut: number;
  ended: boolean;
};

/** Of a trace. A run through a thousand rows would fill the queue, and the screen. */
const CHILDREN_MAX = 500;
const ERROR_STATUS = 2;

/** What `@opentelemetry/api` gives, which is loaded only where there are traces. */
type Contexts = {
  readonly root: Context;
  readonly withSpan: (context: Context, span: Span) => Context;
};

export type Listening = {
  /** What a line of the log says of the trace that it belongs to. */
  readonly logFields: () => object;
  readonly stop: () => void;
};

/** Makes spans of what the service tells of its work (`lib/work.ts`). */
export function listen(tracer: Tracer, contexts: Contexts): Listening {
  const store = new AsyncLocalStorage<Active | undefined>();
  const open = new WeakMap<object, Active>();

  const begin = (teller: Teller, work: object): Active | undefined => {
    const known = open.get(work); // A request that goes on, or writes its line.
    if (known) return known;
    const found = store.getStore();
    const parent = found?.root.ended ? undefined : found; // What a request has started, such as a timer, outlives it.
    if (!parent && teller.begins === 'nothing') return undefined;
    // A look-up is a statement by itself, and so is the one that it goes with.
    if (parent && (parent.sort === 'statement' || !parent.span.isRecording())) return parent;
    const root = parent?.root ?? { held: teller.begins === 'run' ? [] : null, children: 0, leftOut: 0, ended: false };
    if (parent && root.children >= CHILDREN_MAX) {
      root.leftOut += 1;
      return parent;
    }
    if (parent) root.children += 1;
    const { name, kind, attributes, links = [] } = teller.draft(work);
    const above = parent?.context ?? contexts.root;
    const span = tracer.startSpan(name, { kind, attributes, links: [...links] }, above);
    const active = { sort: teller.sort, span, context: contexts.withSpan(above, span), root, isRoot: !parent };
    open.set(work, active);
    return active;
  };

  const end = (teller: Teller, work: object & Ended): void => {
    const active = open.get(work);
    if (active) finish(active, teller.outcome(work));
  };

  const channels = TELLERS.map((teller) => {
    const { start, asyncEnd } = WORK[teller.sort];
    const ended = (work: unknown): void => quietly(() => end(teller, work as object), undefined);
    start.bindStore(store, (work) => quietly(() => begin(teller, work as object), store.getStore()));
    asyncEnd.subscribe(ended);
    return { start, asyncEnd, ended };
  });
  return {
    logFields: () => {
      const context = store.getStore()?.span.spanContext();
      return context && context.traceFlags > 0 ? { trace_id: context.traceId, span_id: context.spanId } : {};
    },
    stop: () => {
      for (const { start, asyncEnd, ended } of channels) {
        start.unbindStore(store);
        asyncEnd.unsubscribe(ended);
      }
    },
  };
}

/** Ends a span, or holds its end until something was done in its run. */
function finish({ span, root, isRoot }: Active, { attributes = {}, error, changed }: Outcome): void {
  span.setAttributes(attributes);
  if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: ERROR_STATUS });
  const at = performance.timeOrigin + performance.now();
  if (changed || error !== undefined) release(root);
  if (isRoot) {
    root.ended = true;
    if (root.leftOut > 0) span.setAttribute('kasi.spans_left_out', root.leftOut);
    if (root.held)
      root.held = []; // Nothing was done: neither it nor its parts are sent.
    else span.end(at);
  } else if (root.held) root.held.push(() => span.end(at));
  else span.end(at);
}

function release(root: Root): void {
  for (const endHeld of root.held ?? []) endHeld();
  root.held = null;
}

/** A fault here must not become one of the service. Node.js would end the process. */
function quietly<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
