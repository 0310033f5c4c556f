import { adminSurface } from './admin-surface.ts';
import { type Bound, bindAll } from './operation.ts';
import { type CommonOptions, parseOptions } from './options.ts';
import type { SessionTokens } from './session.ts';
import { createTransport, type HttpClient } from './transport.ts';

/** Administrators use a login session; API keys are for merchants. */
export type AdminClientOptions = CommonOptions;

export interface AdminClient extends Bound<typeof adminSurface> {
  /** The underlying openapi-fetch client: typed by path, with the same session, for what the methods don't offer. */
  readonly http: HttpClient;
  /** The current tokens of the session; null without a session. */
  tokens(): SessionTokens | null;
}

/**
 * Creates a client for administrators of the platform at `baseUrl`. Sends nothing yet. Methods return the body of the
 * answer and throw `KasiError`. Throws `TypeError` when `baseUrl` is not a URL, or when the credentials are incomplete.
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
