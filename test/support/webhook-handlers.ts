import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from '../../clients/typescript/src/index.ts';

/** How a handler differs from a good one. */
export type Fault =
  | 'verifies nothing'
  | 'takes what is not signed'
  | 'takes any age'
  | 'parses before it verifies'
  | 'breaks down at a wrong signature'
  | 'refuses a duplicate'
  | 'refuses an older event'
  | 'refuses unknown types'
  | 'gives up on slow bodies'
  | 'acts twice'
  | 'falls back to older events'
  | 'answers before it acts, and never acts'
  | 'hangs up on forgeries'
  | 'redirects'
  | 'is not there';

export type ExampleHandler = {
  readonly url: string;
  /** How often it acted on an event. */
  readonly count: (event: { readonly id: string }) => number;
  /** The number of requests, whatever their outcome. */
  readonly requests: () => number;
  readonly close: () => Promise<void>;
};

const BODY_MAX_BYTES = 64 * 1024;
const KNOWN = ['payment.completed', 'payment.confirming'];

/** The state that a handler would keep in its database. */
type Kept = { readonly acted: Map<string, number>; readonly seen: Set<string>; readonly highest: Map<string, number> };

/** A webhook handler as a merchant may write it, on loopback: a good one, or one with a fault. It accepts `keys`. */
export async function startHandler(keys: () => Promise<string[]>, fault?: Fault): Promise<ExampleHandler> {
  const kept: Kept = { acted: new Map(), seen: new Set(), highest: new Map() };
  let requests = 0;
  const server = createServer((message, response) => {
    requests += 1;
    void answer(message, response, keys, kept, fault).catch(() => response.writeHead(500).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const isGone = fault === 'is not there';
  if (isGone) await close();
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    count: ({ id }) => kept.acted.get(id) ?? 0,
    requests: () => requests,
    close: async () => {
      if (!isGone) await close();
    },
  };
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  keys: () => Promise<string[]>,
  kept: Kept,
  fault: Fault | undefined,
): Promise<void> {
  if (fault === 'redirects') return void response.writeHead(302, { location: '/elsewhere' }).end();
  const body = await readBody(message, fault === 'gives up on slow bodies' ? 2000 : 60_000);
  if (typeof body === 'number') return void response.writeHead(body, { connection: 'close' }).end();
  try {
    const event = await verify(body, message.headers as WebhookHeaders, await keys(), fault);
    response.writeHead(act(event, kept, fault)).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    if (fault === 'hangs up on forgeries') return void message.socket.destroy();
    response.writeHead(fault === 'breaks down at a wrong signature' ? 500 : 400).end(error.reason);
  }
}

/** The body, or the status to refuse it with. */
async function readBody(message: IncomingMessage, patienceMs: number): Promise<Buffer | number> {
  const chunks: Buffer[] = [];
  let size = 0;
  const startMs = performance.now();
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > BODY_MAX_BYTES) return 413;
    if (performance.now() - startMs > patienceMs) return 408;
  }
  return Buffer.concat(chunks);
}

async function verify(
  body: Buffer,
  headers: WebhookHeaders,
  keys: string[],
  fault: Fault | undefined,
): Promise<WebhookEvent> {
  const parsed = JSON.parse(body.toString('utf8')) as WebhookEvent;
  if (fault === 'verifies nothing') return parsed;
  const unsigned = (headers as Record<string, unknown>)['webhook-signature'] === undefined;
  if (fault === 'takes what is not signed' && unsigned) return parsed;
  const bytes = fault === 'parses before it verifies' ? JSON.stringify(parsed, null, 1) : body;
  return verifyWebhook(bytes, headers, { keys, ...(fault === 'takes any age' && { toleranceSeconds: 1e9 }) });
}

/** Acts on the event; returns the response status. */
function act(event: WebhookEvent, kept: Kept, fault: Fault | undefined): number {
  if (!KNOWN.includes(event.type)) return fault === 'refuses unknown types' ? 422 : 204;
  if (kept.seen.has(event.id) && fault !== 'acts twice') return fault === 'refuses a duplicate' ? 409 : 204;
  kept.seen.add(event.id);
  const { id } = event.data as { id: string };
  if ((kept.highest.get(id) ?? 0) > event.sequence && fault !== 'falls back to older events') {
    return fault === 'refuses an older event' ? 409 : 204;
  }
  kept.highest.set(id, event.sequence);
  const isLost = fault === 'answers before it acts, and never acts';
  if (!isLost) kept.acted.set(event.id, (kept.acted.get(event.id) ?? 0) + 1);
  return 204;
}

type Grade = 'passed' | 'warning' | 'failed' | 'skipped';

/**
 * The suite's findings for each handler other than `passed`; `unseen` applies only when the handler's effects are
 * counted.
 */
export const EXPECTED: Readonly<
  Record<'none' | Fault, { readonly seen: Record<string, Grade>; readonly unseen?: Record<string, Grade> }>
> = {
  none: { seen: {} },
  'verifies nothing': { seen: { bad_signature: 'failed', missing_signature: 'failed', old_timestamp: 'failed' } },
  'takes what is not signed': { seen: { missing_signature: 'failed' } },
  'takes any age': { seen: { old_timestamp: 'failed' } },
  'parses before it verifies': { seen: { good_event: 'failed' } },
  'breaks down at a wrong signature': {
    seen: { bad_signature: 'warning', missing_signature: 'warning', old_timestamp: 'warning' },
  },
  'refuses a duplicate': { seen: { duplicate: 'failed' } },
  'refuses an older event': { seen: { out_of_order: 'failed' } },
  'refuses unknown types': { seen: { unknown_type: 'failed' } },
  'gives up on slow bodies': { seen: { slow_body: 'failed' } },
  'hangs up on forgeries': {
    seen: { bad_signature: 'warning', missing_signature: 'warning', old_timestamp: 'warning' },
  },
  'acts twice': { seen: {}, unseen: { duplicate: 'failed' } },
  'falls back to older events': { seen: {}, unseen: { out_of_order: 'failed' } },
  'answers before it acts, and never acts': {
    seen: {},
    unseen: { good_event: 'failed' },
  },
  redirects: { seen: { good_event: 'failed' } },
  'is not there': { seen: { good_event: 'failed' } },
};

/** The grades of all checks of a handler; once the first one fails, the others are skipped. */
export function gradesOf(fault: 'none' | Fault, names: readonly string[], counted: boolean): Record<string, Grade> {
  const { seen, unseen = {} } = EXPECTED[fault];
  const found = counted ? { ...seen, ...unseen } : seen;
  const rest: Grade = found['good_event'] === 'failed' ? 'skipped' : 'passed';
  return Object.fromEntries(names.map((name) => [name, found[name] ?? rest]));
}
