type Schema = {
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
};
type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};
type Media = { readonly schema: Schema; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> };
type Answer = { readonly content?: Readonly<Record<string, Media>> };

export type Operation = {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } };
  readonly responses: Readonly<Record<string, Answer>>;
};

export type Contract = {
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
};

/** One call of an operation, assembled from the contract's examples. */
export type SampleRequest = {
  readonly baseUrl: string;
  readonly method: string;
  /** As the contract writes it, parameters in braces. */
  readonly path: string;
  /** The values of the path parameters, in their order. */
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  /** Whether the answer is a numbered page. */
  readonly isPaged: boolean;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  /**
   * `token`: an access token. `key`: only an API key. `either`: both are accepted. `none`: public. `admin`: an
   * administrator's access token.
   */
  readonly credentials: 'none' | 'token' | 'key' | 'either' | 'admin';
  /** Whether it belongs to the administrators' client. */
  readonly isForAdmins: boolean;
  /** The media type, and the names of the type that comes back and of what it lists, if it is a list. */
  readonly answer: { readonly type: string; readonly schema: string | null; readonly item: string | null };
};

/** The example call of an operation. Throws if the contract lacks an example that the call needs. */
export function requestOf(contract: Contract, path: string, method: string, operation: Operation): SampleRequest {
  const parameters = (operation.parameters ?? []).map((each) => resolve(contract, each));
  const find = (place: string, name: string) => parameters.find((each) => each.in === place && each.name === name);
  const key = find('header', 'idempotency-key');
  // Pages start at 1, and status filters and marks of images have no example: leaving all out makes samples shorter.
  const query = parameters.filter((each) => each.in === 'query' && each.name !== 'page');
  return {
    baseUrl: contract.servers[0].url,
    method: method.toUpperCase(),
    path,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => exampleOf(find('path', name), operation)),
    query: Object.fromEntries(query.map((each) => [each.name, findExample(each)]).filter(([, value]) => value)),
    isPaged: find('query', 'page') !== undefined,
    body: Object.values(operation.requestBody?.content['application/json'].examples ?? {})[0]?.value,
    idempotencyKey: key ? exampleOf(key, operation) : null,
    credentials: credentialsOf(operation),
    isForAdmins: /^\/v1\/(admin|audit-logs)\b/.test(path),
    answer: answerOf(contract, operation),
  };
}

const findExample = ({ examples, schema }: Parameter): unknown =>
  Object.values(examples ?? {})[0]?.value ?? schema.examples?.[0];

function exampleOf(parameter: Parameter | undefined, { operationId }: Operation): string {
  const example = parameter && findExample(parameter);
  if (typeof example === 'string') return example;
  throw new Error(`${operationId} has a parameter ${parameter?.name ?? ''} without an example to make samples from.`);
}

function resolve(contract: Contract, parameter: Parameter | { readonly $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const found = contract.components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`${parameter.$ref} leads nowhere.`);
  return found;
}

function credentialsOf({ security }: Operation): SampleRequest['credentials'] {
  if (security.length === 0) return 'none';
  if (security.some((alternative) => 'adminBearer' in alternative)) return 'admin';
  const withKey = security.filter((alternative) => 'apiKey' in alternative).length;
  if (withKey === 0) return 'token';
  return withKey === security.length ? 'key' : 'either';
}

function answerOf(contract: Contract, { operationId, responses }: Operation): SampleRequest['answer'] {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const [type, media] = Object.entries(success?.content ?? {})[0] ?? [];
  if (type === undefined) throw new Error(`${operationId} has no success with a body.`);
  const schema = nameOf(media?.schema);
  const fields = Object.values(contract.components.schemas[schema ?? '']?.properties ?? {});
  return { type, schema, item: nameOf(fields.find(({ items }) => items !== undefined)?.items) };
}

const nameOf = (schema: Schema | undefined): string | null => schema?.$ref?.split('/').at(-1) ?? null;
