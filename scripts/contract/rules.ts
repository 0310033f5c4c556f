/**
 * Our own rules for the contract, as a redocly plugin. openapi/README.md says what each is for; the messages point
 * there.
 */
import { basename } from 'node:path';
import type { Context, Node, Rule } from './rule-types.ts';

const GUIDE = 'See openapi/README.md';
const CAMEL = /^[a-z][a-zA-Z0-9]*$/;
const PERMISSION = /^(self|[a-z_]+\.[a-z]+)$/;
const URL_PATH = /^\/v1(\/[a-z0-9]+([-.][a-z0-9]+)*|\/\{[a-z][a-zA-Z0-9]*\})+$/;
const PASCAL = /^[A-Z][a-zA-Z0-9]*$/;
const FORMATS = ['money', 'text', 'name', 'email', 'uri', 'date-time', 'date-or-date-time'];
const FORBIDDEN = ['example', 'discriminator', 'nullable', 'unevaluatedProperties', 'readOnly', 'writeOnly'];
const MUTATING = ['post', 'put', 'delete', 'patch'];

const operationId: Rule = () => ({
  Paths: {
    PathItem: {
      Operation(operation, ctx) {
        if (CAMEL.test(String(operation['operationId'] ?? ''))) return;
        ctx.report({ message: `An operation needs an operationId in camelCase, verb first. ${GUIDE}#names` });
      },
    },
  },
});

const securityStated: Rule = () => ({
  Paths: {
    PathItem: {
      Operation(operation, ctx) {
        if (Array.isArray(operation['security'])) return;
        ctx.report({
          message: `State who may call: \`security\`, or \`security: []\` for everybody. ${GUIDE}#security`,
        });
      },
    },
  },
});

/** An administrator's operation needs exactly one permission, which has to exist. Others cannot have permissions. */
const permitted: Rule = () => ({
  Paths: {
    PathItem: {
      Operation(operation, ctx) {
        const isForAdmins = /^(admin_|audit-logs)(?!auth_(login|refresh)\b)/.test(fileOf(ctx));
        const alternatives = (operation['security'] as readonly Node[] | undefined) ?? [];
        const needs = alternatives.map(({ adminBearer }) => adminBearer as readonly string[] | undefined);
        const right = isForAdmins
          ? needs.length === 1 && needs[0]?.length === 1 && PERMISSION.test(String(needs[0][0]))
          : needs.every((names) => names === undefined);
        if (right) return;
        ctx.report({
          message: `Under /v1/admin and /v1/audit-logs, and only there, \`security\` is \`adminBearer\` with one permission or \`self\`. ${GUIDE}#security`,
        });
      },
    },
  },
});

const defaultAnswer: Rule = () => ({
  Paths: {
    PathItem: {
      Operation(operation, ctx) {
        const answer = (operation['responses'] as Node | undefined)?.['default'] as Node | undefined;
        if (answer?.['$ref'] === '../responses/Error.yaml') return;
        ctx.report({
          message: `\`default\` must be ../responses/Error.yaml. ${GUIDE}#errors`,
          location: ctx.location.child('responses'),
        });
      },
    },
  },
});

/** Every operation that changes something names its audit entry, or says why it has none. */
const audited: Rule = () => ({
  Paths: {
    PathItem: {
      Operation(operation, ctx) {
        const stated = ['x-audit', 'x-unaudited'].filter((name) => Boolean(operation[name]));
        if (stated.length === (MUTATING.includes(String(ctx.key)) ? 1 : 0)) return;
        ctx.report({
          message: `What is not a GET carries \`x-audit\`, or says in \`x-unaudited\` why it leaves no entry. ${GUIDE}#extensions`,
        });
      },
    },
  },
});

/** The transaction of an operation is one that the generator knows, and only a GET is a look-up. */
const transacted: Rule = () => ({
  Paths: {
    PathItem: {
      Operation(operation, ctx) {
        const said = operation['x-transaction'];
        if (said === undefined || said === 'none' || (said === 'look-up' && ctx.key === 'get')) return;
        ctx.report({ message: `\`x-transaction\` is \`none\`, or \`look-up\` of a GET. ${GUIDE}#extensions` });
      },
    },
  },
});

