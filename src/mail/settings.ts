/** A server that takes mails, and who they are from. */
export type MailSettings = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps`). */
  readonly secure: boolean;
  /** STARTTLS, or nothing is sent. */
  readonly requireTls: boolean;
  /** null: it takes mails without a login. */
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: { readonly name: string; readonly address: string };
};

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;
/** `Kasi <receipts@kasi.example>`, or the address alone. */
const FROM = /^(?:"?([^"<>\p{C}]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/u;
const ADDRESS = /^[^\s"(),:;<>@[\\\]]+@[^\s@"(),:;<>[\\\]]+\.[^\s@"(),:;<>[\\\]]+$/;

/** The mail settings of an environment; null where none are given. Adds to `problems` what is wrong with them. */
export function readMailSettings(
  { url, from }: { readonly url: string | null; readonly from: string | null },
  live: boolean,
  problems: string[],
): MailSettings | null {
  if (url === null && from === null) return null;
  if (url === null || from === null) {
    const [missing, given] = url === null ? ['SMTP_URL', 'MAIL_FROM'] : ['MAIL_FROM', 'SMTP_URL'];
    problems.push(`${missing} is missing: it goes together with ${given}; without both no receipt is mailed`);
    return null;
  }
  const server = readServer(url, live, problems);
  const sender = readSender(from);
  if (sender === null)
    problems.push('MAIL_FROM must be an address such as receipts@kasi.example, or Kasi <receipts@kasi.example>');
  return server && sender && { ...server, from: sender };
}

/** Says nothing of the URL itself: it holds a password. */
function readServer(text: string, live: boolean, problems: string[]): Omit<MailSettings, 'from'> | null {
  const url = URL.parse(text);
  const protocol = url?.protocol;
  const login = url && readLogin(url);
  if (!url || (protocol !== 'smtp:' && protocol !== 'smtps:') || url.hostname === '' || login === undefined) {
    problems.push(
      'SMTP_URL must be smtps://user:password@host:465, or smtp://user:password@host:587 for STARTTLS, with what is ' +
        'special in user and password percent-encoded',
    );
    return null;
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORTS[protocol] : Number(url.port),
    secure: protocol === 'smtps:',
    requireTls: live,
    login,
  };
}

/** undefined: a user without a password, or the other way round, or what can't be decoded. */
function readLogin({ username, password }: URL): MailSettings['login'] | undefined {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

function readSender(text: string): MailSettings['from'] | null {
  const [, name = '', inBrackets, alone] = FROM.exec(text.trim()) ?? [];
  const address = inBrackets ?? alone ?? '';
  return ADDRESS.test(address) ? { name: name.trim(), address } : null;
}
