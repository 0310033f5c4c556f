import { operationMeta } from '../../generated/operations.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import type { ProbeWorld } from '../contract/probe-world.ts';
import { probes } from '../contract/probes.ts';
import { PASSWORD } from '../harness.ts';
import { sampleOf } from './samples.ts';

const BASE_URL = 'http://localhost:3000';
const SHOWN_CODE = '492039';

/** These end the session that they are called with, so they get a separate one. */
const ENDS_SESSION: readonly OperationId[] = ['logoutMerchant', 'changeMerchantPassword'];
const ENDS_ADMIN_SESSION: readonly OperationId[] = ['logoutAdmin', 'changeAdminPassword'];

/** What a reader has in the environment. */
export async function environmentFor(world: ProbeWorld, id: OperationId): Promise<Record<string, string>> {
  const { service, owner, admin, ownersKey } = world;
  const { token } = ENDS_SESSION.includes(id) ? await service.activeMerchant() : owner;
  const { token: adminToken } = ENDS_ADMIN_SESSION.includes(id) ? await service.admin() : admin;
  const { apiKey, apiSecret } = ownersKey;
  return { KASI_TOKEN: token, KASI_ADMIN_TOKEN: adminToken, KASI_API_KEY: apiKey, KASI_API_SECRET: apiSecret };
}

/** The sample with everything that a reader must fill in: the address, ids, tokens, codes. The rest stays as shown. */
export async function fillSample(world: ProbeWorld, id: OperationId, label: string): Promise<string> {
  const { path, body = {} } = await probes[id].request(world);
  if (id === 'streamPublicPayment') await pay(world, path);
  const source = fillPath(id, label, world.service.url, path);
  const filled = (await textsIn(world, id, body)).reduce((text, [shown, real]) => text.replaceAll(shown, real), source);
  const { version } = body as { readonly version?: number };
  return version === undefined ? filled : filled.replace(/(version\W+)\d+/, `$1${version}`);
}

/** The sample for the service at this address, with the ids of this path. */
export const fillPath = (id: OperationId, label: string, url: string, path: string): string =>
  idsIn(id, path)
    .reduce((text, [shown, real]) => text.replaceAll(shown, real), sampleOf(id, label))
    .replaceAll(BASE_URL, url);

/** Its states end with that. */
async function pay(world: ProbeWorld, path: string): Promise<void> {
  const payment = await world.owner.client.payments.get(path.split('/')[4] ?? '');
  await world.service.chain.transfer(payment, { amount: '25' });
  await world.service.runPaymentJobs();
}

type Pair = readonly [shown: string, real: string];

/** The ids that the sample shows in the path, with those of the request. */
function idsIn(id: OperationId, path: string): Pair[] {
  const template = operationMeta[id].path.replaceAll('.', '\\.').replace(/\{\w+\}/g, "([^/?'\\s]+)");
  const [, ...shown] = new RegExp(`${BASE_URL}${template}`).exec(sampleOf(id, 'curl')) ?? [];
  const [, ...real] = new RegExp(`^${template}$`).exec(path.split('?')[0] ?? '') ?? [];
  return shown.map((each, index) => [decodeURIComponent(each), decodeURIComponent(real[index] ?? '')]);
}

/** What only the reader knows of the body. */
async function textsIn({ service, owner, admin }: ProbeWorld, id: OperationId, body: object): Promise<Pair[]> {
  const { otp, signature, payer = '', challengeId = '' } = body as Readonly<Record<string, string>>;
  const shown = (pattern: RegExp): string => pattern.exec(sampleOf(id, 'curl'))?.[0] ?? 'not shown';
  const refreshToken = async (): Promise<string> => {
    if (id === 'refreshAdminSession') return (await service.admin()).refreshToken;
    return (await service.client().auth.login({ email: owner.email, password: PASSWORD })).refreshToken;
  };
  return [
    ...(otp === undefined ? [] : [[SHOWN_CODE, otp] as const]),
    ...(signature === undefined
      ? []
      : [
          [shown(/0x[0-9a-f]{130}/), signature] as const,
          [shown(/(?<="payer": ")\w+/), payer] as const,
          [shown(/wch_\w+/), challengeId] as const,
        ]),
    ...(id === 'loginMerchant' ? [['owner@teahouse.example', owner.email] as const] : []),
    ...(id === 'loginAdmin' ? [['asha@kasi.example', admin.email] as const] : []),
    ...(/^refresh\w+Session$/.test(id) ? [[shown(/rt_\w+/), await refreshToken()] as const] : []),
  ];
}