/** Every operation names its limits, and every named limit is defined. */
const limited: Rule = () => {
  let known: readonly string[] = [];
  return {
    Root(root) {
      known = Object.keys((root['x-limits'] as Node | undefined) ?? {});
    },
    Paths: {
      PathItem: {
        Operation(operation, ctx) {
          const names = [operation['x-limit']].flat();
          if (names.length > 0 && names.every((name) => known.includes(String(name)))) return;
          ctx.report({ message: `\`x-limit\` lists limits of the root's \`x-limits\`. ${GUIDE}#extensions` });
        },
      },
    },
  };
};

/** A POST with credentials takes an idempotency key, or says why it need not. */
const idempotent: Rule = () => ({
  Paths: {
    PathItem: {
      Operation(operation, ctx) {
        const open = (operation['security'] as unknown[] | undefined)?.length === 0;
        if (ctx.key !== 'post' || open || operation['x-idempotency'] === 'none') return;
        const parameters = (operation['parameters'] ?? []) as readonly Node[];
        if (parameters.some(({ $ref }) => String($ref).endsWith('/IdempotencyKey.yaml'))) return;
        ctx.report({
          message: `A POST with credentials takes ../parameters/IdempotencyKey.yaml, or says \`x-idempotency: none\`. ${GUIDE}#extensions`,
        });
      },
    },
  },
});

const noPathParameters: Rule = () => ({
  PathItem(item, ctx) {
    if (item['parameters'] === undefined) return;
    ctx.report({
      message: `Declare parameters on operations only. ${GUIDE}#parameters`,
      location: ctx.location.child('parameters'),
    });
  },
});

const parameterNames: Rule = () => ({
  Parameter(parameter, ctx) {
    const name = String(parameter['name']);
    const right = parameter['in'] === 'header' ? name === name.toLowerCase() : CAMEL.test(name);
    if (!right)
      ctx.report({
        message: `"${name}" must be camelCase, or lower case for a header. ${GUIDE}#parameters`,
        location: ctx.location.child('name'),
      });
  },
});

const fileNames: Rule = () => ({
  Paths: {
    PathItem(_item, ctx) {
      if (!URL_PATH.test(String(ctx.key))) {
        ctx.report({ message: `A path is /v1/ and words in kebab-case, parameters in camelCase. ${GUIDE}#names` });
      }
      const expected = `${String(ctx.key).replace('/v1/', '').replaceAll('/', '_')}.yaml`;
      if (fileOf(ctx) === expected) return;
      ctx.report({ message: `The file of this URL must be paths/${expected}. ${GUIDE}#files` });
    },
  },
  Schema(_schema, ctx) {
    const file = ctx.location.source.absoluteRef;
    if (!file.includes('/schemas/') || PASCAL.test(basename(file, '.yaml'))) return;
    ctx.report({ message: `The file of a type is named like the type, in PascalCase. ${GUIDE}#files` });
  },
});

/** Types are named after files. An inline object would have no name, in the documentation and in TypeScript. */
const namedTypes: Rule = () => ({
  MediaType(media, ctx) {
    const schema = media['schema'] as Node | undefined;
    if (schema?.['$ref'] !== undefined || schema?.['type'] === 'string') return;
    ctx.report({
      message: `A body is a named type: \`$ref\` a file under schemas/. ${GUIDE}#files`,
      location: ctx.location.child('schema'),
    });
  },
  Schema(schema, ctx) {
    if (
      schema['properties'] === undefined ||
      ctx.location.pointer === '#/' ||
      /^#\/allOf\/\d+$/.test(ctx.location.pointer)
    )
      return;
    ctx.report({ message: `An object with properties gets a file of its own. ${GUIDE}#files` });
  },
});

