import { nodeAnswers } from '../chains/node-answers.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { invalidField, notFound } from '../lib/errors.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import { findMainSender } from '../payments/returns.ts';
import { isSame, requireListed } from '../payouts/destination.ts';
import { findRefund } from './queries.ts';
import { isClaimable, type Refund } from './refund.ts';
import type { RefundDeps } from './service.ts';

/** A wallet that paid, and the text by whose signature it claims a refund. */
export type ClaimingWallet = { readonly address: string; readonly message: string };

export type ProofDeps = Pick<RefundDeps, 'networks' | 'chains' | 'checkoutUrl'>;

/**
 * The wallet that paid the most of what a refund gives back, by what had come when it was made; null where its network
 * knows no senders or no signatures, and once nothing can be claimed. See decision refunds/the-wallet-that-paid.
 */
export async function findWallet(db: Db | Trx, deps: ProofDeps, refund: Refund): Promise<ClaimingWallet | null> {
  const network = deps.networks.find(({ name }) => name === refund.network);
  if (!isClaimable(refund) || !network || deps.chains.openSignatures(network) === null) return null;
  const sender = await findMainSender(db, { ...refund, at: refund.createdAt });
  if (sender === undefined || !deps.chains.isAddressOn(network, sender)) return null;
  if (deps.chains.isOwnerless(sender) || deps.chains.isOwnAddress(sender)) return null;
  const address = deps.chains.presentAddress(sender);
  return { address, message: messageOf(refund, address, deps.checkoutUrl) };
}

/** What the wallet signs. The refund and the site stand in it, so that it says nothing elsewhere. */
const messageOf = (refund: Refund, address: string, checkoutUrl: string): string =>
  [
    'Send my refund to this wallet.',
    '',
    `Wallet: ${address}`,
    `Amount: ${presentUnits(refund.token, refund.units, refund.decimals)} ${refund.token} on ${refund.network}`,
    `Refund: ${refund.id}`,
    `Site: ${checkoutUrl}`,
    '',
    'Signing this costs nothing and allows nothing else.',
  ].join('\n');

/**
 * Throws unless the wallet that paid has signed that a refund goes to `address`: NOT_FOUND, VALIDATION_ERROR, and
 * SERVICE_UNAVAILABLE when a node has to be asked and does not answer, and for a network that is not listed. Never
 * inside a transaction.
 */
export async function requireProof(
  db: Db,
  deps: ProofDeps,
  claimHash: Buffer,
  { address, signature }: { readonly address: string; readonly signature: string },
): Promise<void> {
  const refund = await findRefund(db, { claimHash });
  if (!refund) throw notFound('refund');
  const wallet = await findWallet(db, deps, refund);
  // What can't be claimed any more is refused with its state afterwards.
  if (wallet === null && !isClaimable(refund)) return;
  const network = requireListed(deps.networks, refund.network);
  if (wallet === null || !isSame(deps.chains, wallet.address, address)) {
    throw invalidField(
      'destinationAddress',
      'is not the wallet that paid; leave the signature out to name another address',
    );
  }
  const isSigned = deps.chains.openSignatures(network);
  if (!isSigned) throw new Error(`nobody signs on ${refund.network}`);
  const signed = { account: wallet.address, message: wallet.message, signature };
  const found = await nodeAnswers(refund.network, isSigned(signed), 'the signature could not be checked');
  if (!found)
    throw invalidField('signature', `must be a signature of ${wallet.address} over wallet.message as it is now`);
}
