/**
 * What a merchant's server does with the installed client, in plain JavaScript that every runtime accepts. It runs in
 * each of them against the service of runtimes.long.test.ts, and must give the same result everywhere.
 */
import { createClient, signTestWebhook, verifyWebhook } from '@kasi/client';

const KEY = { apiKey: 'pk_sandbox_1', apiSecret: 'sk_sandbox_4f9c2b7e8a1d0356c9e4b2f7a8d1e03b' };
const WEBHOOK_SECRET = 'whsk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

export async function checkRuntime(baseUrl) {
  const kasi = createClient({ baseUrl, ...KEY });
  const session = createClient({ baseUrl, token: 'T1', refreshToken: 'R1' });
  const order = { amount: 49.99, currency: 'USD', metadata: { note: 'සිංහල ☕' } };
  return {
    signed: (await kasi.payments.create(order)).metadata,
    repeated: (await kasi.payments.create({ ...order, description: 'busy' })).metadata,
    listed: await listed(kasi.payments.iterate({ status: 'paid', limit: 2 })),
    refused: (await kasi.payments.get.try('unknown')).error?.code,
    timedOut: (await kasi.payments.get.try('silent', { timeoutMs: 100 })).error?.code,
    aborted: await aborted(kasi),
    renewed: (await session.payments.create(order)).metadata,
    followed: await followed(session.public.payments.events('pay_1', { maxRetries: 0 })),
    bytes: [...(await session.public.payments.qrPng('pay_1'))],
    ...(await webhooks({ baseUrl, merchantId: 'mer_1' })),
  };
}

async function listed(items) {
  const ids = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

async function followed(events) {
  const seen = [];
  for await (const { status } of events) seen.push(status);
  return seen;
}

async function aborted(kasi) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 50);
  return kasi.payments.get('silent', { signal: controller.signal }).catch((error) => error.message);
}

async function webhooks(source) {
  const event = { id: 'evt_1', type: 'payment.completed', data: { id: 'pay_1', note: 'සිංහල ☕' } };
  const { body, headers } = signTestWebhook(event, { secret: WEBHOOK_SECRET });
  const verify = (sent) =>
    verifyWebhook(sent, headers, source).then(
      ({ type }) => type,
      ({ reason }) => reason,
    );
  const request = new Request('https://shop.example', { method: 'POST', headers, body });
  return {
    genuine: await verify(body),
    forged: await verify(`${body} `),
    request: (await verifyWebhook(request, source)).type,
  };
}
