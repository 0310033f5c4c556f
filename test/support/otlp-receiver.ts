import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** A span as a collector got it. */
export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  readonly ms: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
};

export type OtlpReceiver = {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly resources: Readonly<Record<string, unknown>>[];
  /** Everything that was sent, headers included, as it came. */
  readonly raw: () => string;
  readonly close: () => void;
};

/** A collector of OpenTelemetry for OTLP over HTTP with protobuf (opentelemetry-proto, `trace/v1/trace.proto`). */
export async function startOtlpReceiver(answer = 200): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const resources: Readonly<Record<string, unknown>>[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    bodies.push(`${JSON.stringify(request.headers)}\n${bytes.toString('latin1')}`);
    if (request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf') {
      for (const group of fieldsOf(bytes).all(1)) {
        resources.push(attributesOf(fieldsOf(fieldsOf(group).one(1)).all(1)));
        for (const scope of fieldsOf(group).all(2)) spans.push(...fieldsOf(scope).all(2).map(readSpan));
      }
    }
    response.writeHead(answer, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ spans, resources, raw: () => bodies.join('\n') },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function readSpan(bytes: Buffer): ReceivedSpan {
  const span = fieldsOf(bytes);
  const hex = (field: number): string => span.one(field).toString('hex');
  const time = (field: number): bigint => span.one(field).readBigUInt64LE();
  return {
    ...{ traceId: hex(1), spanId: hex(2), parentId: hex(4), name: span.one(5).toString(), kind: span.number(6) },
    ms: Number(time(8) - time(7)) / 1e6,
    attributes: attributesOf(span.all(9)),
    links: span.all(13).map((link) => ({
      traceId: fieldsOf(link).one(1).toString('hex'),
      spanId: fieldsOf(link).one(2).toString('hex'),
    })),
    isError: fieldsOf(span.one(15)).number(3) === 2,
  };
}

function attributesOf(pairs: readonly Buffer[]): Record<string, unknown> {
  const entries = pairs.map((pair) => {
    const value = fieldsOf(fieldsOf(pair).one(2));
    const text = value.all(1)[0];
    return [fieldsOf(pair).one(1).toString(), text === undefined ? value.number(3) : text.toString()];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** The fields of a message of protobuf, by their numbers. */
function fieldsOf(bytes: Buffer) {
  const found = new Map<number, (Buffer | number)[]>();
  let at = 0;
  const varint = (): number => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const type = tag & 7;
    const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : varint());
    found.set(tag >> 3, [...(found.get(tag >> 3) ?? []), value]);
  }
  const all = (field: number): Buffer[] => (found.get(field) ?? []).filter((each) => typeof each !== 'number');
  return {
    all,
    one: (field: number): Buffer => all(field)[0] ?? Buffer.alloc(0),
    number: (field: number): number => (found.get(field) ?? []).find((each) => typeof each === 'number') ?? 0,
  };
}
