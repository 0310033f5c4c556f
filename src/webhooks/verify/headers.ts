/** What the headers of a webhook say: which event was signed, when, and with which signatures. */
export type SignatureHeaders = {
  readonly eventId: string;
  /** Unix seconds, as they were signed. */
  readonly timestamp: string;
  /** 64 bytes each. */
  readonly signatures: readonly Buffer[];
};

export type HeaderFault = { readonly reason: 'header_missing' | 'header_malformed'; readonly message: string };

/** We sign with at most four keys; further signatures are ignored. */
const SIGNATURES_MAX = 4;
const ID_MAX = 100;
const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Parses the three headers, with names in any case, or says what is wrong with them. */
export function parseHeaders(
  headers: Readonly<Record<string, string>>,
): { readonly signed: SignatureHeaders } | { readonly fault: HeaderFault } {
  const found = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const [eventId, timestamp, signature] = NAMES.map((name) => found.get(name) ?? '') as [string, string, string];
  const missing = NAMES.filter((name) => (found.get(name) ?? '') === '');
  if (missing.length > 0) return { fault: missingFault(missing, [...found.keys()]) };
  if (!/^[\x21-\x7e]+$/.test(eventId) || eventId.length > ID_MAX || eventId.includes(',')) {
    return malformed('webhook-id is not one id. Did the request carry the header twice?');
  }
  if (!/^\d{1,12}$/.test(timestamp)) {
    return malformed('webhook-timestamp is not a whole number of seconds. Take it as it was sent.');
  }
  const tokens = signature.split(' ').filter((token) => token.startsWith('v1a,'));
  if (tokens.length === 0) {
    return malformed(
      'webhook-signature holds no token that begins with "v1a,". Take the whole header, as it was sent.',
    );
  }
  const signatures = tokens
    .slice(0, SIGNATURES_MAX)
    .map((token) => Buffer.from(token.slice('v1a,'.length), 'base64'))
    .filter(({ length }) => length === 64);
  if (signatures.length === 0) {
    return malformed('No token of webhook-signature is 64 bytes in Base64: it was cut off or changed on the way.');
  }
  return { signed: { eventId, timestamp, signatures } };
}

function missingFault(missing: readonly string[], names: readonly string[]): HeaderFault {
  const flat = missing.filter((name) => names.includes(`http_${name.replaceAll('-', '_')}`));
  const hint =
    flat.length > 0
      ? 'Names as HTTP_WEBHOOK_ID are those of CGI: write them as they were sent, webhook-id.'
      : 'Every webhook of ours carries it: look for a proxy or a framework that lets only some headers through.';
  return { reason: 'header_missing', message: `There is no ${missing.join(' and no ')}. ${hint}` };
}

const malformed = (message: string): { fault: HeaderFault } => ({ fault: { reason: 'header_malformed', message } });
