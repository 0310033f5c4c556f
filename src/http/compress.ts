import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { PageAnswer } from '../ports/page.ts';

export type Encoding = 'br' | 'gzip';

/** In the order in which we prefer them. */
const ENCODINGS = ['br', 'gzip'];
/** Fonts and images are compressed already. */
const TEXT = /^(?:text\/|image\/svg\+xml|application\/json)/;
/** Less than this fits into one packet as it is. */
const WORTH_BYTES = 1000;
const PAGE_QUALITY = 5;
const FILE_QUALITY = 11;
/** For files that would take seconds the best way: a tenth longer, and made in a twentieth of the time. */
const LARGE_QUALITY = 9;
const LARGE_BYTES = 200_000;
const UNPACKED_PIECE_BYTES = 512 * 1024;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const fromBrotli = promisify(brotliDecompress);

/** Static files are the same bytes in memory at every request: each is compressed once, as well as it can be. */
const files = new WeakMap<Uint8Array, Map<Encoding, Promise<Buffer>>>();

/**
 * The answer in an encoding that the browser takes, which makes a page a quarter of its size. See decision
 * http/pages-are-compressed.
 */
export async function compressed(answer: PageAnswer, acceptEncoding: string): Promise<PageAnswer> {
  const { body, type } = answer;
  if (!TEXT.test(type) || body.length < WORTH_BYTES) return answer;
  const headers = varying(answer.headers ?? {});
  const encoding = encodingOf(acceptEncoding);
  if (!encoding) return { ...answer, headers };
  const bytes = typeof body === 'string' ? await compress(body, encoding, PAGE_QUALITY) : await ofFile(body, encoding);
  return {
    ...answer,
    body: bytes,
    headers: { ...headers, ...marked(headers, encoding), 'content-encoding': encoding },
  };
}

/** The encoding that a browser takes and that we prefer; undefined when it wants the bytes as they are. */
export const encodingOf = (acceptEncoding: string): Encoding | undefined => {
  const preferred = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encodings(ENCODINGS);
  return ENCODINGS.find((each) => preferred.includes(each)) as Encoding | undefined;
};

function ofFile(body: Uint8Array, encoding: Encoding): Promise<Buffer> {
  const known = files.get(body) ?? new Map<Encoding, Promise<Buffer>>();
  files.set(body, known);
  const made = known.get(encoding) ?? compressFile(body, encoding);
  known.set(encoding, made);
  return made;
}

/**
 * A file as its reader takes it, for whoever keeps the result: a copy in memory of its own, because zlib's and small
 * buffers are pieces of larger ones, which would be kept with them.
 */
export async function compressFile(body: Uint8Array, encoding: Encoding): Promise<Buffer> {
  const made = await compress(body, encoding, body.length > LARGE_BYTES ? LARGE_QUALITY : FILE_QUALITY);
  return Buffer.from(new Uint8Array(made).buffer);
}

/** The bytes that were compressed. In large pieces, because the event loop takes each from another thread. */
export const unpackBrotli = (body: Uint8Array): Promise<Buffer> =>
  fromBrotli(body, { chunkSize: UNPACKED_PIECE_BYTES });

const compress = (body: string | Uint8Array, encoding: Encoding, quality: number): Promise<Buffer> =>
  encoding === 'br'
    ? toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
    : toGzip(body, { level: Math.min(quality, constants.Z_BEST_COMPRESSION) });

type Headers = Readonly<Record<string, string>>;

const varying = (headers: Headers): Headers => ({
  ...headers,
  vary: headers['vary'] ? `${headers['vary']}, accept-encoding` : 'accept-encoding',
});

/** A strong validator stands for exactly these bytes. */
const marked = ({ etag }: Headers, encoding: Encoding): Headers =>
  etag === undefined ? {} : { etag: etag.replace(/"$/, `-${encoding}"`) };
