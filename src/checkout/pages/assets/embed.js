// Defines <kasi-checkout> on a shop's page: shows the hosted checkout in a modal dialog, and says by events what became
// of it. The files embed*.js are served as one, minified (scripts/generate/embed.ts).
import { closeCheckout, openCheckout } from './embed-checkout.js';
import { make, sheet } from './embed-dialog.js';

/** A function, because nothing else here needs a class. @returns {any} */
function Checkout() {
  const element = Reflect.construct(HTMLElement, [], Checkout);
  const shadow = element.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [sheet()];
  shadow.append(make('slot'));
  element.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    const { target } = event;
    const pressed = target !== element && target instanceof Element && target.closest('a,button');
    // The keys by which people ask for a new tab or window get it.
    if (!pressed || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openCheckout(element);
  });
  return element;
}

// Without these the link inside the element leads to the page.
if (window.HTMLDialogElement && document.adoptedStyleSheets && !customElements.get('kasi-checkout')) {
  Object.setPrototypeOf(Checkout.prototype, HTMLElement.prototype);
  Object.assign(Checkout.prototype, {
    /** @this {HTMLElement} */
    open() {
      openCheckout(this);
    },
    /** @this {HTMLElement} */
    close() {
      closeCheckout(this);
    },
    /** @this {HTMLElement} */
    disconnectedCallback() {
      closeCheckout(this);
    },
  });
  customElements.define('kasi-checkout', /** @type {any} */ (Checkout));
}
