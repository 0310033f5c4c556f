import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { recipientKey } from '../../src/mail/addresses.ts';
import type { ClaimedMail } from '../../src/mail/mail.ts';
import type { MailSettings } from '../../src/mail/settings.ts';
import { judge, type MailServer, openMailServer, type SmtpOptions } from '../../src/mail/smtp.ts';
import { LOCALHOST } from '../support/localhost-certificate.ts';
import { startMailServer, type TestMailServer } from '../support/mail-server.ts';

const MAIL: ClaimedMail = {
  ...{ id: 'mail_1', attempt: 1, createdAt: new Date('2026-01-01T10:00:00Z'), language: 'si' },
  ...{ recipient: 'nimal@example.org', replyTo: 'help@teahouse.example' },
  ...{ subject: 'රිසිට්පත', text: 'ස්තුතියි.\n', html: '<p>ස්තුතියි.</p>' },
};
const going = () => new AbortController().signal;

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const settings = (port: number, change: Partial<MailSettings> = {}): MailSettings => ({
  ...{ host: '127.0.0.1', port, secure: false, requireTls: false, login: null },
  from: { name: 'Kasi', address: 'receipts@kasi.example' },
  ...change,
});

function open(port: number, change: Partial<MailSettings> = {}, options: SmtpOptions = {}): MailServer {
  const server = openMailServer(settings(port, change), options);
  endings.push(server.close);
  return server;
}

async function start(options: Parameters<typeof startMailServer>[0] = {}): Promise<TestMailServer> {
  const server = await startMailServer(options);
  endings.push(server.close);
  return server;
}

/** A server that does what `serve` does with each connection. */
async function startRaw(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('where TLS is required', () => {
  const tls = { ...LOCALHOST, disabledCommands: [] };
  const required = { requireTls: true, login: { user: 'kasi', password: 's:cret' } };

  test('a mail and a login go over STARTTLS, or from the first byte', async () => {
    for (const secure of [false, true]) {
      const server = await start({ ...tls, secure });
      const mails = open(server.port, { ...required, secure }, { ca: LOCALHOST.cert });
      expect(await mails.verify()).toBeNull();
      expect(await mails.send(MAIL, going())).toEqual({ kind: 'sent' });
      expect(server.mails[0]).toMatchObject({ user: 'kasi', to: ['nimal@example.org'] });
    }
  });

  test('nothing is said to a server without it, or with a certificate that nobody vouches for', async () => {
    const [plain, unproven] = [await start(), await start(tls)];
    for (const [server, failure] of [
      [plain, '500 at STARTTLS'],
      [unproven, expect.stringMatching(/^(ETLS|ESOCKET)/)],
    ] as const) {
      const mails = open(server.port, required);
      expect(await mails.send(MAIL, going())).toEqual({ kind: 'trouble', failure });
      expect(await mails.verify()).toEqual(failure);
      expect(server.mails).toEqual([]);
    }
  });
});

test('the address that a mail is counted for is the one that it goes to, however the name of its host is written', async () => {
  const server = await start();
  const mails = open(server.port);
  const spelt = [
    'nimal@ｇｍａｉｌ.com',
    'nimal@\u{1d420}mail.com',
    'nimal@xn--mnchen-3ya.example',
    'nimal@MU\u0308NCHEN.example',
  ];
  for (const recipient of spelt) expect(await mails.send({ ...MAIL, recipient }, going())).toEqual({ kind: 'sent' });
  const reached = server.mails.map(({ to }) => to[0]);
  expect(reached).toEqual(['nimal@gmail.com', 'nimal@gmail.com', 'nimal@münchen.example', 'nimal@münchen.example']);
  expect(spelt.map(recipientKey)).toEqual(reached);
});

test('every attempt is the same mail: the same id and date, in UTF-8', async () => {
  const server = await start();
  const mails = open(server.port);
  await mails.send(MAIL, going());
  await mails.send({ ...MAIL, attempt: 2 }, going());
  const [first, second] = server.mails.map(({ email }) => email);
  expect(first).toMatchObject({ messageId: '<mail_1@kasi.example>', date: '2026-01-01T10:00:00.000Z' });
  expect([second?.messageId, second?.date, second?.text]).toEqual([first?.messageId, first?.date, first?.text]);
  expect([first?.subject, first?.text, first?.html]).toEqual(['රිසිට්පත', 'ස්තුතියි.\n', expect.stringContaining('ස්තුතියි.')]);
});

test('lines in a subject and lists in addresses stay where they are', async () => {
  const server = await start();
  const mails = open(server.port);
  const hostile = {
    ...{ ...MAIL, subject: 'Tea\r\nBcc: victim@example.org\r\n\r\nBody', language: 'en' },
    replyTo: 'a@b.example\r\nBcc: c@d.example',
  };
  await mails.send(hostile, going());
  for (const { email, to } of server.mails) {
    expect(to).toEqual(['nimal@example.org']);
    expect([email.bcc, email.cc, email.replyTo]).toEqual([undefined, undefined, undefined]);
  }
  expect(await mails.send({ ...MAIL, recipient: 'a@b.example, c@d.example' }, going())).toMatchObject({
    kind: 'refused',
  });
  expect(await mails.send({ ...MAIL, recipient: 'a@b.example>\r\nRCPT TO:<c@d.example' }, going())).toMatchObject({
    kind: 'refused',
  });
  expect(server.mails.flatMap(({ to }) => to)).toEqual(['nimal@example.org']);
});

describe('an attempt ends in time', () => {
  test.for([
    ['says nothing', () => undefined],
    ['says a letter now and then', (socket: Socket) => drip(socket)],
    ['hangs up', (socket: Socket) => socket.destroy()],
    ['speaks something else', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['says a line without end', (socket: Socket) => flood(socket)],
  ] as const)('with a server that %s', async ([, serve]) => {
    const port = await startRaw(serve);
    const mails = open(port, {}, { attemptMs: 400 });
    const began = performance.now();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => mails.send(MAIL, going())));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['trouble']));
    expect(await mails.verify()).not.toBeNull();
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('when the process stops', async () => {
    const port = await startRaw(() => undefined);
    const stopping = new AbortController();
    const sending = open(port).send(MAIL, stopping.signal);
    setTimeout(() => stopping.abort(), 50);
    expect(await sending).toMatchObject({ kind: 'trouble' });
  });

  test('also when it only looks whether the server works', async () => {
    const stopping = new AbortController();
    const port = await startRaw((socket) => {
      drip(socket);
      stopping.abort();
    });
    expect(await open(port).verify(stopping.signal)).toBe('stopped');
  });
});

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('2'), 30);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Socket): void {
  const go = (): void => {
    while (!socket.destroyed && socket.write('2'.repeat(65_536)));
    if (!socket.destroyed) socket.once('drain', go);
  };
  go();
}

