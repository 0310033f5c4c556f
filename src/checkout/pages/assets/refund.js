// Lets the wallet that paid claim a refund by a signature. The page works without: then the payer types an address.
import { announce } from './checkout.js';
import { createWait, signText } from './proof.js';
import { explain, findWallets, listWallets, Said } from './wallets.js';
import { say } from './words.js';

const proof = /** @type {HTMLFormElement | null} */ (document.getElementById('proof'));
/** @type {Map<string, import('./wallets.js').Wallet>} */
const wallets = new Map();
const proving = createWait('#proof button');

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} text */
function tell(text) {
  const trouble = byId('trouble');
  trouble.hidden = text === '';
  trouble.textContent = text;
}

/** Asks a wallet to sign for the account that paid. @param {import('./wallets.js').Provider} provider */
async function sign(provider) {
  const { address = '', message = '' } = proof?.dataset ?? {};
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const own = accounts.find((/** @type {string} */ each) => each.toLowerCase() === address.toLowerCase());
  if (!own) {
    throw new Said(say('refund.choose_account', { address }));
  }
  return signText(provider, message, own);
}

/** @param {import('./wallets.js').Wallet} wallet */
async function prove(wallet) {
  if (proving.isBusy() || !proof) return;
  proving.begin();
  tell('');
  announce(say('refund.look'));
  try {
    const signature = await sign(wallet.provider);
    /** @type {HTMLInputElement} */ (proof.elements.namedItem('signature')).value = signature;
    proving.submit(proof);
  } catch (error) {
    const { network = '', chainId } = proof.dataset;
    tell(explain(error, { network, chainId: Number(chainId) }));
    proving.free();
  }
}

function show() {
  if (!proof) return;
  proof.hidden = wallets.size === 0;
  listWallets(byId('wallets'), wallets, (wallet) =>
    proving.button(wallet, say('refund.sign_with', { wallet: wallet.name }), () => prove(wallet)),
  );
}

if (proof) findWallets(wallets, show);
document.documentElement.classList.add('proves');
