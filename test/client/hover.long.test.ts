import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { adminSurface } from '../../clients/typescript/src/admin-surface.ts';
import { surface } from '../../clients/typescript/src/surface.ts';
import { contract, operationIds, parametersOf } from '../support/contract.ts';
import { createProject, installClient } from './installed-client.ts';

const EXAMPLES = `
const created = await kasi.payments.create({ amount: 25, currency: 'USD' });
const read = await kasi.payments.get('pay_1');
const owed = read.amountDue;
const refund = await kasi.refunds.create('pay_1', { amount: 5, reason: 'Sold out' });
const page = await kasi.subscriptions.list({ status: 'active' });
for await (const subscription of kasi.subscriptions.iterate({ planId: 'plan_1' })) console.log(subscription.customerName);
const tried = await kasi.payments.create.try({ amount: 25, currency: 'USD' });
const role = await admin.roles.create({ name: 'clerk', description: 'Pays out', permissions: ['withdrawals.view'] });
const merchants = await admin.merchants.list({ search: 'tea' });
const named: Payment = created;
console.log(owed, refund, page, tried, role, merchants, named);
`;

/** Every method of a client: `kasi.payments.create`. */
const methodsIn = (tree: object, path: string): string[] =>
  Object.entries(tree).flatMap(([name, branch]) =>
    'bind' in branch ? [`${path}.${name}`] : methodsIn(branch, `${path}.${name}`),
  );

const METHODS = [...methodsIn(surface, 'kasi'), ...methodsIn(adminSurface, 'admin')];
const PROGRAM = `
import { createClient, type Payment } from '@kasi/client';
import { createAdminClient } from '@kasi/client/admin';

const kasi = createClient({ baseUrl: 'http://localhost:3000' });
const admin = createAdminClient({ baseUrl: 'http://localhost:3000' });
${EXAMPLES}
${METHODS.map((name, index) => `export const call${index} = (...given: Parameters<typeof ${name}>) => ${name}(...given);`).join('\n')}
`;

let service: ts.LanguageService;
let file: string;

/** An editor in which a developer has opened the program, beside the package as it is published. */
beforeAll(async () => {
  const project = await createProject(await installClient());
  await project.write('program.ts', PROGRAM);
  file = join(project.folder, 'src/program.ts');
  const options: ts.CompilerOptions = {
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, strict: true, types: [] },
    ...{ exactOptionalPropertyTypes: true, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'] },
  };
  const { fileExists, readFile, readDirectory, directoryExists, getDirectories } = ts.sys;
  service = ts.createLanguageService({
    ...{ fileExists, readFile, readDirectory, directoryExists, getDirectories },
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => project.folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
});

/** What an editor shows over the last name of this text in the program. */
function hover(text: string): { readonly shown: string; readonly about: string } {
  const at = PROGRAM.indexOf(text) + text.length - 1;
  const info = service.getQuickInfoAtPosition(file, at);
  return {
    shown: ts.displayPartsToString(info?.displayParts).replace(/\s+/g, ' '),
    about: ts.displayPartsToString(info?.documentation),
  };
}

test('the program has no errors', () => {
  const errors = service.getSemanticDiagnostics(file).map(({ messageText }) => messageText);
  expect(errors).toEqual([]);
});

const CALL = '(property) create: Method';
test.each([
  ['const created', 'const created: Payment', ''],
  [
    'kasi.payments.create',
    `${CALL} (body: CreatePaymentRequest, options?: IdempotentCallOptions | undefined) => Promise<Payment>`,
    'Create a payment.',
  ],
  ['{ amount', '(property) amount: number', 'More than 0, at most 1,000,000.00 USD'],
  ['amount: 25, currency', '(property) currency: Currency', 'The fiat currency of an amount.'],
  ['kasi.payments.get', '=> Promise<PaymentDetail>', 'Read a payment.'],
  ['read.amountDue', '(property) amountDue: number', 'What is still missing, in `currency`, rounded up'],
  ['kasi.refunds.create', `${CALL} (id: string, body: CreateRefundRequest, options?`, 'Give money back.'],
  ['const refund', 'const refund: CreatedRefund', ''],
  ['kasi.subscriptions.list', '(query?: ListSubscriptionsQuery | undefined, options?', 'List subscriptions, one page'],
  ['const page', 'const page: SubscriptionList', ''],
  ['{ status', '(property) status?: SubscriptionStatus | undefined', 'Only subscriptions in this state.'],
  [
    'kasi.subscriptions.iterate',
    '=> AsyncGenerator<SubscriptionSummary, void, undefined>',
    'List subscriptions, all of',
  ],
  ['{ planId', '(property) planId?: string | undefined', 'Only subscriptions of this plan.'],
  ['const subscription', 'const subscription: SubscriptionSummary', ''],
  ['subscription.customerName', '(property) customerName: string', 'The name of the customer.'],
  ['const tried', 'const tried: Result<Payment, ', ''],
  ['admin.roles.create', `${CALL} (body: CreateRoleRequest, `, 'Create a role.'],
  ['const role', 'const role: Role', ''],
  ['admin.merchants.list', '=> Promise<AdminMerchantList>', 'List merchants, one page of them.'],
])('over %s an editor shows names and words', (text, shown, about) => {
  const seen = hover(text);
  expect(seen.shown).toContain(shown);
  expect(seen.about).toContain(about);
});

test('no method shows a structure without a name, and each says what it does', () => {
  const bare = METHODS.map((method) => {
    const at = PROGRAM.lastIndexOf(method) + method.length - 1;
    const info = service.getQuickInfoAtPosition(file, at);
    return { method, shown: ts.displayPartsToString(info?.displayParts), about: info?.documentation?.length ?? 0 };
  }).filter(
    ({ shown, about }) => !shown.includes('=>') || /[{[]/.test(shown.replaceAll(/"[^"]*"/g, '')) || about === 0,
  );
  expect(bare).toEqual([]);
});

test('every type of the contract and every query is exported by its name', () => {
  const program = service.getProgram();
  const index = program?.getSourceFiles().find(({ fileName }) => fileName.endsWith('@kasi/client/dist/index.d.ts'));
  const checker = program?.getTypeChecker();
  const symbol = index && checker?.getSymbolAtLocation(index);
  const exported = symbol ? (checker?.getExportsOfModule(symbol) ?? []).map(({ name }) => name) : [];
  const queries = operationIds
    .filter((id) => parametersOf(id, 'query').length > 0)
    .map((id) => `${id.charAt(0).toUpperCase()}${id.slice(1)}Query`);
  const wanted = [...Object.keys(contract.components['schemas'] ?? {}), ...queries];
  expect(wanted.length).toBeGreaterThan(300);
  expect(wanted.filter((name) => !exported.includes(name))).toEqual([]);
});
