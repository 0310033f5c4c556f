/** The part of the bundled contract that the clients in Python and PHP are made of. */
export type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};

type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Answer = { readonly content?: Content };

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
};

export type Contract = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
};

const VERBS = ['get', 'put', 'post', 'delete', 'patch'];

export const nameOfRef = (ref: string): string => ref.split('/').at(-1) ?? '';

export const operationsOf = ({ paths }: Contract): Operation[] =>
  Object.values(paths).flatMap((item) => VERBS.flatMap((verb) => item[verb] ?? []));

/** An operation of the contract by its route: `POST /v1/payments`. */
export function operationAt(contract: Contract, route: string): Operation {
  const [verb = '', path = ''] = route.split(' ');
  const found = contract.paths[path]?.[verb.toLowerCase()];
  if (found === undefined) throw new Error(`The contract has no ${route}.`);
  return found;
}

/** The parameters of an operation in one place, references followed. */
export const parametersOf = (contract: Contract, operation: Operation, place: Parameter['in']): Parameter[] =>
  (operation.parameters ?? [])
    .map((each) => ('$ref' in each ? followed(contract.components.parameters, each.$ref) : each))
    .filter((parameter) => parameter.in === place);

/** The media type and the schema of a success. */
export function answerOf(contract: Contract, { operationId, responses }: Operation) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = success && '$ref' in success ? followed(contract.components.responses, success.$ref) : success;
  const [media, content] = Object.entries(answer?.content ?? {})[0] ?? [];
  if (media === undefined || content === undefined) throw new Error(`${operationId} has no success with a body.`);
  return { media, schema: content.schema };
}

export const bodyOf = ({ requestBody }: Operation): { schema: Schema; required: boolean } | null => {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? null : { schema, required: requestBody?.required !== false };
};

function followed<T>(from: Readonly<Record<string, T>>, ref: string): T {
  const found = from[nameOfRef(ref)];
  if (found === undefined) throw new Error(`${ref} leads nowhere.`);
  return found;
}

/** Where the types of the contract are used: in what is sent, in what comes back, or in both. */
export function reachOf(contract: Contract): {
  readonly sent: ReadonlySet<string>;
  readonly back: ReadonlySet<string>;
} {
  const operations = operationsOf(contract);
  const sent = operations.flatMap((operation) => [
    bodyOf(operation)?.schema,
    ...parametersOf(contract, operation, 'query').map(({ schema }) => schema),
  ]);
  const back = operations.map(({ responses }) => responses);
  return { sent: reachable(contract, sent), back: reachable(contract, [back, contract.webhooks]) };
}

/** The names of all schemas that a part of the contract leads to. */
function reachable(contract: Contract, from: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('$ref' in value && typeof value.$ref === 'string') {
      const [, , kind = '', name = ''] = value.$ref.split('/');
      if (kind === 'schemas' && found.has(name)) return;
      if (kind === 'schemas') found.add(name);
      visit((contract.components as Readonly<Record<string, Record<string, unknown>>>)[kind]?.[name]);
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(from);
  return found;
}

/** An object with the properties of all its parts. */
export function flattened(contract: Contract, schema: Schema): Schema {
  if (schema.allOf === undefined) return schema;
  const parts = schema.allOf.map((part) =>
    flattened(contract, part.$ref === undefined ? part : followed(contract.components.schemas, part.$ref)),
  );
  return {
    type: 'object',
    ...(schema.description !== undefined && { description: schema.description }),
    required: parts.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Readonly<Record<string, Schema>>,
  };
}

/** The types of a schema by name: `['string', 'null']`. */
export const kindsOf = ({ type = [] }: Schema): readonly string[] => (typeof type === 'string' ? [type] : type);

/** The query parameters that a method takes. Queries of images only tell URLs apart. */
export const queryParametersOf = (contract: Contract, operation: Operation): Parameter[] =>
  answerOf(contract, operation).media.startsWith('image/') ? [] : parametersOf(contract, operation, 'query');

/** Whether the operation returns numbered pages. */
export const isPaged = (contract: Contract, operation: Operation): boolean =>
  parametersOf(contract, operation, 'query').some(({ name }) => name === 'page');

/** What a list lists, whatever it is called. */
export function itemOf(contract: Contract, operation: Operation): Schema {
  const { schema } = answerOf(contract, operation);
  const page = schema.$ref === undefined ? schema : followed(contract.components.schemas, schema.$ref);
  const [list, ...others] = Object.values(page.properties ?? {}).filter(({ items }) => items !== undefined);
  if (list?.items !== undefined && others.length === 0) return list.items;
  throw new Error(`${operation.operationId} is no list of one kind.`);
}

/** An operation in the surface of the TypeScript client, which has the names. */
export type Leaf = {
  readonly route: string;
  readonly signed?: string;
  readonly open: boolean;
  readonly around?: unknown;
};

export const isLeaf = (branch: object): branch is Leaf => 'bind' in branch;
