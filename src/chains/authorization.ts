import { readFileSync } from 'node:fs';
import { isPrivateHost } from '../lib/network-address.ts';

/**
 * What authorizes requests to a URL: its own user and password, or those that a node on this machine has written into
 * `cookieFile` at its last start. The file is read anew for each request, because a node that restarts writes another
 * one, and goes to private hosts only, because others have no part in it. Undefined while it can not be read, so that
 * the node's refusal is reported.
 */
export function authorizationOf(url: string, cookieFile: string | undefined): () => string | undefined {
  const { username, password, hostname } = URL.parse(url) ?? { username: '', password: '', hostname: '' };
  if (username !== '' || password !== '') {
    const header = basic(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    return () => header;
  }
  if (cookieFile === undefined || !isPrivateHost(hostname)) return () => undefined;
  return () => {
    try {
      return basic(readFileSync(cookieFile, 'utf8').trim());
    } catch {
      return undefined;
    }
  };
}

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