const properties: Rule = () => ({
  SchemaProperties(all, ctx) {
    for (const [name, schema] of Object.entries(all)) {
      const at = ctx.location.child(name);
      if (!CAMEL.test(name))
        ctx.report({ message: `Property "${name}" must be camelCase. ${GUIDE}#names`, location: at.key() });
      const node = schema as Node;
      if (node['$ref'] !== undefined) continue;
      if (!node['description'])
        ctx.report({ message: `Property "${name}" needs a description. ${GUIDE}#words`, location: at });
      if (isScalar(node) && node['examples'] === undefined) {
        ctx.report({ message: `Property "${name}" needs \`examples\`. ${GUIDE}#words`, location: at });
      }
    }
  },
});

/** What the validator, the serialiser or the documentation cannot handle; each of these has failed once. */
const safeSchemas: Rule = () => ({
  Schema(schema, ctx) {
    const bad = Object.keys(schema).filter((key) => FORBIDDEN.includes(key) || key.startsWith('x-'));
    if (bad.length > 0) ctx.report({ message: `Schemas carry no ${bad.join(', ')}. ${GUIDE}#schemas` });
    const shaped = ['type', '$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => schema[key] !== undefined);
    if (!shaped) ctx.report({ message: `A schema needs a \`type\`. ${GUIDE}#schemas` });
    const format = schema['format'];
    if (format !== undefined && !FORMATS.includes(String(format))) {
      ctx.report({
        message: `Unknown format "${String(format)}"; known are ${FORMATS.join(', ')}. ${GUIDE}#schemas`,
        location: ctx.location.child('format'),
      });
    }
  },
});

/** Requests are closed and bounded. Answers are complete: a missing value is null. */
const requestsAndAnswers: Rule = () => ({
  Schema(schema, ctx) {
    const type = basename(ctx.location.source.absoluteRef, '.yaml');
    const inRequest = type.endsWith('Request') || type.endsWith('Input');
    if (inRequest && schema['type'] === 'object' && schema['additionalProperties'] === undefined) {
      ctx.report({ message: `A request body says \`additionalProperties: false\`. ${GUIDE}#requests` });
    }
    if (inRequest && isUnboundedText(schema)) {
      ctx.report({ message: `Text in a request needs \`maxLength\` and \`format\` or \`pattern\`. ${GUIDE}#requests` });
    }
    if (inRequest || type.startsWith('Error') || schema['properties'] === undefined) return;
    const required = (schema['required'] as string[] | undefined) ?? [];
    const optional = Object.keys(schema['properties'] as Node).filter((name) => !required.includes(name));
    if (optional.length > 0) {
      ctx.report({
        message: `An answer always has all its fields, null where there is no value: ${optional.join(', ')}. ${GUIDE}#answers`,
      });
    }
  },
});

const requestExamples: Rule = () => ({
  RequestBody: {
    MediaType(media, ctx) {
      if (Object.keys((media['examples'] as Node | undefined) ?? {}).length > 0) return;
      ctx.report({ message: `A request body needs \`examples\`. ${GUIDE}#words` });
    },
  },
});

function fileOf(ctx: Context): string {
  return basename(decodeURIComponent(ctx.location.source.absoluteRef));
}

function isScalar(schema: Node): boolean {
  const types = [schema['type']].flat();
  const scalar = types.some((type) => ['string', 'number', 'integer'].includes(String(type)));
  return scalar && schema['enum'] === undefined && schema['const'] === undefined;
}

function isUnboundedText(schema: Node): boolean {
  if (![schema['type']].flat().includes('string') || schema['enum'] !== undefined) return false;
  return schema['maxLength'] === undefined || (schema['format'] === undefined && schema['pattern'] === undefined);
}

/** Redocly loads a plugin by its default export. */
export default function plugin() {
  return {
    id: 'kasi',
    rules: {
      oas3: {
        'operation-id': operationId,
        'security-stated': securityStated,
        permitted,
        'default-answer': defaultAnswer,
        audited,
        transacted,
        limited,
        idempotent,
        'no-path-parameters': noPathParameters,
        'parameter-names': parameterNames,
        'file-names': fileNames,
        'named-types': namedTypes,
        properties,
        'safe-schemas': safeSchemas,
        'requests-and-answers': requestsAndAnswers,
        'request-examples': requestExamples,
      },
    },
  };
}
