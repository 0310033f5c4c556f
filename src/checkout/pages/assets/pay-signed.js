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
};
const REVERTED = say('signed.reverted');

/**
 * What a wallet signs, and what became of that; null where nothing can be signed.
 * @param {string} url @param {string} payer
 */
export async function readSigned(url, payer) {
  const answer = await fetch(`${url}&payer=${payer}`, { cache: 'no-store' }).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/** Why nothing comes of it; '' while something may. @param {{ status: string, reason: string | null } | null} signed */
export const failureOf = (signed) =>
  signed?.status === 'reverted' ? REVERTED : signed?.status === 'refused' ? (REASONS[signed.reason ?? ''] ?? '') : '';

/**
 * Asks the wallet for a signature over the transfer that the page shows, and hands it in. False: this can't be paid so.
 * Throws the wallet's errors, and sentences for the payer.
 * @param {Provider} provider @param {string} from @param {DOMStringMap} wanted @returns {Promise<boolean>}
 */
export async function paySigned(provider, from, { authorizationsUrl, to, units, contract }) {
  const terms = authorizationsUrl ? await readSigned(authorizationsUrl, from) : null;
  if (!authorizationsUrl || !terms || terms.status === 'reverted') return false;
  if (!SIGNS.includes(terms.status)) return true;
  const { domain, message } = terms.typedData;
  const shown = [to, contract, from].map((address) => address?.toLowerCase()).join();
  const asked = [message.to, domain.verifyingContract, message.from].map((address) => address.toLowerCase()).join();
  if (asked !== shown || BigInt(message.value) !== BigInt(units ?? '')) {
    throw new Said(say('pay.changed'));
  }
  const signature = await provider.request({
    method: 'eth_signTypedData_v4',
    params: [from, JSON.stringify(terms.typedData)],
  });
  await submit(authorizationsUrl, { token: terms.token, network: terms.network, payer: from, signature });
  return true;
}

/** @param {string} url @param {Record<string, string>} body */
async function submit(url, body) {
  const answer = await fetch(/** @type {string} */ (url.split('?')[0]), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (answer?.ok) return;
  const said = (await answer?.json().catch(() => null))?.error?.message;
  throw new Said(said ?? say('signed.unreachable'));
}
