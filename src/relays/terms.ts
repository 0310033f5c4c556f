import { SECOND_MS } from '../lib/clock.ts';
import { conflict, invalidField } from '../lib/errors.ts';
import { MICRO_DECIMALS, parseUnits } from '../lib/money.ts';
import { isOpen } from '../payments/payment.ts';
import { dueMicro, dueUnitsOf } from '../payments/present.ts';
import type { Payment } from '../payments/types.ts';
import type { Network, Token } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { SignedTransfer, SignedTransfers } from '../ports/signed-transfers.ts';
import type { Settings } from '../settings/settings.ts';
import type { SignedTerms } from './relay.ts';

export type TermsDeps = {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'kindOf' | 'openSignedTransfers' | 'presentAddress'>;
};

/** Which of a payment's options, and who pays. `payer` is in any spelling. */
export type RelayChoice = { readonly token: string; readonly network: string; readonly payer: string };

/** Less time than this before its deadline a transfer would often be too late on the chain, and cost its fee. */
const MARGIN_MS = 60 * SECOND_MS;

/** A way to sign transfers: where, of which token, and how. */
export type Way = {
  readonly network: Network;
  readonly token: SignedTransfer['token'];
  readonly transfers: SignedTransfers;
};

/** How transfers of a token are signed on a network that this process lists; undefined where they are not. */
export function findWay(
  { networks, chains }: TermsDeps,
  name: string,
  isIt: (token: Token) => boolean,
): Way | undefined {
  const network = networks.find((each) => each.name === name);
  const token = network?.tokens.find(isIt);
  const transfers = network && chains.openSignedTransfers(network);
  if (!network || !token?.authorization || !transfers) return undefined;
  return { network, token: { ...token, authorization: token.authorization }, transfers };
}

/** The same by its contract. */
export const findWayOf = (deps: TermsDeps, { network, contract }: SignedTerms): Way | undefined =>
  findWay(deps, network, (token) => token.contract === contract);

/**
 * What a wallet is to sign for a payment as it is now: all that is still missing, to the payment's own address, until
 * its deadline. Throws CONFLICT when the payment can't be paid so, and VALIDATION_ERROR for the payment's own address.
 */
export function termsOf(
  deps: TermsDeps,
  payment: Payment,
  choice: RelayChoice,
  { relayMinAmount }: Settings,
  now: Date,
): { readonly way: Way; readonly terms: SignedTerms } {
  const way = findWay(deps, choice.network, (token) => token.symbol === choice.token);
  const option = payment.options.find((each) => each.network === choice.network && each.token === choice.token);
  if (!option) throw invalidField('network', `has no ${choice.token} for this payment; its options say what it takes`);
  if (relayMinAmount === null || !way || way.token.contract !== option.contract?.toLowerCase()) {
    throw conflict(
      `Signed transfers of ${choice.token} on ${choice.network} are not taken. Pay by a transfer that the wallet sends itself.`,
    );
  }
  const due = dueMicro(payment);
  if (!isOpen(payment) || due <= 0n)
    throw conflict('This payment asks for nothing any more, so there is nothing to sign.');
  if (payment.expiresAt.getTime() - now.getTime() < MARGIN_MS) {
    throw conflict('Less than a minute is left of this payment, which is too short for a signed transfer.');
  }
  if (due < parseUnits(relayMinAmount, MICRO_DECIMALS)) {
    throw conflict(`Payments below ${relayMinAmount} USD are paid by a transfer that the wallet sends itself.`);
  }
  const { canonical } = deps.chains.kindOf(way.network).addresses;
  const [payer, recipient] = [canonical(choice.payer), canonical(option.address)];
  if (payer === recipient) throw invalidField('payer', 'is the address of this payment; name the wallet that signs');
  const units = dueUnitsOf(payment, option, due);
  const validBefore = Math.floor(payment.expiresAt.getTime() / SECOND_MS);
  return {
    way,
    terms: { network: way.network.name, contract: way.token.contract, payer, recipient, units, validBefore },
  };
}

/** The transfer of these terms, as the chain takes it. */
export const transferOf = ({ token, transfers }: Way, paymentId: string, terms: SignedTerms): SignedTransfer => ({
  token,
  from: terms.payer,
  to: terms.recipient,
  units: terms.units,
  validBefore: terms.validBefore,
  nonce: transfers.nonceFor(paymentId),
});

/** Why a payment no longer needs what was signed for it; null: it does. Pure. */
export function findChange(
  payment: Payment,
  { network, contract, units, validBefore }: SignedTerms,
  now: Date,
): 'changed' | 'too_late' | null {
  const option = payment.options.find((each) => each.network === network && each.contract?.toLowerCase() === contract);
  const due = dueMicro(payment);
  if (!option || !isOpen(payment) || due <= 0n || dueUnitsOf(payment, option, due) !== units) return 'changed';
  return validBefore * SECOND_MS - now.getTime() < MARGIN_MS ? 'too_late' : null;
}
