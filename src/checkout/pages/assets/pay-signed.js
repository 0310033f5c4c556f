// Pays by a transfer that the wallet signs and the service brings to the chain, for wallets without the coin that the
// network's fee is paid in. See decision relays/only-without-the-coin.
import { Said } from './wallets.js';
import { say } from './words.js';

/** @typedef {import('./wallets.js').Provider} Provider */

const SIGNS = ['to_sign', 'refused'];
/** Why a signed transfer was not sent, by the contract's words. @type {Record<string, string>} */
const REASONS = {
  balance: say('signed.balance'),
  spent: say('signed.spent'),
  changed: say('signed.changed'),
  too_late: say('signed.too_late'),
  token: say('signed.token'),
  allowance: say('signed.allowance'),
  wallet: say('signed.wallet'),
};
/** So long a signature may be on its way to us, and what we know of it on its way back. */
const ON_ITS_WAY_MS = 12_000;
const REVERTED = say('signed.reverted');

/**
 * What a wallet signs, and what became of that; null where nothing can be signed.
 * @param {string} url @param {string} payer
 */
export async function readSigned(url, payer) {
  const answer = await fetch(`${url}&payer=${payer}`, { cache: 'no-store' }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/**
 * Why nothing comes of what was signed so long ago; '' while something may. What is not known after a while never came.
 * @param {{ status: string, reason: string | null }} signed @param {number} ms
 */
export function failureOf({ status, reason }, ms) {
  if (status === 'to_sign') return ms > ON_ITS_WAY_MS ? say('signed.unreachable') : '';
  if (status === 'reverted') return REVERTED;
  return status === 'refused' ? (REASONS[reason ?? ''] ?? '') : '';
}

/** The contracts that signatures name, the same on every network. */
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const PROXY = '0x402085c248eea27d92e8b30b2c58ed07f9e20001';

/**
 * Asks the wallet for what it has to sign of the transfer that the page shows, and hands it in. Throws the wallet's
 * errors, and sentences for the payer. False: this can't be paid so. `tell` says what the wallet asks for.
 * @param {Provider} provider @param {string} from @param {DOMStringMap} wanted
 * @param {{ tell: (words: string) => void, wallet: string, place: { network: string, coin: string } }} page
 * @returns {Promise<boolean>}
 */
export async function paySigned(provider, from, wanted, { tell, wallet, place }) {
  const { authorizationsUrl } = wanted;
  const terms = authorizationsUrl ? await readSigned(authorizationsUrl, from) : null;
  if (!authorizationsUrl || !terms || terms.status === 'reverted') return false;
  if (terms.status === 'to_approve') throw new Said(say('signed.approve', { ...place, token: terms.token }));
  if (!SIGNS.includes(terms.status)) return true;
  requireShown(terms, from, wanted);
  const sign = (/** @type {object} */ data) =>
    provider.request({ method: 'eth_signTypedData_v4', params: [from, JSON.stringify(data)] });
  tell(say(terms.permit ? 'pay.look_first' : 'pay.look_signature', { wallet }));
  // The allowance comes first: whoever declines the transfer then has sent nothing.
  const permit = terms.permit && { nonce: terms.permit.nonce, signature: await sign(terms.permit.typedData) };
  if (permit) tell(say('pay.look_second', { wallet }));
  const signature = await sign(terms.typedData);
  const { token, network, method } = terms;
  await submit(authorizationsUrl, { token, network, method, payer: from, signature, ...(permit && { permit }) });
  return true;
}

/**
 * Throws unless what is to be signed moves just what the page shows, to the address that it shows.
 * @param {any} terms @param {string} from @param {DOMStringMap} wanted
 */
function requireShown({ method, typedData, permit }, from, { to, units, contract }) {
  const { domain, message } = typedData;
  const asked =
    method === 'permit2'
      ? [
          message.witness.to,
          message.permitted.token,
          message.permitted.amount,
          domain.verifyingContract,
          message.spender,
        ]
      : [message.to, domain.verifyingContract, message.value, message.from];
  const shown = method === 'permit2' ? [to, contract, units, PERMIT2, PROXY] : [to, contract, units, from];
  const allowed = permit?.typedData;
  if (allowed) {
    const { owner, spender, value } = allowed.message;
    asked.push(allowed.domain.verifyingContract, owner, spender, value);
    shown.push(contract, from, PERMIT2, units);
  }
  const spell = (/** @type {unknown[]} */ all) => all.map((each) => String(each).toLowerCase()).join();
  if (spell(asked) !== spell(shown)) throw new Said(say('pay.changed'));
}

/** @param {string} url @param {object} body */
async function submit(url, body) {
  const answer = await fetch(/** @type {string} */ (url.split('?')[0]), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (answer?.ok) return;
  const said = (await answer?.json().catch(() => null))?.error?.message;
  // Without an answer of ours it may have arrived: what became of it is looked up.
  if (said !== undefined) throw new Said(said);
}
