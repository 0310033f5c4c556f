import type { components } from '../../../generated/api.ts';

/** A way to reach a merchant. `href` is safe to put into a page. */
export type ContactLink = { readonly id: string; readonly text: string; readonly href: string };

/** How the payer reaches the merchant: links in the order in which they help. None where the merchant has not said. */
export function contactLinks({
  email,
  url,
  website,
}: components['schemas']['MerchantContact']): readonly ContactLink[] {
  return [
    ...(email === null
      ? []
      : [{ id: 'contact-email', text: email, href: `mailto:${encodeURIComponent(email).replace('%40', '@')}` }]),
    ...linkTo('contact-help', url),
    ...linkTo('contact-website', website),
  ];
}

/** Only https URLs become a link, whatever is stored. The host is what a payer can judge. */
function linkTo(id: string, href: string | null): ContactLink[] {
  const url = href === null ? null : URL.parse(href);
  if (url?.protocol !== 'https:') return [];
  return [{ id, text: `${url.host}${url.pathname === '/' ? '' : url.pathname}`, href: url.href }];
}
