type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly Record<string, readonly string[]>[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly 'x-transaction'?: string;
  readonly 'x-audit'?: string;
  readonly 'x-limit': readonly string[];
};

type PathItem = { readonly [M in (typeof METHODS)[number]]?: Operation };

/** The part of the bundled contract that is read here; lint has already said that all of it is there. */
export type Contract = {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly 'x-limits': Readonly<Record<string, LimitRule>>;
};

type LimitRule = {
  readonly max: number;
  readonly windowSeconds: number;
  readonly of: string;
  readonly exact?: boolean;
};

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

const HEADER = `// Written by \`npm run generate\` from openapi/; never edited.

export type LimitRule = {
  /** How many uses each of those whom it counts has in a window. */
  readonly max: number;
  readonly windowSeconds: number;
  readonly of: 'principal' | 'address' | 'payment' | 'account';
  /** Counted in the database at every use, so that all processes together never let one too many through. */
  readonly exact: boolean;
};
`;

const META = `export type OperationMeta = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';
  /** As the contract writes it, parameters in braces. */
  readonly path: string;
  /** The folder in src/ whose handlers.ts answers. */
  readonly tag: string;
  /** Any one of these is enough; an empty list is public. Each names its schemes with the scopes or \
permissions that they need. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** \`request\`: http opens one around the handler. \`none\`: the handler opens its own. \`read\`: it changes \
nothing. \`look-up\`: nor does it wait for other reads of its caller. */
  readonly transaction: 'request' | 'none' | 'read' | 'look-up';
  /** The action of its audit entry. */
  readonly audit: string | null;
  /** The limits that its calls count against, by their names in \`limitRules\`. */
  readonly limits: readonly LimitName[];
  /** Takes an Idempotency-Key. */
  readonly idempotent: boolean;
  readonly successStatus: readonly number[];
  /** Exists only in the sandbox. */
  readonly sandbox: boolean;
};
`;

/** The TypeScript module that tells the server about every operation, in the order of their ids. */
export function operationsModule(contract: Contract): string {
  const entries = Object.entries(contract.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [[operation.operationId, metaOf(method, path, operation)] as const];
    }),
  );
  const lines = entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, meta]) => `  ${id}: {\n${Object.entries(meta).map(line).join('')}  },\n`);
  return [
    HEADER,
    limitRules(contract['x-limits']),
    META,
    `export const operationMeta = {\n${lines.join('')}} as const satisfies Record<string, OperationMeta>;\n`,
    'export type OperationId = keyof typeof operationMeta;\n',
  ].join('\n');
}

function limitRules(rules: Contract['x-limits']): string {
  const lines = Object.entries(rules).map(
    ([name, { exact = false, ...rule }]) => `  ${name}: ${JSON.stringify({ ...rule, exact })},\n`,
  );
  return [
    `export const limitRules = {\n${lines.join('')}} as const satisfies Record<string, LimitRule>;\n`,
    'export type LimitName = keyof typeof limitRules;\n',
  ].join('\n');
}

function metaOf(method: string, path: string, operation: Operation): Record<string, unknown> {
  const tag = operation.tags[0];
  return {
    method: method.toUpperCase(),
    path,
    tag,
    security: operation.security,
    transaction: operation['x-transaction'] ?? (method === 'get' ? 'read' : 'request'),
    audit: operation['x-audit'] ?? null,
    limits: operation['x-limit'],
    idempotent: operation.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')) ?? false,
    successStatus: Object.keys(operation.responses)
      .filter((status) => /^2\d\d$/.test(status))
      .map(Number),
    sandbox: tag === 'sandbox',
  };
}

function line([key, value]: [string, unknown]): string {
  return `    ${key}: ${JSON.stringify(value)},\n`;
}
