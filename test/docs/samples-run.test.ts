import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { makeProbeWorld, type ProbeWorld } from '../contract/probe-world.ts';
import { probes } from '../contract/probes.ts';
import { PASSWORD } from '../harness.ts';
import { operationIds } from '../support/contract.ts';
import { missingFor, runProgram, SHELL, skipWithout } from './program.ts';
import { sampleOf } from './samples.ts';

const BASE_URL = 'http://localhost:3000';
const SHOWN_CODE = '492039';
const missing = missingFor(SHELL);
/** No sandbox runs here: its operations answer 404. */
const served = operationIds.filter((id) => !operationMeta[id].sandbox);

let world: ProbeWorld;
let env: Record<string, string>;

beforeAll(async () => {
  world = await makeProbeWorld();
  const { apiKey, apiSecret } = await world.owner.client.apiKeys.create({ name: 'Web shop' });
  env = { KASI_API_KEY: apiKey, KASI_API_SECRET: apiSecret };
});
afterAll(() => world.service.close());

/** These end the session that they are called with, so they get a separate one. */
const ENDS_SESSION: readonly OperationId[] = ['logoutMerchant', 'changeMerchantPassword'];
const ENDS_ADMIN_SESSION: readonly OperationId[] = ['logoutAdmin', 'changeAdminPassword'];

/** The sample with everything that a reader must fill in: the address, ids, tokens, codes. The rest stays as shown. */
async function prepare(id: OperationId): Promise<string> {
  const { service, owner, admin } = world;
  const shown = operationMeta[id].path.replaceAll('.', '\\.').replace(/\{\w+\}/g, "[^/?'\\s]+");
  const probe = await probes[id].request(world);
  const { otp = SHOWN_CODE } = (probe.body ?? {}) as { readonly otp?: string };
  const [path] = probe.path.split('?');
  const source = sampleOf(id, 'curl')
    .replace(new RegExp(`${BASE_URL}${shown}`), `${service.url}${path}`)
    .replace(SHOWN_CODE, otp);
  const signed = (probe.body ?? {}) as { signature?: string; payer?: string; challengeId?: string };
  if (signed.signature) {
    const { signature, payer = '', challengeId = '' } = signed;
    const ids = source.replace(/(?<="payer": ")\w+/, payer).replace(/wch_\w+/, challengeId);
    return ids.replace(/0x[0-9a-f]{130}/, signature);
  }
  if (id === 'loginMerchant') return source.replace('owner@teahouse.example', owner.email);
  if (id === 'updateSettings') {
    const { version } = (probe.body ?? {}) as { version?: number };
    return source.replace(/"version": \d+/, `"version": ${version}`);
  }
  if (id === 'loginAdmin') return source.replace('asha@kasi.example', admin.email);
  if (id === 'refreshAdminSession') return source.replace(/rt_\w+/, (await service.admin()).refreshToken);
  if (id !== 'refreshMerchantSession') return source;
  const { refreshToken } = await service.client().auth.login({ email: owner.email, password: PASSWORD });
  return source.replace(/rt_\w+/, refreshToken);
}

test.for(served)('the curl sample of %s works', async (id, { skip }) => {
  skipWithout(missing, skip);
  const { token } = ENDS_SESSION.includes(id) ? await world.service.activeMerchant() : world.owner;
  const { token: adminToken } = ENDS_ADMIN_SESSION.includes(id) ? await world.service.admin() : world.admin;
  const isEndless = id === 'streamPublicPayment';
  const settings = ['silent', 'show-error', `max-time = ${isEndless ? 1 : 20}`, 'write-out = "\\n%{http_code}"'];
  const lines = await runProgram(SHELL, `${await prepare(id)}${isEndless ? ' || true' : ''}\n`, {
    env: { ...env, KASI_TOKEN: token, KASI_ADMIN_TOKEN: adminToken, CURL_HOME: '.' },
    files: { '.curlrc': settings.join('\n') },
  });
  expect(lines.at(-1), lines.join('\n')).toBe(`${operationMeta[id].successStatus[0]}`);
});
