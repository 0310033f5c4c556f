import { type Json, type JsonMap, listOf, mapOf } from '../contract/outline.ts';
import { mapEntries, referred, schemasOf } from './schemas.ts';

/**
 * The contract with an example for every success that is JSON: the one that is written, or else one composed of the
 * examples of its properties. Where a whole example of a type was written for another operation, that one is taken.
 */
export function withAnswerExamples<Contract>(contract: Contract): Contract {
  const document = contract as JsonMap;
  const source = { schemas: schemasOf(document), written: writtenExamples(document) };
  const paths = mapEntries(mapOf(document['paths']), (_, item) =>
    mapEntries(mapOf(item), (_verb, operation) => ({
      ...mapOf(operation),
      responses: mapEntries(mapOf(mapOf(operation)['responses']), (status, answer) =>
        status.startsWith('2') ? withExample(source, mapOf(answer)) : answer,
      ),
    })),
  );
  return { ...document, paths } as Contract;
}

type Source = { readonly schemas: JsonMap; readonly written: ReadonlyMap<string, Json> };

const JSON_TYPE = 'application/json';

function withExample(source: Source, answer: JsonMap): JsonMap {
  const content = mapOf(answer['content']);
  const media = mapOf(content[JSON_TYPE]);
  if (media['schema'] === undefined || media['examples'] !== undefined) return answer;
  const summary = String(answer['description'] ?? 'What it looks like');
  const value = exampleOf(source, media['schema']);
  if (value === undefined) throw new Error(`No example can be composed of the answer "${summary}".`);
  const examples = { answer: { summary, value } };
  return { ...answer, content: { ...content, [JSON_TYPE]: { ...media, examples } } };
}

/** The first whole example of each type that bodies of answers and events show. */
function writtenExamples(document: JsonMap): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    const { schema, examples } = mapOf(value);
    const name = referred(schema ?? null);
    const [first] = Object.values(mapOf(examples));
    if (name !== null && first !== undefined && !found.has(name)) found.set(name, mapOf(first)['value'] ?? null);
    for (const each of Object.values(value)) visit(each as Json);
  };
  visit(document['paths'] ?? null);
  return found;
}

/** A value that the schema allows, made of the examples in it; undefined where a text or a number has none. */
function exampleOf(source: Source, schema: Json): Json | undefined {
  const { examples, const: constant, enum: values, $ref: _, ...own } = mapOf(schema);
  const [first = constant] = listOf(examples);
  if (first !== undefined) return first;
  // A reason that may be missing is missing more often than not.
  if (values !== undefined) return listOf(values).includes(null) ? null : (listOf(values)[0] ?? null);
  const name = referred(schema);
  if (name !== null) return source.written.get(name) ?? exampleOf(source, source.schemas[name] ?? null);
  const parts = listOf(own['allOf']);
  if (parts.length > 0) return Object.assign({}, ...parts.map((part) => exampleOf(source, part)));
  const [choice, other] = [...listOf(own['anyOf']), ...listOf(own['oneOf'])];
  if (choice === undefined) return plainExample(source, own);
  const isReason = mapOf(source.schemas[referred(choice) ?? ''])['enum'] !== undefined;
  return isReason && mapOf(other)['type'] === 'null' ? null : exampleOf(source, choice);
}

function plainExample(source: Source, { type, items, properties }: JsonMap): Json | undefined {
  switch ([type].flat()[0]) {
    case 'object':
      return mapEntries(mapOf(properties), (name, each) => {
        const example = exampleOf(source, each);
        if (example === undefined) throw new Error(`No answer can be composed, because "${name}" has no example.`);
        return example;
      });
    case 'array':
      return [exampleOf(source, items ?? null)].filter((each) => each !== undefined);
    default:
      return type === 'boolean' ? false : undefined;
  }
}
