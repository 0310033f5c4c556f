import { messageOf } from '../lib/errors.ts';
import type { Observation } from './judge.ts';

/** GETs a URL and parses its body as JSON. Rejects unless the answer is 2xx with JSON. */
export type FetchJson = (url: string) => Promise<unknown>;

/** A price at a public URL. Paths join property names and array indexes with dots: `data.rates.LKR`, `0.price`. */
export type HttpSource = {
  readonly name: string;
  /** `USD/LKR`: units of LKR in one USD. */
  readonly pair: string;
  readonly url: string;
  readonly value: string;
  /** Path of a time in Unix seconds, Unix milliseconds or ISO 8601. If absent, the price is as old as its answer. */
  readonly time?: string;
};

/** Unix seconds stay below this until the year 5138; milliseconds have been above it since 1973. */
const SECONDS_BELOW = 1e11;
const PRICE = /^(\d{1,10})(?:\.(\d+))?$/;

/**
 * Asks one source. Rejects with the source's name unless it answers with a price. `real`: wall time, read before the
 * request.
 */
export async function observe(source: HttpSource, fetchJson: FetchJson, real: Date): Promise<Observation> {
  try {
    return readObservation(source, await fetchJson(source.url), real);
  } catch (error) {
    throw new Error(`${source.name}: ${messageOf(error)}`, { cause: error });
  }
}

/** Reads an answer. Throws if value or time is not at its path. */
export function readObservation(source: HttpSource, answer: unknown, real: Date): Observation {
  const valueE8 = readPrice(follow(answer, source.value));
  if (valueE8 === undefined) throw new Error(`no price at ${source.value}`);
  if (source.time === undefined) return { source: source.name, valueE8, quotedAt: real };
  const quotedAt = readTime(follow(answer, source.time));
  if (quotedAt === undefined) throw new Error(`no time at ${source.time}`);
  return { source: source.name, valueE8, quotedAt };
}

function follow(value: unknown, path: string): unknown {
  let at = value;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** A JSON number or decimal string at scale 8, truncated. Negative prices become zero, which `judge` refuses. */
function readPrice(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  if (Number(value) < 0) return 0n;
  const match = PRICE.exec(typeof value === 'number' ? value.toFixed(8) : value.trim());
  return match ? BigInt(`${match[1]}${(match[2] ?? '').slice(0, 8).padEnd(8, '0')}`) : undefined;
}

function readTime(value: unknown): Date | undefined {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() ? Number(value) : Number.NaN;
  const ms = Number.isNaN(number) ? Date.parse(String(value)) : number < SECONDS_BELOW ? number * 1000 : number;
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
