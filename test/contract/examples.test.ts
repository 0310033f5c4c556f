import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../src/ports/operation.ts';
import { answerOf, contract, documentedStatuses, operationIds, problemsOf } from '../support/contract.ts';

type Example = { readonly value: unknown };

/** The bodies of an operation's successes, by type. */
const successes = (id: OperationId) =>
  documentedStatuses(id)
    .filter((status) => status < 300)
    .flatMap((status) => Object.entries(answerOf(id, status)));

describe('examples of answers', () => {
  test('every success shows at least one, except pictures', () => {
    const without = operationIds.flatMap((id) =>
      successes(id)
        .filter(([type, media]) => type !== 'image/png' && Object.keys(examplesOf(media)).length === 0)
        .map(([type]) => `${id} ${type}`),
    );
    expect(without).toEqual([]);
  });

  test('each of them is what its schema says', () => {
    const problems = operationIds.flatMap((id) =>
      successes(id)
        .filter(([type]) => type === 'application/json')
        .flatMap(([, media]) =>
          Object.entries(examplesOf(media)).flatMap(([name, { value }]) =>
            problemsOf(media.schema, value).map((problem) => `${id} ${name} ${problem}`),
          ),
        ),
    );
    expect(problems).toEqual([]);
  });
});

const examplesOf = (media: object): Readonly<Record<string, Example>> =>
  (media as { readonly examples?: Readonly<Record<string, Example>> }).examples ?? {};

test('every event comes with the headers that a receiver verifies by, under a tag that no operation has', () => {
  const { webhooks } = contract as unknown as {
    webhooks: Record<string, { post: { operationId: string; tags: string[]; parameters: { $ref: string }[] } }>;
  };
  const posts = Object.values(webhooks).map(({ post }) => post);
  const ids = posts.map(({ operationId }) => operationId);
  expect(new Set([...ids, ...operationIds]).size).toBe(ids.length + operationIds.length);
  for (const { tags, parameters } of posts) {
    expect(tags).toEqual(['webhook-events']);
    expect(parameters).toHaveLength(3);
  }
});

test('no type can be null by itself, and no reference has a default beside it', () => {
  const { schemas = {} } = contract.components;
  const nullable = Object.entries(schemas).filter(([, schema]) =>
    [(schema as { type?: unknown }).type].flat().includes('null'),
  );
  expect(nullable.map(([name]) => name)).toEqual([]);
  expect(JSON.stringify(schemas)).not.toMatch(/"\$ref":"[^"]+","default"|"default":[^,{}]+,"\$ref"/);
});
