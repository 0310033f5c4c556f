import {
  type Address,
  concatHex,
  createClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseEther,
  zeroHash,
} from 'viem';
import { getBalance, getChainId, readContract } from 'viem/actions';
import { testUsdc, testUsdt } from '../../../generated/contracts.ts';
import { type AccountSender, createAccountSender } from './account-sender.ts';
import { hasCode, type Reader, transportTo } from './client.ts';
import { collectorInitCode } from './collector-deploy.ts';
import { DETERMINISTIC_DEPLOYER, deterministicAddress, factoryInitCode } from './deploy.ts';
import { deriveAccounts, derivePrivateKey } from './dev-accounts.ts';
import { initCodeOf, PUBLISHED } from './permit2-deployment.ts';

/**
 * The roles of the development mnemonic's accounts: one deploys and gives coins, eight pay, one is the treasury, two
 * run the collector.
 */
export const BANK_ACCOUNT = 0;
export const PAYER_ACCOUNTS = [1, 2, 3, 4, 5, 6, 7];
/** Makes the payments that stay unconfirmed for a while. */
export const PATIENT_PAYER_ACCOUNT = 8;
const TREASURY_ACCOUNT = 9;
/**
 * Charges subscriptions. Nothing else sends from it, so all its nonces belong to charges.
 * See decision sandbox/operator-account.
 */
const OPERATOR_ACCOUNT = 10;
/** May replace the operator and pause the collector, which the sandbox never does by itself. */
const OWNER_ACCOUNT = 11;
/** Pays for sweeping deposits, and does nothing else. */
const SWEEP_ACCOUNT = 12;

/** What signed transfers and allowances of the test USDC are made for; of its source. */
export const TEST_USDC_AUTHORIZATION = { name: 'Test USD Coin', version: '1' } as const;

/** Both test tokens have 6 decimals. */
export const TEST_TOKEN_DECIMALS = 6;
/** A billion tokens. A payer is filled up to it at the start, and again when it holds less than a payment takes. */
const PAYER_UNITS = 1_000_000_000n * 10n ** 6n;
/** A payer below this is filled up. */
const PAYER_UNITS_LOW = PAYER_UNITS / 10n;

/**
 * Development nodes give coins to the first ten accounts only; this lasts the operator for hundreds of thousands of
 * charges.
 */
const OPERATOR_WEI = parseEther('100');

const DEPLOY_GAS = 4_000_000n;
const COIN_GAS = 30_000n;
const MINT_GAS = 120_000n;

/** Addresses of the contracts of a test network, checksummed; the same on every chain and at every start. */
export type TestContracts = {
  readonly factory: Address;
  readonly collector: Address;
  readonly treasury: Address;
  readonly usdt: Address;
  readonly usdc: Address;
};

/**
 * Deploys the deposit factory, the subscription collector, both test tokens and Permit2 on a development chain, and
 * fills the wallets of payers and operator. Leaves existing contracts as they are, so it may be interrupted anywhere,
 * repeated, and run by several processes at once. Throws one sentence with the cure when the chain is not `chainId`.
 */
export async function prepareTestContracts(options: {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly mnemonic: string;
}): Promise<TestContracts> {
  const { chainId } = options;
  const client = createClient({ transport: transportTo(options.rpcUrl) });
  const found = await getChainId(client);
  if (found !== chainId) {
    throw new Error(`EVM_RPC_URL leads to chain ${found}; the sandbox needs a development chain with id ${chainId}.`);
  }
  const accountOf = deriveAccounts(options.mnemonic);
  const treasury = accountOf(TREASURY_ACCOUNT).address;
  const [operator, owner] = [accountOf(OPERATOR_ACCOUNT).address, accountOf(OWNER_ACCOUNT).address];
  const initCodes = [
    factoryInitCode(treasury),
    testUsdt.bytecode,
    testUsdc.bytecode,
    collectorInitCode({ treasury, owner, operator }),
  ];
  const bank = createAccountSender(client, accountOf(BANK_ACCOUNT), chainId);
  await Promise.all([
    ...initCodes.map((initCode) => ensureDeployed(client, bank, initCode)),
    ...PUBLISHED.map((each) => ensureDeployed(client, bank, initCodeOf(each), each.salt)),
    ensureCoins(client, bank, operator),
    ensureCoins(client, bank, accountOf(SWEEP_ACCOUNT).address),
  ]);
  const [factory, usdt, usdc, collector] = initCodes.map((initCode) => deterministicAddress(initCode)) as [
    Address,
    Address,
    Address,
    Address,
  ];
  const payers = [...PAYER_ACCOUNTS, PATIENT_PAYER_ACCOUNT].map((index) =>
    createAccountSender(client, accountOf(index), chainId),
  );
  await Promise.all(
    payers.flatMap((payer) => [usdt, usdc].map((token) => ensureFunds(client, payer, token, PAYER_UNITS_LOW))),
  );
  return { factory, collector, treasury, usdt, usdc };
}

/**
 * The private key of the account that may charge on a chain that `prepareTestContracts` has prepared with the same
 * mnemonic.
 */
export const operatorKeyOf = (mnemonic: string): Hex => derivePrivateKey(mnemonic, OPERATOR_ACCOUNT);

/** The private key of the account that pays for sweeping deposits on such a chain. */
export const sweepKeyOf = (mnemonic: string): Hex => derivePrivateKey(mnemonic, SWEEP_ACCOUNT);

/** Mints `units` of a test token to `to`; any account may. */
export function mint(sender: AccountSender, token: Address, to: Address, units: bigint): Promise<unknown> {
  const data = encodeFunctionData({ abi: testUsdt.abi, functionName: 'mint', args: [to, units] });
  return sender.send({ to: token, data, gas: MINT_GAS });
}

/** Fills the sender's own wallet when it holds less than `units` of a test token. */
export async function ensureFunds(client: Reader, sender: AccountSender, token: Address, units: bigint): Promise<void> {
  const args = [getAddress(sender.address)] as const;
  const held = await readContract(client, { address: token, abi: testUsdt.abi, functionName: 'balanceOf', args });
  if (held < units) await mint(sender, token, sender.address, units > PAYER_UNITS ? units : PAYER_UNITS);
}

async function ensureCoins(client: Reader, bank: AccountSender, to: Address): Promise<void> {
  if ((await getBalance(client, { address: to })) >= OPERATOR_WEI / 10n) return;
  await bank.send({ to, value: OPERATOR_WEI, gas: COIN_GAS });
}

/** Deploys a contract at its deterministic address unless it is there. */
export async function ensureDeployed(
  client: Reader,
  sender: AccountSender,
  initCode: Hex,
  salt: Hex = zeroHash,
): Promise<void> {
  const address = deterministicAddress(initCode, salt);
  if (await hasCode(client, address)) return;
  if (!(await hasCode(client, DETERMINISTIC_DEPLOYER))) {
    throw new Error(
      `This chain has no deterministic deployer at ${DETERMINISTIC_DEPLOYER}; use anvil with its defaults.`,
    );
  }
  const refusal = await sender
    .send({ to: DETERMINISTIC_DEPLOYER, data: concatHex([salt, initCode]), gas: DEPLOY_GAS })
    .then(() => undefined)
    .catch((error: unknown) => error);
  // A second deployment reverts; another process may have been first.
  if (!(await hasCode(client, address))) throw refusal ?? new Error(`Nothing was deployed at ${address}.`);
}
