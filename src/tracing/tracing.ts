import type { ReadableSpan, SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { inTime } from '../lib/in-time.ts';
import { listen } from './listen.ts';
import type { TracingSettings } from './settings.ts';

export type Tracing = {
  /** What a line of the log says of the trace that it belongs to. */
  readonly logFields: () => object;
  /** Sends what is left, and listens no more. */
  readonly close: () => Promise<void>;
};

/** This process, as its traces name it. */
export type Traced = { readonly version: string; readonly instance: string; readonly mode: string };

const CLOSE_WITHIN_MS = 3000;
const ATTRIBUTE_MAX = 256;

/**
 * Makes traces of the service's work from now on, and sends them. Parts that ask whether anything listens when they are
 * made have to be made after it. `tell` is told why spans could not be sent.
 */
export async function openTracing(
  settings: TracingSettings,
  process: Traced,
  tell: (why: Error) => void,
): Promise<Tracing> {
  const [api, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  const { url, headers } = settings;
  const exporter = telling(new OTLPTraceExporter({ url, headers }), tell);
  const samplers = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    ratio: () => new sdk.TraceIdRatioBasedSampler(settings.ratio),
  };
  const provider: TracerProvider = new sdk.TracerProvider({
    sampler: new sdk.ParentBasedSampler({ root: samplers[settings.sampler]() }),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_MAX },
    resource: resourceFromAttributes({
      'service.version': process.version,
      'service.instance.id': process.instance,
      'deployment.environment.name': process.mode,
      ...settings.attributes,
      'service.name': settings.serviceName,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: settings.delayMs })],
  });
  const tracer = provider.getTracer('kasi', process.version);
  const listening = listen(tracer, { root: api.ROOT_CONTEXT, withSpan: api.trace.setSpan });
  return {
    logFields: listening.logFields,
    close: async () => {
      listening.stop();
      await inTime(provider.shutdown(), CLOSE_WITHIN_MS).catch(() => undefined);
    },
  };
}

/** Says why spans were not sent; a collector that is away must stop nothing. */
function telling(exporter: SpanExporter, tell: (why: Error) => void): SpanExporter {
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        // Without its code, by which it would look like a database that is away.
        if (result.error) tell(new Error(`${spans.length} spans were lost: ${result.error.message}`));
        done(result);
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
