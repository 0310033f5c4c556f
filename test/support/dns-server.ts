import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** A name server of the test's own, which may change its answers. */
export type DnsServer = {
  /** Its address, for a resolver's list of servers. */
  readonly address: string;
  /** The names that were queried, one entry per IPv4 query. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
};

const HEADER_BYTES = 12;
const IPV4 = 1;

/**
 * Answers IPv4 queries with what `answer` returns, uncacheable, and IPv6 queries with nothing (RFC 1035). One question
 * per packet, as all resolvers send.
 */
export async function startDnsServer(answer: (name: string) => readonly string[]): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    const addresses = type === IPV4 ? answer(name) : [];
    if (type === IPV4) asked.push(name);
    socket.send(respond(query.subarray(0, end), addresses), from.port, from.address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  const { port } = socket.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, asked, close: () => new Promise((done) => socket.close(() => done())) };
}

function readQuestion(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function respond(question: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2); // A response, without error.
  header.writeUInt16BE(addresses.length, 6);
  header.fill(0, 8);
  const records = addresses.map((address) =>
    // The name of the question, IPv4, Internet, uncacheable, four bytes.
    Buffer.from([0xc0, HEADER_BYTES, 0, IPV4, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...records]);
}