test('a connection that stood idle and was closed costs no attempt', async () => {
  const first = await startMailServer();
  const mails = open(first.port);
  expect(await mails.send(MAIL, going())).toEqual({ kind: 'sent' });
  await first.close();
  const second = await startMailServer({}, first.port);
  endings.push(second.close);
  expect(await mails.send(MAIL, going())).toEqual({ kind: 'sent' });
  expect(second.mails).toHaveLength(1);
});

test.each([
  [
    { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 no' },
    'refused',
    '550 5.1.1 at RCPT TO',
  ],
  [
    { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 452, response: '452 4.2.2 full' },
    'deferred',
    '452 4.2.2 at RCPT TO',
  ],
  [
    { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 554, response: '554 5.7.1 no relay' },
    'doubtful',
    '554 5.7.1 at RCPT TO',
  ],
  [
    { code: 'EMESSAGE', command: 'DATA', responseCode: 554, response: '554 5.7.1 spam' },
    'refused',
    '554 5.7.1 at DATA',
  ],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550, response: '550 no' }, 'trouble', '550 at MAIL FROM'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 552, response: '552 no' }, 'refused', '552 at DATA'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 421, response: '421 bye' }, 'trouble', '421 at DATA'],
  [{ code: 'EENVELOPE', command: 'API' }, 'refused', 'EENVELOPE at API'],
  [{ code: 'EDNS', command: 'CONN' }, 'trouble', 'EDNS'],
  [{}, 'trouble', 'no answer'],
])('%o is %s', (error, kind, failure) => {
  expect(judge(error)).toEqual({ kind, failure });
});
