import { describe, expect, test } from 'vitest';
import { readTracing } from '../../src/tracing/settings.ts';

function read(env: Record<string, string>) {
  const problems: string[] = [];
  const settings = readTracing((name) => env[name]?.trim() || null, problems);
  return { settings, problems };
}

const PLACE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

test.each([
  [{}],
  [{ OTEL_SERVICE_NAME: 'shop' }],
  [{ ...PLACE, OTEL_SDK_DISABLED: 'true' }],
  [{ ...PLACE, OTEL_TRACES_EXPORTER: 'none' }],
])('there are no traces with %j', (env) => {
  expect(read(env)).toEqual({ settings: null, problems: [] });
});

test('they go to the place that is named, of their own or below the common one', () => {
  expect(read(PLACE).settings).toEqual({
    ...{ url: 'http://collector:4318/v1/traces', headers: {}, serviceName: 'kasi', attributes: {} },
    ...{ sampler: 'always_on', ratio: 1, delayMs: 5000 },
  });
  const own = { ...PLACE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' };
  expect(read(own).settings?.url).toBe('https://traces.example/in');
  expect(read({ OTEL_TRACES_EXPORTER: 'otlp' }).settings?.url).toBe('http://localhost:4318/v1/traces');
});

test('names, headers and attributes are read as the standard says', () => {
  const env = {
    ...PLACE,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb, x-team = pay ',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test',
  };
  expect(read(env).settings).toMatchObject({
    headers: { authorization: 'Bearer a,b', 'x-team': 'pay' },
    serviceName: 'other',
    attributes: { 'deployment.environment.name': 'test' },
  });
  expect(read({ ...env, OTEL_SERVICE_NAME: 'kasi-eu' }).settings?.serviceName).toBe('kasi-eu');
});

test.each([
  ['always_off', '', { sampler: 'always_off', ratio: 1 }],
  ['parentbased_always_on', '', { sampler: 'always_on', ratio: 1 }],
  ['parentbased_traceidratio', '0.05', { sampler: 'ratio', ratio: 0.05 }],
])('the sampler %s %s', (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, expected) => {
  expect(read({ ...PLACE, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }).settings).toMatchObject(expected);
});

describe('what is wrong is said, without a value that may be a secret', () => {
  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL$/],
    [{ ...PLACE, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL is "grpc".*4318/],
    [{ ...PLACE, OTEL_TRACES_EXPORTER: 'zipkin' }, /^OTEL_TRACES_EXPORTER is "zipkin"/],
    [{ ...PLACE, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /^OTEL_TRACES_SAMPLER is "jaeger_remote"/],
    [{ ...PLACE, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '5' }, /_ARG must be a number from 0/],
    [
      { ...PLACE, OTEL_EXPORTER_OTLP_HEADERS: 'secret' },
      /^OTEL_EXPORTER_OTLP_HEADERS must be a list such as key=value/,
    ],
    [{ ...PLACE, OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, /^OTEL_EXPORTER_OTLP_HEADERS must be a list such as key=value/],
    [{ ...PLACE, OTEL_BSP_SCHEDULE_DELAY: '0' }, /^OTEL_BSP_SCHEDULE_DELAY must be/],
  ])('%j', (env, expected) => {
    expect(read(env).problems).toEqual([expect.stringMatching(expected)]);
  });
});
