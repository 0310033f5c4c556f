import type { Observation } from './judge.ts';

/** GETs a URL and reads its body as JSON; rejects for anything but a 2xx answer with JSON in it. */
export type FetchJson = (url: string) => Promise<unknown>;

/**
 * A price at a public address. Paths name properties, and places in arrays, with dots between: `data.rates.LKR`,
 * `0.price`.
 */
export type HttpSource = {
  readonly name: string;
  /** `USD/LKR`: units of the second in one of the first. */
  readonly pair: string;
  readonly url: string;
  readonly value: string;
  /** Unix seconds, Unix milliseconds or ISO 8601. Left out, a price is as old as its answer. */
  readonly time?: string;
};

/** Unix seconds stay below this until the year 5138; milliseconds have been above it since 1973. */
const SECONDS_BELOW = 1e11;
const PRICE = /^(\d{1,10})(?:\.(\d+))?$/;

/**
 * Asks one source. Rejects, with its name, when what comes back is no price. `real` is wall time, read before the
 * request.
 */
export async function observe(source: HttpSource, fetchJson: FetchJson, real: Date): Promise<Observation> {
  try {
    return readObservation(source, await fetchJson(source.url), real);
  } catch (error) {
    throw new Error(`${source.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** What an answer says. Throws when the value or the time is not where the source says it is. */
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

/** A JSON number or decimal string at scale 8, further digits cut off. Negative ones are left to the judge, as zero. */
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
