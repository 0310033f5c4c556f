/** Files of the client that are copies of files in generated/, because a package contains only its own files. */
export const CLIENT_COPIES: Readonly<Record<string, string>> = {
  'clients/typescript/src/generated/api.ts': 'api.ts',
  'clients/typescript/src/generated/models.ts': 'models.ts',
  'clients/typescript/src/generated/idempotent-routes.ts': 'idempotent-routes.ts',
};

/** The same for the clients in other languages, whose steps come last: they need the methods of that client. */
export const TWIN_COPIES: Readonly<Record<string, string>> = Object.fromEntries([
  ...['models', 'numbers', 'surface', 'admin_surface'].map((name) => [
    `clients/python/src/kasi/_generated/${name}.py`,
    `python-${name}.py`,
  ]),
  ...['Types', 'surface', 'admin-surface'].map((name) => [`clients/php/src/Generated/${name}.php`, `php-${name}.php`]),
]);

/**
 * Sources of the service that the client carries a copy of. They import only each other.
 * See decision webhooks/one-suite-for-service-and-client.
 */
export const SHARED_SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  ['cases.ts', 'judge.ts', 'play.ts'].map((name) => [
    `clients/typescript/src/generated/certify/${name}`,
    `src/webhooks/certify/${name}`,
  ]),
);
