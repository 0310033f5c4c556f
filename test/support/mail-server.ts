import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as it arrived. */
export type Arrived = {
  readonly email: Email;
  /** Every byte. */
  readonly raw: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
};

/** What the server says to a command; undefined: it takes it. */
export type Say = { readonly code: number; readonly text: string } | 'hang' | undefined;

export type TestMailServer = {
  readonly port: number;
  readonly url: string;
  readonly mails: Arrived[];
  /** The mails to one address. */
  readonly to: (address: string) => readonly Arrived[];
  /** What it says from now on, to each of these commands. */
  says: Partial<Record<'connect' | 'login' | 'from' | 'to' | 'data', (of: string) => Say>>;
  readonly close: () => Promise<void>;
};

/**
 * A real SMTP server on loopback. It takes every mail, until it `says` something else. It offers no STARTTLS unless
 * `options` say so.
 */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<TestMailServer> {
  const says: TestMailServer['says'] = {};
  const mails: Arrived[] = [];
  const answer = (say: Say, done: (error?: Error) => void): void => {
    if (say === 'hang') return;
    done(say && Object.assign(new Error(say.text), { responseCode: say.code }));
  };
  const handlers: SMTPServerOptions = {
    onConnect: (_session, done) => answer(server.says.connect?.(''), done),
    onAuth: ({ username = '' }, _session, done) => {
      const say = server.says.login?.(username);
      if (say === undefined) done(null, { user: username });
      else answer(say, (error) => done(error ?? null));
    },
    onMailFrom: ({ address }, _session, done) => answer(server.says.from?.(address), done),
    onRcptTo: ({ address }, _session, done) => answer(server.says.to?.(address), done),
    onData: async (stream, { envelope, user }, done) => {
      const raw = await buffer(stream);
      const to = envelope.rcptTo.map(({ address }) => address);
      const say = server.says.data?.(to[0] ?? '');
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      if (say === undefined)
        mails.push({ email: await PostalMime.parse(raw), raw: raw.toString('utf8'), from, to, user: user?.toString() });
      answer(say, done);
    },
  };
  const smtp = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], hideSize: true, logger: false, closeTimeout: 100 },
    ...handlers,
    ...options,
  });
  smtp.on('error', () => undefined); // Of a client that went away.
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve));
  const address = smtp.server.address();
  const at = typeof address === 'object' && address ? address.port : 0;
  const server: TestMailServer = {
    port: at,
    url: `smtp://127.0.0.1:${at}`,
    mails,
    to: (wanted) => mails.filter(({ to }) => to.includes(wanted)),
    says,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
  return server;
}
