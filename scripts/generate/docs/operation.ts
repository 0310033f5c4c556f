import { type Json, type JsonMap, listOf, mapOf, resolve } from '../../contract/outline.ts';
import type { Operation } from './contract.ts';
import { fieldList, oneLine, typeOf } from './fields.ts';

const JSON_TYPE = 'application/json';

/** An operation or an event as Markdown, complete enough for a program that reads nothing else of it. */
export function operationMarkdown(operation: Operation, whole: JsonMap): string {
  const { method, path, summary, value } = operation;
  const isEvent = method === 'EVENT';
  const call = isEvent ? `Event \`${path}\`, posted to your webhook endpoint.` : `\`${method} ${path}\``;
  const parts = [
    `# ${isEvent ? path : summary}`,
    call,
    String(value['description'] ?? '').trim(),
    isEvent ? 'Verify the signature first: see [Webhooks](/docs/guides/webhooks.md#verify).' : authOf(whole, value),
    parametersOf(whole, value),
    bodyOf(whole, value, isEvent),
    isEvent ? '' : answersOf(whole, value),
    samplesOf(value),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Who may call it: one line for each way to prove who one is. */
function authOf(whole: JsonMap, operation: JsonMap): string {
  const ways = listOf(operation['security']).map((way) => Object.entries(mapOf(way)));
  if (ways.length === 0) return '## Authentication\n\nNone.';
  const lines = ways.map(
    (way) => `- ${way.map(([scheme, rights]) => schemeOf(whole, scheme, rights)).join(', with ')}`,
  );
  return `## Authentication\n\n${ways.length > 1 ? 'One of:\n\n' : ''}${lines.join('\n')}`;
}

function schemeOf(whole: JsonMap, name: string, rights: Json): string {
  const scheme = mapOf(mapOf(mapOf(whole['components'])['securitySchemes'])[name]);
  const header = scheme['type'] === 'http' ? '`Authorization: Bearer …`' : `\`${scheme['name']}\``;
  const needed = listOf(rights).map((right) => `\`${right}\``);
  const [what] = oneLine(scheme['description']).split(/(?<=\.) /);
  const kind = name.startsWith('admin') ? 'permission' : 'scope';
  return `${header} (${what?.replace(/\.$/, '')}${needed.length > 0 ? `; ${kind} ${needed.join(', ')}` : ''})`;
}

function parametersOf(whole: JsonMap, operation: JsonMap): string {
  const lines = listOf(operation['parameters']).map((each) => {
    const { name, in: place, required, schema, description } = resolve(whole, each);
    const notes = [place, typeOf(whole, schema), required === true ? 'required' : 'optional'].join(', ');
    return `- \`${name}\` (${notes}): ${oneLine(description)}`;
  });
  return lines.length === 0 ? '' : `## Parameters\n\n${lines.join('\n')}`;
}

function bodyOf(whole: JsonMap, operation: JsonMap, isEvent: boolean): string {
  const body = resolve(whole, operation['requestBody']);
  const media = mapOf(mapOf(body['content'])[JSON_TYPE]);
  if (media['schema'] === undefined) return '';
  const fields = fieldList(whole, media['schema'], !isEvent);
  const examples = Object.values(mapOf(media['examples'])).map(exampleOf);
  return [`## Body`, oneLine(body['description']), fields.join('\n'), ...examples].filter(Boolean).join('\n\n');
}

function exampleOf(example: Json): string {
  const { summary, value } = mapOf(example);
  return `${oneLine(summary).replace(/\.$/, '')}:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** What it answers, the success with its fields and an example, and every error that is its own. */
function answersOf(whole: JsonMap, operation: JsonMap): string {
  const answers = Object.entries(mapOf(operation['responses'])).map(
    ([status, answer]) => [status, resolve(whole, answer)] as const,
  );
  const successes = answers.filter(([status]) => /^[23]/.test(status)).map(([...answer]) => successOf(whole, answer));
  const errors = answers
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, { description }]) => `- **${status}** ${oneLine(description)}`);
  const common = 'Errors that any operation may give, and what to do about each: [Errors](/docs/guides/errors.md).';
  return ['## Answers', ...successes, '## Errors', errors.join('\n'), common].filter(Boolean).join('\n\n');
}

function successOf(whole: JsonMap, [status, answer]: readonly [string, JsonMap]): string {
  const media = Object.entries(mapOf(answer['content']));
  const bodies = media.flatMap(([type, content]) => {
    if (type !== JSON_TYPE) return [`The body is \`${type}\`.`];
    const [example] = Object.values(mapOf(mapOf(content)['examples']));
    const fields = fieldList(whole, mapOf(content)['schema'], false).join('\n');
    return [fields, example === undefined ? '' : exampleOf(example)];
  });
  return [`**${status}** ${oneLine(answer['description'])}`, ...bodies].filter(Boolean).join('\n\n');
}

function samplesOf(operation: JsonMap): string {
  const samples = listOf(operation['x-codeSamples']).map((each) => {
    const { label, source } = mapOf(each);
    const name = String(label);
    return `${name}:\n\n\`\`\`${FENCES[name] ?? name.toLowerCase()}\n${source}\n\`\`\``;
  });
  return samples.length === 0 ? '' : ['## Samples', ...samples].join('\n\n');
}

const FENCES: Readonly<Record<string, string>> = { TypeScript: 'ts', curl: 'sh' };
