/** The files of the client that are copies of what stands in generated/, because a package holds only its own. */
export const CLIENT_COPIES: Readonly<Record<string, string>> = {
  'clients/typescript/src/generated/api.ts': 'api.ts',
  'clients/typescript/src/generated/idempotent-routes.ts': 'idempotent-routes.ts',
};

/** Sources of the service that the client carries a copy of, so that both do the same; they import nothing but each other. */
export const SHARED_SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  ['cases.ts', 'judge.ts', 'play.ts'].map((name) => [
    `clients/typescript/src/generated/certify/${name}`,
    `src/webhooks/certify/${name}`,
  ]),
);
