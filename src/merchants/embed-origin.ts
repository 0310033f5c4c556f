/**
 * Letters, digits, dots and hyphens: nothing that a browser would read as a user, a path, a wildcard or an escape.
 * Letters of any script are allowed, and become the form with `xn--`.
 */
const WRITTEN = /^(https?):\/\/([\p{L}\p{M}\p{N}.-]+?)(:\d{1,5})?\/?$/iu;
const NUMBERS = /^[\d.]+$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1']);
const HOST_MAX = 253;

type Parsed = { readonly origin: string } | { readonly problem: string };

/**
 * The origin of a website that may frame the checkout, as browsers write it, or what is wrong with it as the rest of a
 * sentence. Browsers compare whole origins: a subdomain, or another port, is another website.
 */
export function parseEmbedOrigin(text: string, { livemode }: { readonly livemode: boolean }): Parsed {
  const [, , host = ''] = WRITTEN.exec(text) ?? [];
  const url = host === '' ? null : URL.parse(text);
  if (!url) return { problem: 'must be an origin such as https://shop.example: no path, no user name, no wildcard' };
  if (!livemode && LOOPBACK.has(url.hostname)) return { origin: url.origin };
  if (url.protocol !== 'https:') {
    return { problem: `must begin with https://${livemode ? '' : ', unless its host is localhost or 127.0.0.1'}` };
  }
  if (NUMBERS.test(url.hostname)) return { problem: 'must name a host, not an address' };
  if (!isPublicName(url.hostname))
    return { problem: 'must name a whole host, such as shop.example, without a dot at its end' };
  return { origin: url.origin };
}

const isPublicName = (host: string): boolean =>
  host.length <= HOST_MAX && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(host);
