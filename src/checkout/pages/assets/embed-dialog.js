// The dialog of <kasi-checkout>: its style and its parts. See embed.js.

const STYLE = `
:host{display:inline}
dialog{box-sizing:border-box;flex-direction:column;width:30rem;max-width:100vw;height:calc(var(--height,36rem) + 3rem);max-height:calc(100dvh - 3rem);padding:0;border:0;border-radius:1rem;overflow:hidden;background:#f5f4f0;color:#17191c;font:0.875rem/1.5 system-ui,sans-serif;box-shadow:0 1rem 4rem #0006;color-scheme:light dark}
dialog[open]{display:flex}
dialog::backdrop{background:#0009}
header,p{display:flex;flex:none;gap:.5rem;align-items:center;justify-content:space-between;margin:0;padding:0 .25rem 0 1rem;min-height:3rem}
p{display:none}
.load .wait,.lost .lost{display:flex}
.load iframe{position:absolute;visibility:hidden}
iframe{flex:1;width:100%;min-height:0;border:0;color-scheme:light dark}
button{width:2.75rem;height:2.75rem;border:0;border-radius:.75rem;background:none;color:inherit;font:1.5rem/1 system-ui;cursor:pointer}
a{color:inherit}
:focus-visible{outline:3px solid #0b6b4f;outline-offset:-3px}
@media(prefers-color-scheme:dark){dialog{background:#0d0f12;color:#f1f2f3}:focus-visible{outline-color:#58d5a8}}
@media(max-width:40rem){dialog{width:100vw;height:100dvh;max-height:none;margin:0;border-radius:0}}
`;

/** A sheet that scripts construct needs no exception from a shop's policy. */
export function sheet() {
  const made = new CSSStyleSheet();
  made.replaceSync(STYLE);
  return made;
}

/** @param {string} tag @param {Record<string, string>} [attributes] @param {(Node | string)[]} children */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Title, close, loading, and in a window, as the dialog says them; `url` is the page, and `src` the same in a frame.
 * The header has the name of the checkout's host, because a frame has no address bar.
 * @param {readonly string[]} words @param {string} url @param {string} src
 */
export function makeDialog([title = '', close = '', loading = '', inWindow = ''], url, src) {
  const button = make('button', { type: 'button', 'aria-label': close }, '×');
  const frame = /** @type {HTMLIFrameElement} */ (make('iframe', { title, allow: 'clipboard-write', src }));
  const dialog = /** @type {HTMLDialogElement} */ (
    make(
      'dialog',
      { class: 'load', 'aria-label': title },
      make('header', {}, make('span', {}, new URL(url).host), button),
      make('p', { class: 'wait', role: 'status' }, loading),
      make('p', { class: 'lost' }, make('a', { href: url, target: '_blank', rel: 'noopener' }, inWindow)),
      frame,
    )
  );
  return { dialog, frame, button };
}
