import type { components } from './generated/api.ts';

/**
 * What a shop's page learns of the payment in the frame. It is for what the page shows next and proves nothing: whoever
 * pays controls their own browser. Deliver on `payment.completed`, or on what the API says.
 */
export type CheckoutFacts = {
  readonly paymentId: string | null;
  /** Null for payments without a session. */
  readonly sessionId: string | null;
  readonly status: components['schemas']['PaymentStatus'] | null;
};

/** The events of `<kasi-checkout>`. They bubble. */
export type CheckoutEvents = {
  /** A page of the checkout is shown. It comes again with each page: a link has two. */
  readonly 'kasi-ready': CustomEvent<CheckoutFacts>;
  /** The payment is paid. Once for each payment while the dialog is open. */
  readonly 'kasi-paid': CustomEvent<CheckoutFacts>;
  /** It is over without being paid: `status` is `expired` or `failed`. A late transfer may still pay it. */
  readonly 'kasi-expired': CustomEvent<CheckoutFacts>;
  /**
   * The payer goes back, to `successUrl` or `cancelUrl`. The dialog closes, and the page goes to `url` unless the event
   * is prevented.
   */
  readonly 'kasi-return': CustomEvent<CheckoutFacts & { readonly url: string }>;
  /** The dialog is closed, for whatever reason. */
  readonly 'kasi-closed': CustomEvent<CheckoutFacts>;
};

/** `<kasi-checkout session="cs_…">`, or `payment="pay_…"`, or `link="<slug>"`. */
export interface KasiCheckoutElement extends HTMLElement {
  /** Shows the checkout in a modal dialog. Does nothing while it is shown, and without an attribute. */
  open(): void;
  close(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'kasi-checkout': KasiCheckoutElement;
  }
  interface HTMLElementEventMap extends CheckoutEvents {}
}

const loading = new Map<string, Promise<void>>();

/**
 * Loads the script that defines `<kasi-checkout>`, once, from the checkout at `checkoutUrl`: what stands before
 * `/session/…` in the `checkoutUrl` of a session. Rejects with an `Error` when it can't be loaded; then try again, or
 * let the link inside the element lead to the page.
 */
export function loadCheckout(checkoutUrl: string): Promise<void> {
  const src = `${checkoutUrl.replace(/\/+$/, '')}/embed.js`;
  const known = loading.get(src);
  if (known) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      loading.delete(src);
      script.remove();
      reject(new Error(`${src} can't be loaded`));
    });
    document.head.append(script);
  });
  loading.set(src, loaded);
  return loaded;
}
