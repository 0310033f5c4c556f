import type { LocalAccount } from 'viem/accounts';
import type { Client } from '../../clients/typescript/src/index.ts';
import { customerWallet } from './subscriptions.ts';

type Asked = Omit<Parameters<Client['public']['customers']['challenge']>[0], 'walletAddress'>;

/** A text of this purpose, signed by a wallet. `signer`: who signs in its place. */
export async function proveWallet(
  client: Client,
  asked: Asked,
  wallet = customerWallet(),
  signer: LocalAccount = wallet,
) {
  const { id, message } = await client.public.customers.challenge({ ...asked, walletAddress: wallet.address });
  return { challengeId: id, signature: await signer.signMessage({ message }) };
}

export const CUSTOMER = { customerEmail: 'nimal@example.org', customerName: 'Nimal Perera' } as const;

/** Subscribes a wallet as its owner does on the page of a plan. */
export async function subscribeByWallet(client: Client, planId: string, wallet = customerWallet()) {
  const proof = await proveWallet(client, { purpose: 'subscribe', planId }, wallet);
  return client.public.plans.subscribe(planId, { ...proof, ...CUSTOMER });
}

/** A session of a wallet. */
export async function beginSession(client: Client, wallet = customerWallet()) {
  return client.public.customers.begin(await proveWallet(client, { purpose: 'sign_in' }, wallet));
}
