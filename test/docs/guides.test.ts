import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitRules, type OperationMeta, operationMeta } from '../../generated/operations.ts';
import { refusalOf } from '../../src/http/errors.ts';
import { INCIDENT_KINDS } from '../../src/incidents/kinds.ts';
import { AppError, type ErrorCode } from '../../src/lib/errors.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { dereference, findOperation, operationIds, operationOf, problemsOf, type Schema } from '../support/contract.ts';
import { allGuides, blocks, GUIDE_NAMES, headingsOf, publishedGuide, readGuide, section, tableRows } from './guide.ts';

/** Characters that fit into the middle column on a screen of 1280 pixels. */
const WIDEST = 76;
const metas: readonly (OperationMeta & { readonly id: OperationId })[] = operationIds.map((id) => ({
  id,
  ...operationMeta[id],
}));

const enumOf = (name: string): string[] =>
  (dereference<Schema>({ $ref: `#/components/schemas/${name}` })['enum'] ?? []) as string[];

/** The inline code of a text. */
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');

test('every guide is published unchanged, under one heading', () => {
  for (const name of GUIDE_NAMES) {
    const text = readGuide(name);
    expect(publishedGuide(name)).toContain(text.trim());
    expect(headingsOf(text).filter((heading) => heading.startsWith('# '))).toHaveLength(1);
    expect(text.startsWith('# ')).toBe(true);
  }
});

test('code in a guide fits into its column', () => {
  const code = [...allGuides.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  expect(code.length).toBeGreaterThan(10);
  expect(code.flatMap((text) => text.split('\n')).filter((line) => line.length > WIDEST)).toEqual([]);
});

test('every operation named by a guide exists', () => {
  const named = [...allGuides.matchAll(/\b(GET|POST|PUT|DELETE|PATCH)\s+(\/v1\/[\w/{}.-]+)/g)];
  const unknown = named.filter(([, method = '', path = '']) => !findOperation(method, path)).map(([text]) => text);
  expect(named.length).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});

test('what the chain takes back after a payment was paid is said where states are told, and in every recipe', () => {
  expect(section(readGuide('payment-states'), '## What the chain takes back')).toContain('`payment.reversed`');
  const recipes = GUIDE_NAMES.filter((name) => name.startsWith('recipe-') && name !== 'recipe-static');
  const silent = recipes.filter((name) => !section(readGuide(name), '## Before you go live').includes('taken back'));
  expect(silent).toEqual([]);
});

test('the option in a coin that the guide shows is one of the contract', () => {
  const [example = ''] = blocks(readGuide('coins'), 'json');
  expect(problemsOf({ $ref: '#/components/schemas/PaymentOption' }, JSON.parse(example))).toEqual([]);
});

test("the scopes are the contract's, each with exactly its operations", () => {
  const granted = enumOf('ApiKeyScope').map((scope) => {
    const opened = metas.filter(({ security }) => security.some(({ apiKey }) => apiKey?.includes(scope)));
    return [scope, opened.map(({ method, path }) => `${method} ${path}`).sort()] as const;
  });
  const rows = tableRows(section(readGuide('authentication'), '## API keys'));
  const listed = rows.map(([scope = '', operations = '']) => [codeIn(scope)[0], codeIn(operations).sort()] as const);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(granted));
});

test("the errors are the contract's, each with its status", () => {
  const table = tableRows(readGuide('errors')).flatMap(([status = '', codes = '']) =>
    codeIn(codes).map((code) => [code, Number(status)] as const),
  );
  const statuses = enumOf('ErrorCode').map((code) => {
    const { status } = refusalOf(new AppError(code as ErrorCode, ''), 'req-1');
    return [code, status] as const;
  });
  expect(Object.fromEntries(table)).toEqual(Object.fromEntries(statuses));
});

test('every reason that the contract gives for a 401 or 403 is explained', () => {
  const reasons = [
    'Unauthorized',
    'CodeNeeded',
    'Forbidden',
    'KeyForbidden',
    'MerchantNotActive',
    'NotOwner',
    'PermissionMissing',
    'RightsExceeded',
  ].flatMap((name) =>
    codeIn(readFileSync(`openapi/responses/${name}.yaml`, 'utf8').replaceAll('reason: ', ''))
      .map((word) => word.trim())
      .filter((word) => /^[a-z]+(_[a-z]+)+$/.test(word)),
  );
  const rows = tableRows(section(readGuide('authentication'), '## When it is refused'));
  const explained = rows.map(([, reason = '']) => codeIn(reason)[0]);
  expect(reasons).toContain('scope_missing');
  for (const reason of reasons) expect(explained).toContain(reason);
});

test("the rate limits are the contract's, with their numbers", () => {
  const rows = tableRows(readGuide('limits')).map(([name = '', , most = '']) => [codeIn(name)[0], most] as const);
  const wanted = Object.entries(limitRules).map(([name, { max, windowSeconds }]) => {
    return [name, `${max} in ${windowSeconds} second${windowSeconds === 1 ? '' : 's'}`] as const;
  });
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(wanted));
});

