import { createTransport } from 'nodemailer';
import { SECOND_MS } from '../lib/clock.ts';
import { isPlainAddress } from './addresses.ts';
import { AT_ONCE, type ClaimedMail } from './mail.ts';
import type { MailSettings } from './settings.ts';

/**
 * What became of an attempt. `refused`: this mail will never be taken. `deferred`: not now. `trouble`: nothing can be
 * said of the mail, because of the server. `doubtful`: either; see decision mail/two-make-a-trouble.
 */
export type Outcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'deferred' | 'doubtful' | 'trouble'; readonly failure: string };

export type MailServer = {
  /** Its host and port. */
  readonly name: string;
  /** Makes one attempt and never throws; it ends in time, whatever the server does. */
  readonly send: (mail: ClaimedMail, signal: AbortSignal) => Promise<Outcome>;
  /** What is wrong with it; null when it answers and takes our login. Never throws, and waits no longer than `stop`. */
  readonly verify: (stop?: AbortSignal) => Promise<string | null>;
  readonly close: () => void;
};

/** An attempt ends after this, although the server says something now and then. */
const ATTEMPT_MS = 45 * SECOND_MS;
const ANSWER_MS = 15 * SECOND_MS;

/** For tests: a certificate authority of their own, and less patience. */
export type SmtpOptions = { readonly ca?: string; readonly attemptMs?: number };

/** The server of these settings, and a pool of connections to it. Nothing is connected yet. */
export function openMailServer(settings: MailSettings, options: SmtpOptions = {}): MailServer {
  const { attemptMs = ATTEMPT_MS } = options;
  const transport = openTransport(settings, options);
  const domain = settings.from.address.split('@').at(-1);
  return {
    name: `${settings.host}:${settings.port}`,
    send: async ({ id, recipient, subject, text, html, replyTo, language, createdAt }, stop) => {
      // The library reads lists out of addresses, wherever they stand.
      if (!isPlainAddress(recipient)) return { kind: 'refused', failure: 'address' };
      const signal = AbortSignal.any([stop, AbortSignal.timeout(attemptMs)]);
      try {
        await transport.sendMail({
          signal,
          from: settings.from,
          to: { name: '', address: recipient },
          envelope: { from: settings.from.address, to: [recipient] },
          ...(replyTo !== null && isPlainAddress(replyTo) && { replyTo: { name: '', address: replyTo } }),
          ...{ subject, text, html, date: createdAt },
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
          ...{ disableFileAccess: true, disableUrlAccess: true },
        });
        return { kind: 'sent' };
      } catch (error) {
        return judge(error as SmtpError, signal.aborted);
      }
    },
    verify: async (stop) => {
      try {
        await within(attemptMs, transport.verify(), stop);
        return null;
      } catch (error) {
        return stop?.aborted ? 'stopped' : describe(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

function openTransport({ host, port, secure, requireTls, login }: MailSettings, { ca, attemptMs }: SmtpOptions) {
  const answerMs = Math.min(ANSWER_MS, attemptMs ?? ANSWER_MS);
  return createTransport({
    pool: true,
    ...{ host, port, secure },
    requireTLS: requireTls && !secure,
    ...(login && { auth: { user: login.user, pass: login.password } }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    maxConnections: AT_ONCE,
    maxMessages: 100,
    // Once: a server may close a connection that was idle just as a mail begins.
    maxRequeues: 1,
    ...{ connectionTimeout: answerMs, greetingTimeout: answerMs, socketTimeout: answerMs, dnsTimeout: answerMs },
    idleTimeout: 60 * SECOND_MS,
  });
}

type SmtpError = {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
};

const LATE = { code: 'ETIMEDOUT' };

function within<T>(ms: number, work: Promise<T>, stop?: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(LATE);
  const timer = setTimeout(giveUp, ms);
  stop?.addEventListener('abort', giveUp);
  if (stop?.aborted) giveUp();
  return Promise.race([work, promise]).finally(() => {
    clearTimeout(timer);
    stop?.removeEventListener('abort', giveUp);
  });
}

/** What an error says of the mail, and of the server. Pure. */
export function judge(error: SmtpError, isLate = false): Exclude<Outcome, { kind: 'sent' }> {
  const { code, command, responseCode = 0 } = error;
  const failure = isLate ? 'it took too long' : describe(error);
  if (isLate || responseCode === 421) return { kind: 'trouble', failure };
  // Before anything was said: the address needs what the server can't do.
  if (code === 'EENVELOPE' && command === 'API') return { kind: 'refused', failure };
  if (command === 'RCPT TO' && isPolicy(error)) return { kind: 'doubtful', failure };
  if (responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')) return { kind: 'refused', failure };
  if (responseCode >= 400 && command === 'RCPT TO') return { kind: 'deferred', failure };
  return { kind: 'trouble', failure };
}

/** Of a recipient: relaying denied and authentication required are about us, and a list that is closed is about it. */
const isPolicy = ({ response = '' }: SmtpError): boolean => /^5\d{2}[ -]5\.7\./.test(response);

/** Without the server's words: they may repeat an address. */
function describe({ code, command, responseCode, response = '' }: SmtpError): string {
  const [, extended] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  const said = responseCode ? [responseCode, extended].filter(Boolean).join(' ') : (code ?? 'no answer');
  return command === undefined || command === 'CONN' ? said.toString() : `${said} at ${command}`;
}
