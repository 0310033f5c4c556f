import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import type { IterateQueryOf } from './contract.ts';
import { KasiError } from './errors.ts';
import type { SealedEvent, WebhookEvent } from './models.ts';
import type { Operation } from './operation.ts';
import type { CallOptions, Transport } from './transport.ts';
import { utf8 } from './utf8.ts';

/** How far a feed was read: the position of an event, and its hash, which covers everything up to it. */
export type EventPosition = { readonly position: number; readonly hash: string };

/** Handles an event. Once it has returned, `at` is where to continue: store it together with what you did. */
export type HandleEvent = (event: WebhookEvent, at: EventPosition) => unknown;

export type EventFeedReason = 'missing' | 'broken_chain' | 'wrong_hash' | 'wrong_body';

/** The feed is incomplete or was changed. Everything before `position` was correct and has been handled. */
export class EventFeedError extends Error {
  override readonly name = 'EventFeedError';
  readonly reason: EventFeedReason;
  /** The first position that is wrong. */
  readonly position: number;

  constructor(reason: EventFeedReason, position: number, message: string) {
    super(message);
    this.reason = reason;
    this.position = position;
  }
}

type FeedRoute = 'GET /v1/events';

// Interfaces keep their names in the published types.
export interface FeedOperation
  extends Operation<
    FeedRoute,
    (
      query?: IterateQueryOf<FeedRoute> | undefined,
      options?: CallOptions | undefined,
    ) => AsyncGenerator<SealedEvent, void, undefined>
  > {}
export interface SyncOperation
  extends Operation<
    FeedRoute,
    (after: number | EventPosition, handle: HandleEvent, options?: CallOptions | undefined) => Promise<EventPosition>
  > {}

const PAGE_SIZE = 100;
const HASH = /^[0-9a-f]{64}$/;
const TAG = utf8('event-v1\0');
const GENESIS: EventPosition = { position: 0, hash: '0'.repeat(64) };

/**
 * Every event of the feed after position `after` (default: from the beginning) to its end. `limit` is the page size
 * (default: 100).
 */
export function feed(route: FeedRoute): FeedOperation {
  const bind: FeedOperation['bind'] =
    (transport) =>
    ({ after = 0, limit = PAGE_SIZE } = {}, options) =>
      readFeed(transport, route, { after, limit }, options);
  return { route, open: false, bind };
}

/**
 * Reads the feed from `after` (0 for the beginning, or what an earlier call returned) to its end, and calls `handle`
 * with each event in order. Proves that no event is missing or changed: positions have no gaps, and each event's hash
 * covers its body and the hash before. Skips events whose bodies are gone (`pruned`), because nobody paid the payment
 * that they were about; only their places and hashes are proven. With an `EventPosition` the proof reaches back to the
 * first event; with a number, to that position. Returns how far it came. Throws `EventFeedError` before the first wrong
 * event, whatever `handle` throws, and `KasiError` like any call; continue later from the last position you stored.
 */
export function sync(route: FeedRoute): SyncOperation {
  const bind: SyncOperation['bind'] = (transport) => async (after, handle, options) => {
    const begin = parseStart(after);
    // Reads the last handled event again, to learn its hash and check that it is unchanged.
    const entries = readFeed(transport, route, { after: Math.max(0, begin.position - 1), limit: PAGE_SIZE }, options);
    let last = begin.position === 0 ? GENESIS : null;
    for await (const entry of entries) {
      if (last === null) {
        last = checkStart(entry, begin);
        continue;
      }
      const event = checkNext(entry, last);
      options?.signal?.throwIfAborted();
      const at = { position: entry.position, hash: entry.hash };
      if (event !== null) await handle(event, at);
      last = at;
    }
    return last ?? missing(begin.position, 'the feed ends before it');
  };
  return { route, open: false, bind };
}

/**
 * The entries after a position, page by page. Throws `KasiError` `UNEXPECTED_RESPONSE` for an answer that isn't a feed,
 * or makes no progress.
 */
