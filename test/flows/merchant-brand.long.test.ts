import sharp from 'sharp';
import { expect } from 'vitest';
import { test } from '../fixture.ts';

/** A picture of so many pixels, with what cameras write beside it. */
const picture = (width: number, height: number, format: 'png' | 'jpeg' | 'webp' | 'gif' = 'jpeg'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#8a1f4b' } })
    .withExif({ IFD0: { Copyright: 'whoever took this' } })
    .toFormat(format)
    .toBuffer();
const base64 = async (file: Promise<Buffer> | Buffer): Promise<string> => (await file).toString('base64');

test('payers see the colour and the logo, drawn anew, on every page', async ({ service }) => {
  const { client, id } = await service.activeMerchant();
  const logo = await base64(picture(600, 300));
  const { brandColor, logoUrl } = await client.merchants.update(id, { brandColor: '#8A1F4B', logo });
  expect([brandColor, logoUrl]).toEqual([
    '#8a1f4b',
    expect.stringMatching(/^http:\/\/localhost:3000\/checkout\/logo\/[0-9a-f]{32}\.png$/),
  ]);
  expect(await client.merchants.get(id)).toMatchObject({ brandColor, logoUrl });

  const payment = await client.payments.create({ amount: 5, currency: 'USD' });
  const link = await client.paymentLinks.create({ title: 'Tea', amount: 5 });
  const shown = service.client().public;
  expect((await shown.payments.get(payment.id)).merchantBrand).toEqual({ color: brandColor, logoUrl });
  expect((await shown.paymentLinks.get(link.slug)).merchantBrand).toEqual({ color: brandColor, logoUrl });
  const path = new URL(logoUrl ?? '').pathname;
  for (const page of [`/checkout/payment/${payment.id}`, `/checkout/pay/${link.slug}`]) {
    const { text } = await service.send('GET', page);
    expect(text).toContain(`src="${path}"`);
    expect(text).toContain('href="/checkout/brand/8a1f4b.css"');
  }
  const style = await service.send('GET', '/checkout/brand/8a1f4b.css');
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(style.text).toContain('--accent:#8a1f4b');

  const answer = await fetch(`${service.url}${path}`);
  expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    'image/png',
    'public, max-age=31536000, immutable',
  ]);
  const drawn = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect(drawn).toMatchObject({ format: 'png', width: 256, height: 128 });
  expect(drawn.exif, 'nothing else of the file is kept').toBeUndefined();

  await client.merchants.update(id, { brandColor: null, logo: null });
  expect((await shown.payments.get(payment.id)).merchantBrand).toEqual({ color: null, logoUrl: null });
  expect((await fetch(`${service.url}${path}`)).status).toBe(404);
  expect((await service.send('GET', `/checkout/payment/${payment.id}`)).text).toContain('class="avatar"');
});

test('two logos are drawn at once, so that one merchant with small files of huge pictures stalls nobody', async ({
  service,
}) => {
  const merchants = await Promise.all(Array.from({ length: 8 }, () => service.activeMerchant()));
  const logo = await base64(picture(4096, 4096, 'webp'));
  const answers = await Promise.all(
    merchants.map(({ id, token }) => service.send('PUT', `/v1/merchants/${id}`, { body: { logo }, token })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(answers.find(({ status }) => status === 503)).toMatchObject({
    body: { error: { message: 'Too many logos at this moment. Try again in a second.' } },
  });
});

test('the same logo again changes nothing, and the audit says what changed without the picture', async ({
  service,
  merchant,
}) => {
  const logo = await base64(picture(64, 64, 'png'));
  const first = await merchant.client.merchants.update(merchant.id, { logo });
  service.clock.advance(1000);
  expect(await merchant.client.merchants.update(merchant.id, { logo })).toEqual(first);
  const entries = await service.db.selectFrom('audit_log').select('metadata').execute();
  const name = first.logoUrl?.split('/').at(-1)?.slice(0, -'.png'.length);
  expect(entries.map(({ metadata }) => metadata)).toContainEqual({ changed: { logoName: { from: null, to: name } } });
  expect(JSON.stringify(entries)).not.toContain(logo.slice(0, 40));
});

test('what is no picture, or too large to be a logo, is refused by its field, and nothing is stored', async ({
  service,
}) => {
  const merchant = await service.activeMerchant();
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  );
  const whole = await picture(40, 40, 'png');
  const wrong: [string, string][] = [
    ['a drawing that runs as code', await base64(svg)],
    ['a format that browsers animate', await base64(picture(4, 4, 'gif'))],
    ['half a file', await base64(whole.subarray(0, whole.length - 30))],
    ['a beginning alone', await base64(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
    ['more pixels than a logo has', await base64(picture(4097, 1, 'png'))],
    ['text', 'bm8gcGljdHVyZQ=='],
    ['no base64', '***'],
  ];
  for (const [what, logo] of wrong) {
    await expect(
      merchant.client.merchants.update(merchant.id, { logo, businessName: 'Other' }),
      what,
    ).rejects.toMatchObject({
      ...{ status: 400, code: 'VALIDATION_ERROR', fields: [{ path: 'logo' }] },
    });
  }
  for (const brandColor of ['red', '#12345', '#1234567', 'url(//x.example)']) {
    await expect(merchant.client.merchants.update(merchant.id, { brandColor })).rejects.toMatchObject({ status: 400 });
  }
  expect(await merchant.client.merchants.get(merchant.id)).not.toMatchObject({ businessName: 'Other' });
  expect(
    await service.db.selectFrom('merchant_logos').selectAll().where('merchant_id', '=', merchant.id).execute(),
  ).toEqual([]);
  for (const path of ['/checkout/brand/zzzzzz.css', '/checkout/brand/8a1f4b', `/checkout/logo/${'0'.repeat(32)}.png`]) {
    expect((await service.send('GET', path)).status).toBe(404);
  }
});

test('a picture that would fill the memory is refused before it is unpacked', async ({ merchant }) => {
  // 36 million pixels of one colour are small as a file.
  const bomb = await sharp({
    create: { width: 6000, height: 6000, channels: 3, background: '#fff' },
    limitInputPixels: false,
  })
    .png({ palette: true, colours: 2, compressionLevel: 9 })
    .toBuffer();
  expect(bomb.length).toBeLessThan(45_000);
  await expect(merchant.client.merchants.update(merchant.id, { logo: await base64(bomb) })).rejects.toMatchObject({
    fields: [{ path: 'logo' }],
  });
});
