import type { components } from '../../../generated/api.ts';

/** What a page shows of a merchant's brand. */
export type BrandView = {
  /** The style sheet of its colour; null for the platform's. */
  readonly style: string | null;
  /** The path of its logo; null when there is none. */
  readonly logo: string | null;
};

/** The addresses of what belongs to a brand. */
export const brandView = (
  { base }: { readonly base: string },
  { color, logoUrl }: components['schemas']['MerchantBrand'],
): BrandView => ({
  style: color === null ? null : `${base}/brand/${color.slice(1)}.css`,
  // Only the path: pages load images from their own origin alone.
  logo: logoUrl === null ? null : `${base}/logo/${logoUrl.split('/').at(-1)}`,
});