async function* readFeed(
  transport: Transport,
  route: FeedRoute,
  query: { readonly after: number; readonly limit: number },
  options: CallOptions | undefined,
): AsyncGenerator<SealedEvent, void, undefined> {
  for (let { after } = query; ; ) {
    const exchange = { route, open: false, path: {}, query: { ...query, after } };
    const { data, hasMore } = parsePage(await transport.call(exchange, options));
    yield* data;
    if (!hasMore) return;
    const next = data.at(-1)?.position ?? after;
    if (next <= after) throw unexpected('The feed says that there is more, and does not show it.');
    after = next;
  }
}

function parsePage(body: unknown): { readonly data: readonly SealedEvent[]; readonly hasMore: boolean } {
  const { data, hasMore } = (body ?? {}) as { readonly data?: unknown; readonly hasMore?: unknown };
  if (Array.isArray(data) && data.every(isEntry) && typeof hasMore === 'boolean') return { data, hasMore };
  throw unexpected('The answer is not a piece of the feed.');
}

function isEntry(value: unknown): value is SealedEvent {
  const { position, id, type, previousHash, hash, body } = (value ?? {}) as Partial<SealedEvent>;
  return typeof position === 'number' && [id, type, previousHash, hash, body].every((text) => typeof text === 'string');
}

type Start = { readonly position: number; readonly hash: string | null };

function parseStart(after: number | EventPosition): Start {
  const start = typeof after === 'number' ? { position: after, hash: null } : after;
  if (Number.isSafeInteger(start?.position) && start.position >= 0) return start;
  throw new TypeError('after is 0, the position of an event, or what an earlier sync returned.');
}

/** Checks that the last handled event is still there and unchanged. */
function checkStart(entry: SealedEvent, { position, hash }: Start): EventPosition {
  if (entry.position !== position) missing(position, `${entry.position} stands in its place`);
  if (!hasItsHash(entry) || (hash !== null && entry.hash !== hash)) {
    throw new EventFeedError('wrong_hash', position, `Event ${position} of the feed is not the one that you read.`);
  }
  return { position, hash: entry.hash };
}

/** Checks that an event follows the one before it; null for one whose body was pruned. */
function checkNext(entry: SealedEvent, last: EventPosition): WebhookEvent | null {
  const position = last.position + 1;
  if (entry.position !== position) missing(position, `${entry.position} stands in its place`);
  if (entry.previousHash !== last.hash) {
    throw new EventFeedError(
      'broken_chain',
      position,
      `Event ${position} of the feed does not follow the one before it: that one, or what led to it, was changed.`,
    );
  }
  if (!hasItsHash(entry)) {
    throw new EventFeedError('wrong_hash', position, `Event ${position} of the feed does not have its own hash.`);
  }
  return isPruned(entry) ? null : parseBody(entry);
}

const isPruned = ({ pruned, body }: SealedEvent): boolean => pruned === true && body === '';

/** What is hashed of a pruned event is gone. The event behind it names its hash, so nothing can stand in its place. */
const hasItsHash = (entry: SealedEvent): boolean =>
  isPruned(entry) ? HASH.test(entry.hash) : entry.hash === hashOf(entry);

function parseBody({ body, id, type, position }: SealedEvent): WebhookEvent {
  try {
    const event = JSON.parse(body) as WebhookEvent;
    if (event.id === id && event.type === type) return event;
  } catch {
    // Reported below.
  }
  throw new EventFeedError('wrong_body', position, `The body of event ${position} of the feed is not that of ${id}.`);
}

/**
 * SHA-256 over a tag, the position as 8 bytes, the hash before and the body; empty when the hash before is malformed.
 */
function hashOf({ position, previousHash, body }: SealedEvent): string {
  if (!HASH.test(previousHash)) return '';
  const place = new Uint8Array(8);
  new DataView(place.buffer).setBigUint64(0, BigInt(position));
  return bytesToHex(sha256(concatBytes(TAG, place, hexToBytes(previousHash), utf8(body))));
}

function missing(position: number, found: string): never {
  throw new EventFeedError('missing', position, `Event ${position} of the feed is missing: ${found}.`);
}

const unexpected = (message: string): KasiError => new KasiError('UNEXPECTED_RESPONSE', message, { status: 200 });
