import { isIP } from 'node:net';
import type { AddressPolicy } from './address.ts';

const LENGTH_MAX = 2048;
const LIVE_PORTS = ['', '443', '8443'];

export type UrlRules = {
  /** Allows http and any port. */
  readonly sandbox: boolean;
  readonly isAllowed: AddressPolicy;
};

/** A URL whose text alone gives no reason to refuse it, or what is wrong with it, as a sentence for its author. */
export type CheckedUrl =
  | { readonly url: URL; readonly problem?: never }
  | { readonly problem: string; readonly url?: never };

/**
 * Parses and checks a URL without using the network. `new URL` normalizes every notation of an IPv4 address (decimal,
 * octal, hexadecimal, short), so the address that is checked here is the one that would be called.
 */
export function parseTarget(text: string, rules: UrlRules): CheckedUrl {
  if (text.length > LENGTH_MAX) return { problem: `The URL must have at most ${LENGTH_MAX} characters.` };
  if (!URL.canParse(text)) return { problem: 'This is not a URL. Write it in full, as https://shop.example/hooks.' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(rules.sandbox && url.protocol === 'http:')) {
    return {
      problem: rules.sandbox ? 'The URL must start with https:// or http://.' : 'The URL must start with https://.',
    };
  }
  if (url.username !== '' || url.password !== '')
    return { problem: 'The URL must not contain a user name or a password.' };
  if (!rules.sandbox && !LIVE_PORTS.includes(url.port)) return { problem: 'The port must be 443 or 8443.' };
  const host = bareHost(url);
  const refused = isIP(host) !== 0 ? !rules.isAllowed(host) : isLocalName(host) && !rules.isAllowed('127.0.0.1');
  return refused ? { problem: `${host} is not reachable from the internet. Use a public address.` } : { url };
}

/** The host without the brackets of IPv6. */
const bareHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Names that always mean this machine (RFC 6761). */
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);
