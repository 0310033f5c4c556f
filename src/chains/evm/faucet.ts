import { type Address, createClient, encodeFunctionData, getAddress, parseEther } from 'viem';
import { generatePrivateKey, type LocalAccount, privateKeyToAddress } from 'viem/accounts';
import { getBalance } from 'viem/actions';
import { disperse, testUsdt } from '../../../generated/contracts.ts';
import { createTurns, type Turns } from '../../lib/turns.ts';
import type { Token } from '../../ports/chain.ts';
import { type AccountSender, createAccountSender } from './account-sender.ts';
import { type Reader, transportTo } from './client.ts';
import { deterministicAddress } from './deploy.ts';
import { type DevAccounts, deriveAccounts } from './dev-accounts.ts';
import type { EvmNetwork } from './network.ts';
import {
  BANK_ACCOUNT,
  ensureDeployed,
  ensureFunds,
  mint,
  PATIENT_PAYER_ACCOUNT,
  PAYER_ACCOUNTS,
} from './test-contracts.ts';

type FaucetTransfer = {
  readonly token: Token;
  /** Hex address. */
  readonly to: string;
  readonly units: bigint;
  /**
   * Pays from the wallet whose transfers stay unconfirmed until blocks are mined.
   * See decision sandbox/unconfirmed-until-mined.
   */
  readonly patient?: boolean;
};

type CoinTransfer = {
  /** Who gets how much, in wei; one transaction for all of them where a contract sends it on. */
  readonly to: readonly { readonly address: string; readonly units: bigint }[];
  /** `contract`: no log and no recipient of a transaction tells of it, as where exchanges pay. */
  readonly by: 'account' | 'contract';
  /** As of a transfer. */
  readonly patient?: boolean;
};

type FaucetReceipt = {
  readonly txHash: string;
  readonly blockNumber: number;
  /** The payer's wallet, checksummed. */
  readonly from: string;
};

export type FundedWallet = {
  /** Checksummed. */
  readonly address: string;
  readonly privateKey: string;
  /** The balance of each token of the network, in base units. */
  readonly tokens: readonly { readonly token: Token; readonly units: bigint }[];
  /** The balance of the chain's coin, in wei. */
  readonly wei: bigint;
};

/** Play money of a test network. Every call resolves when its transactions are in blocks. */
export type Faucet = {
  /**
   * Pays from one of seven wallets in turn, or from the patient one; concurrent calls, in any number of processes, all
   * succeed.
   */
  readonly transfer: (transfer: FaucetTransfer) => Promise<FaucetReceipt>;
  /**
   * Pays in the chain's coin: in one transaction after the other, or in one by a contract. Returns the last one.
   */
  readonly transferCoin: (transfer: CoinTransfer) => Promise<FaucetReceipt>;
  /** Makes a wallet with `unitsOf` play money of every token and coin for fees. No one else knows its key. */
  readonly createWallet: (unitsOf?: (token: Token) => bigint) => Promise<FundedWallet>;
  /** Mints base units of a token to an address. */
  readonly give: (token: Token, to: string, units: bigint) => Promise<void>;
  /** The address that takes unwanted money, checksummed. */
  readonly sink: () => string;
  /** The patient wallet, in lower case. */
  readonly patientPayer: () => string;
};

const WALLET_TOKENS = 10_000n;
const WALLET_WEI = parseEther('1');
const TRANSFER_GAS = 120_000n;
const COIN_GAS = 30_000n;
/** A payer is filled up to what it pays and this. */
const PAYER_WEI = parseEther('10');
const DISPERSE_GAS = 60_000n;

