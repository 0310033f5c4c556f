/** Where traces go, and which. */
export type TracingSettings = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sampler: 'always_on' | 'always_off' | 'ratio';
  /** Of all traces, with the sampler `ratio`. */
  readonly ratio: number;
  /** How long spans wait for others to go with. */
  readonly delayMs: number;
};

/** A setting of the process; null where it is missing or empty. */
type Read = (name: string) => string | null;

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'];
const LOCAL_COLLECTOR = 'http://localhost:4318';
const PROTOCOL = 'http/protobuf';

/**
 * Reads the standard settings of OpenTelemetry; null: there are no traces. What names a place, or the exporter, turns
 * them on. Time limits, compression and certificates (`OTEL_EXPORTER_OTLP_…`) are read by the exporter itself.
 */
export function readTracing(read: Read, problems: string[]): TracingSettings | null {
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  const exporter = read('OTEL_TRACES_EXPORTER');
  if (exporter === 'none') return null;
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const shared = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (own === null && shared === null && exporter === null) return null;
  if (exporter !== null && exporter !== 'otlp')
    problems.push(`OTEL_TRACES_EXPORTER is "${exporter}"; it must be one of: otlp, none`);
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? read('OTEL_EXPORTER_OTLP_PROTOCOL') ?? PROTOCOL;
  if (protocol !== PROTOCOL)
    problems.push(
      `OTEL_EXPORTER_OTLP_PROTOCOL is "${protocol}"; traces are sent by ${PROTOCOL} (port 4318 of collectors)`,
    );
  const name = own === null ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const url = own ?? `${(shared ?? LOCAL_COLLECTOR).replace(/\/+$/, '')}/v1/traces`;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) problems.push(`${name} must be an http or https URL`);
  const { 'service.name': named, ...attributes } = readList(read, 'OTEL_RESOURCE_ATTRIBUTES', problems);
  return {
    url,
    headers: {
      ...readList(read, 'OTEL_EXPORTER_OTLP_HEADERS', problems),
      ...readList(read, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS', problems),
    },
    serviceName: read('OTEL_SERVICE_NAME') ?? named ?? 'kasi',
    attributes,
    ...readSampler(read, problems),
    delayMs: readDelay(read, problems),
  };
}

function readDelay(read: Read, problems: string[]): number {
  const delayMs = Number(read('OTEL_BSP_SCHEDULE_DELAY') ?? '5000');
  if (!(delayMs >= 1 && delayMs <= 60_000)) problems.push('OTEL_BSP_SCHEDULE_DELAY must be a number from 1 to 60000');
  return delayMs;
}

/** No trace has a parent beyond this process, so that of `parentbased_…` decides nothing. */
function readSampler(read: Read, problems: string[]): Pick<TracingSettings, 'sampler' | 'ratio'> {
  const name = (read('OTEL_TRACES_SAMPLER') ?? 'always_on').replace(/^parentbased_/, '');
  if (!SAMPLERS.includes(name))
    problems.push(
      `OTEL_TRACES_SAMPLER is "${name}"; it must be one of: ${SAMPLERS.join(', ')}, also behind parentbased_`,
    );
  const ratio = Number(read('OTEL_TRACES_SAMPLER_ARG') ?? '1');
  if (name !== 'traceidratio') return { sampler: name as 'always_on' | 'always_off', ratio: 1 };
  if (!(ratio >= 0 && ratio <= 1)) problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  return { sampler: 'ratio', ratio };
}

/** `key=value,key2=value2`, with values percent-encoded. A problem names no value: it may be a secret. */
function readList(read: Read, name: string, problems: string[]): Record<string, string> {
  const pairs = (read(name) ?? '').split(',').filter((part) => part.trim() !== '');
  const found = pairs.map((pair) => readPair(pair));
  if (found.includes(undefined)) problems.push(`${name} must be a list such as key=value,other=value`);
  return Object.fromEntries(found.filter((pair) => pair !== undefined));
}

function readPair(pair: string): [string, string] | undefined {
  const at = pair.indexOf('=');
  const key = pair.slice(0, at).trim();
  if (at < 0 || key === '') return undefined;
  try {
    return [key, decodeURIComponent(pair.slice(at + 1).trim())];
  } catch {
    return undefined;
  }
}
