import { fromBase64 } from './base64.ts';
import type { WebhookEvent } from './models.ts';
import { utf8 } from './utf8.ts';
import { BODY_MAX, bytesOfStream } from './webhook-body.ts';
import { signedContent } from './webhook-content.ts';
import { isSignedBy, type KeySource, keysOf } from './webhook-keys.ts';

/** The headers of a request, as fetch or Node provides them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyWebhookOptions = KeySource & {
  /** How far the timestamp may be from now, in seconds (default: 300). */
  readonly toleranceSeconds?: number | undefined;
  /** The time to compare with, for tests. */
  readonly now?: Date | undefined;
};

export type WebhookVerificationReason =
  | 'missing_header'
  | 'malformed'
  | 'timestamp_out_of_tolerance'
  | 'no_matching_signature';

/** The request is not a genuine webhook: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The body is longer than an event can be, and was not read to its end. */
export class WebhookTooLongError extends WebhookVerificationError {
  constructor() {
    super('malformed', `No event is longer than ${BODY_MAX} bytes.`);
  }
}

const TOLERANCE_SECONDS = 300;

/** The service signs with at most four keys; signatures beyond this number are ignored. */
const SIGNATURES_MAX = 10;

/** A request as fetch handlers get it: in Deno, Bun, edge runtimes and fetch-based frameworks. */
type WebhookRequest = Pick<Request, 'headers' | 'bodyUsed' | 'arrayBuffer'> & Partial<Pick<Request, 'body'>>;

/**
 * Returns the event if the merchant's key signed the body and the timestamp is within the tolerance, as Standard
 * Webhooks defines it (`v1a`, Ed25519, strict RFC 8032). Takes a fetch `Request` whose body is unread, and reads 1 MiB
 * of it at most; or `body` and `headers`: the body byte for byte, before any JSON parser. Handle each event once by its
 * `id`; new types may appear at any time. Throws `WebhookVerificationError` for a request that is not genuine,
 * `KasiError` when the keys can't be fetched, `TypeError` when a key is invalid or there is no such merchant.
 */
export function verifyWebhook(request: WebhookRequest, options: VerifyWebhookOptions): Promise<WebhookEvent>;
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  options: VerifyWebhookOptions,
): Promise<WebhookEvent>;
export async function verifyWebhook(
  ...args:
    | readonly [WebhookRequest, VerifyWebhookOptions]
    | readonly [string | Uint8Array, WebhookHeaders, VerifyWebhookOptions]
): Promise<WebhookEvent> {
  if (args.length === 3) {
    const [body, headers, options] = args;
    requireOptions(options);
    const bytes = bytesOf(body);
    return verify(parseHeaders(headers, options), () => bytes, options);
  }
  const [request, options] = args;
  requireRequest(request);
  requireOptions(options);
  // Refuses what can't be genuine before it reads the body.
  return verify(parseHeaders(request.headers, options), () => readBody(request), options);
}

/** What the headers say: which event was signed, when, and with which signatures. */
type Signed = { readonly id: string; readonly timestamp: string; readonly signatures: readonly Uint8Array[] };

function parseHeaders(headers: WebhookHeaders, options: VerifyWebhookOptions): Signed {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = parseSignatures(headerOf(headers, 'webhook-signature'));
  if (!/^\d{1,12}$/.test(timestamp)) throw malformed('webhook-timestamp is not a number of seconds.');
  const now = options.now ?? new Date();
  const skewSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  // Written so that a time that is no number is refused, too.
  if (!(skewSeconds <= (options.toleranceSeconds ?? TOLERANCE_SECONDS))) {
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `The webhook was signed ${Math.round(skewSeconds)} seconds from now. Is the clock right?`,
    );
  }
  if (signatures.length === 0) throw unmatched('webhook-signature holds no v1a signature.');
  return { id, timestamp, signatures };
}

async function verify(
  { id, timestamp, signatures }: Signed,
  read: () => Uint8Array | Promise<Uint8Array>,
  options: VerifyWebhookOptions,
): Promise<WebhookEvent> {
  const bytes = await read();
  const now = options.now ?? new Date();
  const message = signedContent(id, timestamp, bytes);
  const fits = (keys: readonly Uint8Array[]): boolean =>
    signatures.some((signature) => keys.some((key) => isSignedBy(key, message, signature)));
  if (!fits(await keysOf(options, false, now)) && !fits(await keysOf(options, true, now))) {
    throw unmatched(
      'No signature fits the body. Pass the body exactly as it arrived, and the keys of the merchant that it was sent to.',
    );
  }
  return parseEvent(bytes);
}

/** Types don't reach callers in JavaScript, and "Cannot read properties of undefined" helps nobody. */
function requireRequest(request: unknown): void {
  if (typeof (request as WebhookRequest | undefined)?.arrayBuffer === 'function') return;
  throw new TypeError(
    'verifyWebhook takes a fetch Request and options, or the raw body, the headers and options. The request of Express, Fastify or Node is neither: use the helpers of @kasi/client/webhooks, or pass its raw body and its headers.',
  );
}

function requireOptions(options: VerifyWebhookOptions | undefined): void {
  // A setting that is no number must not let in what is old.
  if (!((options?.toleranceSeconds ?? TOLERANCE_SECONDS) >= 0)) {
    throw new TypeError('toleranceSeconds is a number of seconds, 300 when it is left out.');
  }
  if (options && ('keys' in options ? options.keys : options.merchantId && options.baseUrl)) return;
  throw new TypeError(
    'verifyWebhook needs to know whose signature to accept: { baseUrl, merchantId } of the merchant, or { keys }. One of them is missing or empty.',
  );
}

async function readBody(request: WebhookRequest): Promise<Uint8Array> {
  if (request.bodyUsed) throw malformed('The body of the request was read before. Let verifyWebhook read it.');
  if (Number(request.headers.get('content-length')) > BODY_MAX) throw new WebhookTooLongError();
  // Some runtimes show no stream.
  const bytes = request.body ? await bytesOfStream(request.body) : new Uint8Array(await request.arrayBuffer());
  if (bytes === null || bytes.length > BODY_MAX) throw new WebhookTooLongError();
  return bytes;
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return utf8(body);
  if (body instanceof Uint8Array) return body;
  throw malformed(
    'The body has to be the text or the bytes of the request, not what a JSON parser made of it. In Express, put express.raw() on the route, not express.json().',
  );
}

/** The `v1a` signatures of the header, which may contain other schemes as well. */
function parseSignatures(header: string): readonly Uint8Array[] {
  const wanted = header.split(' ').filter((token) => token.startsWith('v1a,'));
  return wanted
    .slice(0, SIGNATURES_MAX)
    .map((token) => fromBase64(token.slice('v1a,'.length)))
    .filter((bytes) => bytes !== undefined)
    .filter((bytes) => bytes.length === 64);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : plainHeaderOf(headers, name);
  if (value === null || value === undefined || value === '') {
    throw new WebhookVerificationError('missing_header', `The request has no ${name}.`);
  }
  if (typeof value !== 'string') throw malformed(`The request has more than one ${name}.`);
  return value;
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function plainHeaderOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | readonly string[] | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) && found.length === 1 ? found[0] : found;
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent;
  } catch {
    throw malformed('The body is signed but is not JSON.');
  }
}

function unmatched(message: string): WebhookVerificationError {
  return new WebhookVerificationError('no_matching_signature', message);
}

function malformed(message: string): WebhookVerificationError {
  return new WebhookVerificationError('malformed', message);
}
