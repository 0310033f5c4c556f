import type { LocalAccount } from 'viem/accounts';
import type { Client } from '../../clients/typescript/src/index.ts';
import { customerWallet } from './subscriptions.ts';

export type SignedTransferView = Awaited<ReturnType<Client['public']['payments']['signedTransfer']>>;
export type Authorization = Parameters<Client['public']['payments']['authorize']>[1];

/** The option that tests pay by a signed transfer, and the wallet that signs. */
export const relayChoice = (payer = customerWallet().address) => ({ network: 'devnet', token: 'USDC', payer }) as const;

/** A wallet's signature of the typed data. */
export const signTransfer = (
  { typedData }: Pick<SignedTransferView, 'typedData'>,
  wallet: LocalAccount = customerWallet(),
) => wallet.signTypedData(typedData as never);

/** What a wallet sends to pay by a signed transfer, read and signed just now, with an allowance if one is asked for. */
export async function authorizationFor(
  client: Client,
  paymentId: string,
  wallet: LocalAccount = customerWallet(),
  change: Partial<Pick<Authorization, 'token' | 'method'>> = {},
) {
  const choice = { ...relayChoice(wallet.address), ...change };
  const shown = await client.public.payments.signedTransfer(paymentId, choice);
  const { permit } = shown;
  return {
    ...choice,
    signature: await signTransfer(shown, wallet),
    ...(permit && { permit: { nonce: permit.nonce, signature: await signTransfer(permit, wallet) } }),
  };
}
