import { createHash } from 'node:crypto';
import { createConcurrencyLimit } from '../lib/concurrency-limit.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { type AppError, invalidField } from '../lib/errors.ts';

/** What the URL of a logo is made of. */
export type LogoDeps = { readonly checkoutUrl: string };

/** A logo as pages show it. Its name changes with it, so that browsers may keep it for ever. */
export type Logo = { readonly name: string; readonly png: Buffer };

/** As many pixels a side as an avatar needs on the sharpest screens. */
const SIDE_MAX = 256;
/** A small file can hold a picture that fills the memory. */
const SOURCE_SIDE_MAX = 4096;
const NAME_LENGTH = 32;
/** How the files begin that we draw. Whatever else the library can read, nobody gets it to. */
const BEGINNINGS: readonly ((hex: string) => boolean)[] = [
  (hex) => hex.startsWith('89504e470d0a1a0a'), // PNG
  (hex) => hex.startsWith('ffd8ff'), // JPEG
  (hex) => hex.startsWith('52494646') && hex.startsWith('57454250', 16), // RIFF, its size, WEBP
];

/**
 * A small file can take a tenth of a second of a processor and 64 MB, while its request has a connection to the
 * database. So none waits for its turn.
 */
const inTurn = createConcurrencyLimit(2, 0, 'logos');

/** The URL of a logo; null without one. */
export const logoUrlOf = (name: string | null, { checkoutUrl }: LogoDeps): string | null =>
  name === null ? null : `${checkoutUrl}/logo/${name}.png`;

/**
 * Draws a picture anew, as a PNG without anything else that its file holds. Throws VALIDATION_ERROR for what is no
 * picture, and SERVICE_UNAVAILABLE while two others are drawn.
 */
export async function drawLogo(base64: string): Promise<Logo> {
  const file = Buffer.from(base64, 'base64');
  const beginning = file.subarray(0, 16).toString('hex');
  if (!BEGINNINGS.some((isOf) => isOf(beginning))) throw noPicture();
  return inTurn(() => draw(file));
}

async function draw(file: Buffer): Promise<Logo> {
  // A library that most processes never need.
  const { default: sharp } = await import('sharp');
  const source = sharp(file, { limitInputPixels: SOURCE_SIDE_MAX ** 2, failOn: 'error', animated: false });
  const { width = 0, height = 0 } = await source.metadata().catch(() => ({}) as { width?: number; height?: number });
  if (width === 0 || height === 0) throw noPicture();
  if (Math.max(width, height) > SOURCE_SIDE_MAX) {
    throw invalidField('logo', `must have at most ${SOURCE_SIDE_MAX} pixels a side, but has ${width} × ${height}`);
  }
  const png = await source
    .autoOrient()
    .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer()
    .catch(() => null);
  if (png === null) throw noPicture();
  return { name: createHash('sha256').update(png).digest('hex').slice(0, NAME_LENGTH), png };
}

const noPicture = (): AppError => invalidField('logo', 'must be a whole PNG, JPEG or WebP image in base64');

/** Stores a merchant's logo, or deletes it. The caller holds the merchant's lock. */
export async function saveLogo(trx: Trx, merchantId: string, logo: Logo | null): Promise<void> {
  await trx.deleteFrom('merchant_logos').where('merchant_id', '=', merchantId).execute();
  if (logo === null) return;
  await trx
    .insertInto('merchant_logos')
    .values({ merchant_id: merchantId, ...logo })
    .execute();
}

/** The logo of a name; undefined when there is none any more. */
export async function findLogo(db: Db, name: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('merchant_logos').select('png').where('name', '=', name).limit(1).executeTakeFirst();
  return row?.png;
}
