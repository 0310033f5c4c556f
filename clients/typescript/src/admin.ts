import { adminSurface } from './admin-surface.ts';
import { type Bound, bindAll } from './operation.ts';
import { type CommonOptions, parseOptions } from './options.ts';
import type { SessionTokens } from './session.ts';
import { createTransport, type HttpClient } from './transport.ts';

/** Administrators call by a login session; API keys are for merchants. */
export type AdminClientOptions = CommonOptions;

export interface AdminClient extends Bound<typeof adminSurface> {
  /** The client of openapi-fetch below: typed by path, with the same session, for what the methods don't show. */
  readonly http: HttpClient;
  /** The tokens of the session as they are now, null without one. */
  tokens(): SessionTokens | null;
}

/**
 * Makes a client for those who run the platform at `baseUrl`. It sends nothing yet. Methods return the body of the answer and throw
 * `KasiError`. Throws `TypeError` when `baseUrl` is not an address, or when it is not clear who calls.
 */
export function createAdminClient(options: AdminClientOptions): AdminClient {
  const transport = createTransport({
    ...parseOptions(options),
    apiKey: null,
    sessionRoutes: { login: 'POST /v1/admin/auth/login', refresh: 'POST /v1/admin/auth/refresh' },
  });
  return {
    ...bindAll(adminSurface, transport),
    http: transport.http,
    tokens: () => transport.session?.tokens() ?? null,
  };
}

export { KasiError } from './errors.ts';
