const PARAMETER = 'session_id';

/**
 * The URL that a checkout session sends the payer back to: `url` with `session_id` in its query, which replaces any
 * `session_id` already there. The rest of the query keeps its bytes and order, and the fragment stays at the end. `url`
 * is absolute, http or https.
 */
export function returnUrl(url: string, sessionId: string): string {
  const target = new URL(url);
  const kept = target.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && pair.split('=', 1)[0] !== PARAMETER);
  target.search = [...kept, `${PARAMETER}=${encodeURIComponent(sessionId)}`].join('&');
  return target.href;
}
