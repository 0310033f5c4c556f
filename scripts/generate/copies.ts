/** The files of the client that are copies of what stands in generated/, because a package holds only its own. */
export const CLIENT_COPIES: Readonly<Record<string, string>> = {
  'clients/typescript/src/generated/api.ts': 'api.ts',
  'clients/typescript/src/generated/idempotent-routes.ts': 'idempotent-routes.ts',
};