test('every event, audit action and incident named by a guide exists', () => {
  const types = [...enumOf('EventType'), ...Object.keys(INCIDENT_KINDS)];
  const actions = metas.flatMap(({ audit }) => audit ?? []);
  const named = codeIn(allGuides).filter((word) =>
    /^(payment|checkout|payment_link|withdrawal|subscription|merchant|api_key)(\.\w+)+$/.test(word),
  );
  expect(named.length).toBeGreaterThan(5);
  for (const type of named) expect([...types, ...actions]).toContain(type);
});

test('the array of each list is that of the contract', () => {
  const isList = (properties: Readonly<Record<string, Schema>>): boolean =>
    'pagination' in properties ||
    ('data' in properties && dereference<Schema>(properties['data'] ?? {})['type'] === 'array');
  const wanted = metas
    .filter(({ method, path }) => method === 'GET' && !/^\/v1\/(admin|audit-logs)/.test(path))
    .flatMap(({ id, path }) => {
      const properties = answerOf(id);
      if (!isList(properties)) return [];
      const [array] =
        Object.entries(properties).find(([, each]) => dereference<Schema>(each)['type'] === 'array') ?? [];
      return [[`GET ${path}`, [array, ...('pagination' in properties ? [] : ['pagination'])]] as const];
    });
  const rows = tableRows(section(readGuide('paging'), '## The array of each list'));
  const listed = rows.flatMap(([lists = '', array = '']) =>
    codeIn(lists).map((list) => [list, codeIn(array)] as const),
  );
  expect(wanted.length).toBeGreaterThan(10);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(wanted));
});

/** The properties of what a GET answers in JSON; none where it answers something else. */
function answerOf(id: OperationId): Readonly<Record<string, Schema>> {
  const { responses } = operationOf(id) as { readonly responses: Readonly<Record<string, Schema>> };
  const { content } = dereference<{ content?: Readonly<Record<string, { schema: Schema }>> }>(responses['200'] ?? {});
  const schema = content?.['application/json']?.schema;
  return schema === undefined ? {} : ((dereference<Schema>(schema)['properties'] ?? {}) as Record<string, Schema>);
}

test("the states of a payment are the contract's", () => {
  const states = tableRows(readGuide('payment-states')).map(([state = '']) => codeIn(state)[0]);
  expect(states.sort()).toEqual(enumOf('PaymentStatus').sort());
});

test("the states of a withdrawal are the contract's, and every reason is explained", () => {
  const guide = readGuide('withdrawals');
  const states = tableRows(guide).map(([state = '']) => codeIn(state)[0]);
  expect(states.sort()).toEqual(enumOf('WithdrawalStatus').sort());
  for (const reason of enumOf('WithdrawalStatusReason').filter(Boolean)) expect(guide).toContain(`*${reason}*`);
});

test("the states of a subscription and the failure codes of a charge are the contract's", () => {
  const guide = readGuide('subscriptions');
  const firsts = (heading: string) => tableRows(section(guide, heading)).map(([cell = '']) => codeIn(cell)[0]);
  expect(firsts('## States').sort()).toEqual(enumOf('SubscriptionStatus').sort());
  expect(firsts('## When a charge fails').sort()).toEqual(enumOf('ChargeFailureCode').filter(Boolean).sort());
  expect(codeIn(section(guide, '## Events'))).toEqual(
    expect.arrayContaining(enumOf('EventType').filter((type) => type.startsWith('subscription.'))),
  );
});

test("the numbers given for API keys are the contract's", () => {
  const of = (name: string, property: string): Schema => {
    const { properties } = dereference<Schema>({ $ref: `#/components/schemas/${name}` });
    return dereference<Schema>((properties as Record<string, Schema>)[property] ?? {});
  };
  const guide = readGuide('authentication').replaceAll('\n', ' ');
  const { maximum, default: hours } = of('RotateApiKeyRequest', 'overlapHours');
  expect(guide).toContain(`\`overlapHours\`: ${hours} when left out, at most ${maximum}`);
  expect(guide).toContain(`up to ${of('CreateApiKeyRequest', 'allowedIps')['maxItems']} addresses or ranges`);
});

test('every operation states its required scope or permission', () => {
  for (const id of operationIds) {
    const alternatives: readonly Readonly<Record<string, readonly string[]>>[] = operationMeta[id].security;
    const rights = alternatives.flatMap(({ apiKey = [], adminBearer = [] }) => [...apiKey, ...adminBearer]);
    const { description: text = '' } = operationOf(id) as { readonly description?: string };
    const expected = rights.map((right) => (right === 'self' ? 'Every administrator' : `\`${right}\``));
    expect([id, expected.filter((words) => !text.includes(words))]).toEqual([id, []]);
  }
});
