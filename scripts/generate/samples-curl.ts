import type { SampleRequest } from './samples-request.ts';

const INLINE_MAX = 40;

/** The call with curl, for a POSIX shell. Credentials come from the environment. */
export function curlSample(request: SampleRequest): string {
  return request.credentials === 'key' ? signedCurl(request) : plainCurl(request);
}

function plainCurl(request: SampleRequest): string {
  const { body, credentials } = request;
  const options = [
    ...(credentials === 'none'
      ? []
      : [`-H "Authorization: Bearer $${credentials === 'admin' ? 'KASI_ADMIN_TOKEN' : 'KASI_TOKEN'}"`]),
    ...idempotency(request),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(json(body))}`]),
  ];
  return curl(request, options);
}

/** The signature has its own lines; the guide on signing explains it. */
function signedCurl(request: SampleRequest): string {
  const { method, body, idempotencyKey } = request;
  const text = ['%s', method, targetOf(request), '%s', idempotencyKey ?? ''].join('\\n');
  const options = [
    '-H "X-API-Key: $KASI_API_KEY"',
    '-H "X-Timestamp: $NOW"',
    '-H "X-Signature: $SIGNATURE"',
    ...idempotency(request),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", '-d "$BODY"']),
  ];
  return [
    `BODY=${body === undefined ? "''" : quote(json(body))}`,
    'NOW=$(date +%s)',
    'HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -c1-64)',
    `SIGNATURE=$(printf ${quote(text)} "$NOW" "$HASH" |`,
    '  openssl dgst -sha256 -hmac "$KASI_API_SECRET" -r | cut -c1-64)',
    curl(request, options),
  ].join('\n');
}

function curl(request: SampleRequest, options: readonly string[]): string {
  const { method, body, baseUrl, answer } = request;
  const implied = body === undefined ? 'GET' : 'POST';
  const flags = [
    ...(answer.type === 'text/event-stream' ? ['-N'] : []),
    ...(answer.type === 'image/png' ? ['-o qr.png'] : []),
    ...(method === implied ? [] : [`-X ${method}`]),
  ];
  const url = `${baseUrl}${targetOf(request)}`;
  const first = ['curl', ...flags, /[?&]/.test(url) ? quote(url) : url].join(' ');
  return [first, ...options].join(' \\\n  ');
}

const idempotency = ({ idempotencyKey }: SampleRequest): string[] =>
  idempotencyKey === null ? [] : [`-H ${quote(`Idempotency-Key: ${idempotencyKey}`)}`];

function targetOf({ path, ids, query }: SampleRequest): string {
  const rest = [...ids];
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''));
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return search.length === 0 ? filled : `${filled}?${search.join('&')}`;
}

/** Short bodies stay on one line. */
function json(body: unknown): string {
  const inline = JSON.stringify(body);
  return inline.length <= INLINE_MAX ? inline : JSON.stringify(body, null, 2);
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
