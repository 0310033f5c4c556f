import { ed25519 } from '@noble/curves/ed25519.js';
import { toBase64 } from './base64.ts';
import { sampleEvents } from './certification-events.ts';
import { startDeadline } from './deadline.ts';
import type { Fetch } from './failures.ts';
import type { Reply } from './generated/certify/judge.ts';
import {
  type Check,
  drip,
  playSuite,
  type SuiteEvent,
  type SuiteRequest,
  verdictOf,
} from './generated/certify/play.ts';
import { signTestWebhook } from './test-webhooks.ts';
import { utf8 } from './utf8.ts';

/** Identifies an event of the certification, so that you can look up what your handler did with it. */
export type CertificationEvent = Pick<SuiteEvent, 'id' | 'type' | 'sequence' | 'paymentId'>;

/** One case of the certification, its result, and what to change. */
export type CertificationCheck = Check;

export type CertificationReport = {
  /** `passed` when no check failed; warnings are only advice. */
  readonly verdict: 'passed' | 'failed';
  readonly checks: readonly CertificationCheck[];
};

export type CertifyOptions = {
  /**
   * The signing key (`whsk_…`); your handler must accept its public key during the certification. See
   * `createTestWebhookKey`.
   */
  readonly secret: string;
  /**
   * How often your handler has acted on an event so far. Without it only answers are graded: whether a duplicate had
   * two effects, or an older event undid a newer one, is invisible from outside. If your handler works after its
   * answer, wait here until it has finished.
   */
  readonly countEffects?: ((event: CertificationEvent) => number | Promise<number>) | undefined;
  /**
   * Calls the handler; by default over the network. Pass a handler with the signature of fetch to certify it without a
   * server.
   */
  readonly fetch?: Fetch | undefined;
  /** The merchant that the events name. */
  readonly merchantId?: string | undefined;
  /** Aborts the certification; the remaining checks stay `pending`. */
  readonly signal?: AbortSignal | undefined;
};

/** Creates a key to sign webhooks in tests, with its public key for the handler. */
export function createTestWebhookKey(): { readonly secret: string; readonly publicKey: string } {
  const seed = ed25519.utils.randomSecretKey();
  const publicKey = ed25519.getPublicKey(seed);
  return {
    secret: `whsk_${toBase64(new Uint8Array([...seed, ...publicKey]))}`,
    publicKey: `whpk_${toBase64(publicKey)}`,
  };
}

/**
 * Certifies a webhook handler in your own tests, with the same cases as `webhooks.certify()`: a genuine event, a
 * duplicate, two events out of order, bad signatures, an old timestamp, an unknown type, a body that takes five
 * seconds, a body of 1 MiB. Takes a minute at most. Resolves with the report, whatever the handler does; throws
 * `TypeError` when the secret is invalid.
 */
export async function certifyHandler(url: string | URL, options: CertifyOptions): Promise<CertificationReport> {
  const { secret, signal = new AbortController().signal, countEffects } = options;
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const foreign = createTestWebhookKey().secret;
  const checks = await playSuite({
    makeEvent: sampleEvents(options.merchantId ?? 'mer_01jggf3t6he2nb5w8c4y7z9m1k'),
    sign: (id, body, ageSeconds, key) => {
      const now = new Date(Date.now() - ageSeconds * 1000);
      return signTestWebhook(body, { id, now, secret: key === 'genuine' ? secret : foreign }).headers;
    },
    send: (request) => send(fetch, String(url), request, signal),
    elapsedMs,
    countEffects,
    onProgress: () => undefined,
    signal,
  });
  return { verdict: verdictOf(checks), checks };
}

/** Sends one request of the suite. A handler that throws counts as a closed connection. */
async function send(fetch: Fetch, url: string, suite: SuiteRequest, signal: AbortSignal): Promise<Reply> {
  const startMs = performance.now();
  const deadline = startDeadline(suite.timeoutMs, signal);
  const durationMs = (): number => Math.round(performance.now() - startMs);
  try {
    const response = await fetch(requestOf(url, suite, deadline.signal));
    await response.body?.cancel();
    return { kind: 'answer', statusCode: response.status, durationMs: durationMs() };
  } catch {
    const failure = deadline.signal.aborted ? 'timeout' : 'connection_failed';
    return { kind: 'failure', failure, durationMs: durationMs() };
  } finally {
    deadline.clear();
  }
}

function requestOf(url: string, suite: SuiteRequest, signal: AbortSignal): Request {
  const bytes = utf8(suite.body) as Uint8Array<ArrayBuffer>;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Kasi-Webhooks/1',
    'content-length': String(bytes.length),
    ...suite.headers,
  };
  const init = { method: 'POST', headers, redirect: 'manual', signal } as const;
  if (suite.dripMs === 0) return new Request(url, { ...init, body: bytes });
  // A streamed body requires `duplex`, which the browser types don't know.
  const streamed = { ...init, body: streamOf(bytes, suite.dripMs), duplex: 'half' as const };
  return new Request(url, streamed);
}

const elapsedMs = (): number => performance.now();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Streams the pieces of a body over time. Not `ReadableStream.from`, which some runtimes lack. */
function streamOf(bytes: Uint8Array, dripMs: number): ReadableStream<Uint8Array> {
  const pieces = drip(bytes, dripMs, { sleep, elapsedMs });
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
}
