import type { components } from '../../../generated/api.ts';
import type { Words } from './words.ts';

/** What a merchant says to whoever has paid, and where they lead them. */
export type ThanksView = {
  readonly heading: string;
  readonly text: string | null;
  readonly link: { readonly href: string; readonly text: string } | null;
};

type Thanking = Pick<components['schemas']['PublicPayment'], 'merchantName' | 'thankYou' | 'thankYouUrl'>;

/** The merchant's thanks; null when there are none. Only https URLs become a link, and show where they lead. */
export function thanksView({ merchantName, thankYou, thankYouUrl }: Thanking, { say }: Words): ThanksView | null {
  const url = thankYouUrl === null ? null : URL.parse(thankYouUrl);
  const link = url?.protocol === 'https:' ? { href: url.href, text: say('payment.go_on', { host: url.host }) } : null;
  if (thankYou === null && link === null) return null;
  return { heading: say('payment.word_from', { merchant: merchantName }), text: thankYou, link };
}