/** The faucet of a network that `prepareTestContracts` has prepared with the same mnemonic. A process needs one. */
export function createFaucet(network: EvmNetwork, mnemonic: string): Faucet {
  const client = createClient({ transport: transportTo(network.rpcUrl) });
  const walletOf = createWallets(mnemonic, (account) => createAccountSender(client, account, network.chainId));
  let turn = 0;
  const nextPayer = (): Wallet => {
    turn += 1;
    return walletOf(PAYER_ACCOUNTS[turn % PAYER_ACCOUNTS.length]!);
  };
  const give = async (token: Token, to: string, units: bigint): Promise<void> => {
    await mint(nextPayer().sender, token.contract as Address, to as Address, units);
  };
  const payCoin = createCoinPayer(client, () => walletOf(BANK_ACCOUNT).sender);
  return {
    transferCoin: ({ to, by, patient = false }) => {
      const { sender, inTurn } = patient ? walletOf(PATIENT_PAYER_ACCOUNT) : nextPayer();
      return inTurn(() => payCoin(sender, to, by));
    },
    transfer: ({ token, to, units, patient = false }) => {
      const { sender, inTurn } = patient ? walletOf(PATIENT_PAYER_ACCOUNT) : nextPayer();
      const contract = token.contract as Address;
      const data = encodeFunctionData({ abi: testUsdt.abi, functionName: 'transfer', args: [getAddress(to), units] });
      return inTurn(async () => {
        await ensureFunds(client, sender, contract, units);
        const { hash, blockNumber } = await sender.send({ to: contract, data, gas: TRANSFER_GAS });
        return { txHash: hash, blockNumber, from: sender.address };
      });
    },
    createWallet: async (unitsOf = ({ decimals }) => WALLET_TOKENS * 10n ** BigInt(decimals)) => {
      const privateKey = generatePrivateKey();
      const address = privateKeyToAddress(privateKey);
      const tokens = network.tokens.map((token) => ({ token, units: unitsOf(token) }));
      await Promise.all([
        walletOf(BANK_ACCOUNT).sender.send({ to: address, value: WALLET_WEI, gas: COIN_GAS }),
        ...tokens.flatMap(({ token, units }) => (units > 0n ? [give(token, address, units)] : [])),
      ]);
      return { address, privateKey, tokens, wei: WALLET_WEI };
    },
    give,
    sink: () => walletOf(PATIENT_PAYER_ACCOUNT).sender.address,
    patientPayer: () => walletOf(PATIENT_PAYER_ACCOUNT).sender.address.toLowerCase(),
  };
}

/** Pays in the coin from an account that is filled up before. */
function createCoinPayer(client: Reader, bank: () => AccountSender) {
  return async (sender: AccountSender, to: CoinTransfer['to'], by: CoinTransfer['by']): Promise<FaucetReceipt> => {
    const value = to.reduce((sum, { units }) => sum + units, 0n);
    const held = await getBalance(client, { address: sender.address });
    if (held < value + PAYER_WEI) await bank().send({ to: sender.address, value: value + PAYER_WEI, gas: COIN_GAS });
    const calls =
      by === 'account'
        ? to.map(({ address, units }) => ({ to: getAddress(address), value: units, gas: COIN_GAS }))
        : [await throughContract(client, bank(), to, value)];
    let receipt: FaucetReceipt | undefined;
    for (const call of calls) {
      const { hash, blockNumber } = await sender.send(call);
      receipt = { txHash: hash, blockNumber, from: sender.address };
    }
    if (receipt === undefined) throw new Error('A transfer needs a recipient.');
    return receipt;
  };
}

async function throughContract(client: Reader, bank: AccountSender, to: CoinTransfer['to'], value: bigint) {
  await ensureDeployed(client, bank, disperse.bytecode);
  const args = [to.map(({ address }) => getAddress(address)), to.map(({ units }) => units)] as const;
  const data = encodeFunctionData({ abi: disperse.abi, functionName: 'pay', args });
  return { to: deterministicAddress(disperse.bytecode), data, value, gas: DISPERSE_GAS * BigInt(to.length + 1) };
}

/** A payer checks its balance and pays in one turn, so that the balance is still right. */
type Wallet = { readonly sender: AccountSender; readonly inTurn: Turns };

/** Derives accounts at their first use: a service that is never paid derives none. */
function createWallets(mnemonic: string, createSender: (account: LocalAccount) => AccountSender) {
  const wallets = new Map<number, Wallet>();
  let accounts: DevAccounts | undefined;
  return (index: number): Wallet => {
    accounts ??= deriveAccounts(mnemonic);
    const wallet = wallets.get(index) ?? { sender: createSender(accounts(index)), inTurn: createTurns() };
    wallets.set(index, wallet);
    return wallet;
  };
}
