import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Fault = { readonly rule: string; readonly file: string; readonly from: string; readonly to: string };

const FAULTS: readonly Fault[] = [
  {
    rule: 'operation-id',
    file: 'paths/payments_{id}.yaml',
    from: 'operationId: getPayment',
    to: 'operationId: get_payment',
  },
  {
    rule: 'security-stated',
    file: 'paths/auth_sessions.yaml',
    from: '  security:\n    - merchantBearer: []\n',
    to: '',
  },
  { rule: 'permitted', file: 'paths/admin_auth_me.yaml', from: 'adminBearer: [self]', to: 'adminBearer: []' },
  { rule: 'permitted', file: 'paths/admin_auth_logout.yaml', from: 'adminBearer: [self]', to: 'merchantBearer: []' },
  { rule: 'permitted', file: 'paths/payments.yaml', from: 'merchantBearer: []', to: 'adminBearer: [payments.view]' },
  {
    rule: 'default-answer',
    file: 'paths/settlements_balance.yaml',
    from: '    default:\n      $ref: ../responses/Error.yaml\n',
    to: '',
  },
  { rule: 'audited', file: 'paths/payments_{id}_cancel.yaml', from: '  x-audit: payment.cancel\n', to: '' },
  { rule: 'audited', file: 'paths/auth_login.yaml', from: '  x-audit: session.create\n', to: '' },
  { rule: 'audited', file: 'paths/payments_{id}_resolve.yaml', from: 'x-audit: ', to: 'x-unaudited: "" #' },
  {
    ...{ rule: 'transacted', file: 'paths/payments_{id}.yaml' },
    ...{ from: 'x-transaction: look-up', to: 'x-transaction: lookup' },
  },
  {
    ...{ rule: 'transacted', file: 'paths/sandbox_payments_{id}_pay.yaml' },
    ...{ from: '  x-transaction: none\n', to: '  x-transaction: look-up\n' },
  },
  { rule: 'limited', file: 'paths/payments_{id}_timeline.yaml', from: 'x-limit: [requests]', to: 'x-limit: [nothing]' },
  { rule: 'limited', file: 'paths/settlements_balance.yaml', from: '  x-limit: [requests]\n', to: '' },
  { rule: 'idempotent', file: 'paths/auth_logout.yaml', from: '  x-idempotency: none\n', to: '' },
  {
    rule: 'idempotent',
    file: 'paths/payment-links.yaml',
    from: '    - $ref: ../parameters/IdempotencyKey.yaml\n',
    to: '    - $ref: ../parameters/Page.yaml\n',
  },
  { rule: 'no-path-parameters', file: 'paths/sandbox.yaml', from: 'get:\n', to: 'parameters: []\nget:\n' },
  { rule: 'parameter-names', file: 'parameters/Page.yaml', from: 'name: page\n', to: 'name: page_number\n' },
  {
    rule: 'parameter-names',
    file: 'parameters/Limit.yaml',
    from: 'name: limit\nin: query',
    to: 'name: X-Limit\nin: header',
  },
  { rule: 'file-names', file: 'openapi.yaml', from: '/v1/sandbox/wallets:', to: '/v1/sandbox/testWallets:' },
  {
    rule: 'named-types',
    file: 'paths/payments_{id}_timeline.yaml',
    from: '$ref: ../schemas/payments/PaymentTimeline.yaml',
    to: 'type: object',
  },
  { rule: 'properties', file: 'schemas/payments/PaymentRate.yaml', from: '    examples: [fixed]\n', to: '' },
  { rule: 'properties', file: 'schemas/webhooks/JsonWebKey.yaml', from: '  kty:\n', to: '  key_type:\n' },
  {
    rule: 'safe-schemas',
    file: 'schemas/common/MessageResponse.yaml',
    from: '    type: string\n',
    to: '    type: string\n    example: Done.\n',
  },
  { rule: 'safe-schemas', file: 'schemas/sandbox/SandboxClock.yaml', from: 'format: date-time', to: 'format: time' },
  {
    rule: 'requests-and-answers',
    file: 'schemas/sandbox/SandboxToken.yaml',
    from: '[token, contract, decimals]',
    to: '[token, contract]',
  },
  {
    rule: 'requests-and-answers',
    file: 'schemas/payments/CreatePaymentRequest.yaml',
    from: 'additionalProperties: false\n',
    to: '',
  },
  {
    rule: 'request-examples',
    file: 'paths/auth_login.yaml',
    from: '        examples:\n          password:',
    to: '        x-old:\n          password:',
  },
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kasi-lint-'));
  await cp('openapi', join(folder, 'openapi'), { recursive: true });
  await cp('scripts/contract', join(folder, 'scripts/contract'), { recursive: true });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the contract passes its own rules', async () => {
  expect(await lint()).toEqual([]);
});

test('each custom rule finds its fault and links to its explanation', async () => {
  for (const fault of FAULTS) await plant(fault);
  await rename(join(folder, 'openapi/paths/sandbox_clock.yaml'), join(folder, 'openapi/paths/clock.yaml'));
  await plant({ rule: 'file-names', file: 'openapi.yaml', from: 'paths/sandbox_clock.yaml', to: 'paths/clock.yaml' });
  const problems = await lint();
  for (const { rule, file } of [
    ...FAULTS.filter((fault) => fault.rule !== 'file-names'),
    { rule: 'file-names', file: 'paths/clock.yaml' },
  ]) {
    const found = problems.filter((problem) => problem.rule === `kasi/${rule}` && problem.file === `openapi/${file}`);
    expect(found, `${rule} in ${file}`).not.toEqual([]);
    for (const problem of found) expect(problem.message).toMatch(/See openapi\/README\.md#[a-z-]+$/);
  }
});

test("every rule's link leads to a heading of the guide", async () => {
  const guide = await readFile('openapi/README.md', 'utf8');
  const headings = [...guide.matchAll(/^#+ (.+)$/gm)].map((match) => `${match[1]}`.toLowerCase().replaceAll(' ', '-'));
  const sources = `${await readFile('openapi/redocly.yaml', 'utf8')}${await readFile('scripts/contract/rules.ts', 'utf8')}`;
  const anchors = [...sources.matchAll(/(?:README\.md|\$\{GUIDE\})#([a-z-]+)/g)].map((match) => `${match[1]}`);
  expect(anchors.length).toBeGreaterThan(20);
  expect([...new Set(anchors)].filter((anchor) => !headings.includes(anchor))).toEqual([]);
});

async function plant({ file, from, to }: Fault): Promise<void> {
  const path = join(folder, 'openapi', file);
  const text = await readFile(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} no longer has ${JSON.stringify(from)}`);
  await writeFile(path, text.replace(from, to));
}

type Problem = { readonly rule: string; readonly file: string; readonly message: string };

/** What the linter reports in the copy; `file` is relative to it. */
function lint(): Promise<Problem[]> {
  return new Promise((settle, reject) => {
    const options = ['scripts/contract/lint.ts', '--format=json', '--max-problems=1000'];
    execFile(process.execPath, options, { cwd: folder, maxBuffer: 50 * 1024 * 1024 }, (_failed, stdout, stderr) => {
      try {
        const report = JSON.parse(stdout) as {
          problems: { ruleId: string; message: string; location: { source: { ref: string } }[] }[];
        };
        settle(
          report.problems.map(({ ruleId, message, location }) => ({
            rule: ruleId,
            message,
            file: location[0]?.source.ref ?? '',
          })),
        );
      } catch (error) {
        reject(new Error(`The linter gave no report: ${stderr}`, { cause: error }));
      }
    });
  });
}
