// Loads the script that pays with a wallet of this browser, once there is one (EIP-6963, or `window.ethereum`), or has
// been asked before: most payers have none.

const PATIENCE_MS = 20_000;
const AGAIN_MS = 2000;
const LATE_MS = 1000;

/**
 * Looks for wallets, also later, and loads the script where the page asks for it. `onShown` calls what it is given
 * whenever the page has changed. @param {() => HTMLElement} main @param {(listener: () => void) => void} onShown
 */
export function lookForWallets(main, onShown) {
  let hasWallet = false;
  let busy = false; // Also once the script is there.
  const load = async () => {
    const { payScript, payWords } = main().dataset;
    if (!hasWallet || busy || !payScript || !payWords) return;
    busy = true;
    try {
      await Promise.all([fetchScript(payWords), fetchScript(payScript)]);
      await import(payWords);
      await import(payScript);
    } catch {
      busy = false;
      setTimeout(load, AGAIN_MS);
    }
  };
  const found = () => {
    hasWallet = true;
    load();
  };
  const older = () => {
    if ('ethereum' in window) found();
  };
  addEventListener('eip6963:announceProvider', found, { once: true });
  addEventListener('ethereum#initialized', found, { once: true });
  dispatchEvent(new Event('eip6963:requestProvider'));
  setTimeout(older, LATE_MS); // Some wallets come late.
  try {
    if (localStorage.getItem(`kasi ${main().dataset.payment}`)) found();
  } catch {
    // Private windows may forbid it.
  }
  older();
  onShown(load);
}

/**
 * Brings a script and what it imports into the browser's cache; throws when one does not come. A browser that could not
 * import a script, or one below it, never asks for it again. @param {string} url
 */
async function fetchScript(url) {
  const get = async (/** @type {string | URL} */ part) => {
    const answer = await fetch(part, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.text();
  };
  const imported = (await get(url)).matchAll(/ from '(\.[^']+)'/g);
  await Promise.all([...imported].map(([, part]) => get(new URL(part ?? '', new URL(url, location.href)))));
}
