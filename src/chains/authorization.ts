import { readFileSync } from 'node:fs';
import { messageOf } from '../lib/errors.ts';
import { isPrivateHost } from '../lib/network-address.ts';

/** `header`: none where nothing authorizes. `trouble`: why there is none. */
export type Authorization = { readonly header?: string; readonly trouble?: string };

const NONE: Authorization = {};

/**
 * What authorizes requests to a URL: its own user and password, or those that a node on this machine has written into
 * `cookieFile` at its last start. The file is read anew for each request, because a node that restarts writes another
 * one, and goes to private hosts only, because others have no part in it. While it can not be read, the node is asked
 * all the same, and its refusal is reported with the reason: a node that is away writes none, and says so best itself.
 */
export function authorizationOf(url: string, cookieFile: string | undefined): () => Authorization {
  const { username, password, hostname } = URL.parse(url) ?? { username: '', password: '', hostname: '' };
  if (username !== '' || password !== '') {
    const header = basic(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    return () => ({ header });
  }
  if (cookieFile === undefined || !isPrivateHost(hostname)) return () => NONE;
  return () => {
    try {
      return { header: basic(readFileSync(cookieFile, 'utf8').trim()) };
    } catch (error) {
      return { trouble: `cookieFile can not be read: ${messageOf(error)}` };
    }
  };
}

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
