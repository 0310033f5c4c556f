import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { type Address, createClient as createReader, encodeFunctionData, type Hex, http, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { readContract } from 'viem/actions';
import { type AdminClient, createAdminClient } from '../../clients/typescript/src/admin.ts';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { testUsdt } from '../../generated/contracts.ts';
import { createAccountSender } from '../../src/chains/evm/account-sender.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet, type Faucet } from '../../src/chains/evm/faucet.ts';
import { prepareTestContracts, TEST_TOKEN_DECIMALS } from '../../src/chains/evm/test-contracts.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { createRpc } from '../../src/sandbox/anvil.ts';
import { until } from '../lib/wait.ts';
import type { Machine, Running } from './machine.ts';
import type { OperatorPostgres } from './postgres.ts';

/** The chain id of Base. */
export const LIVE_CHAIN_ID = 8453;

export type Walk = {
  readonly machine: Machine;
  readonly postgres: OperatorPostgres;
  readonly nodeUrl: string;
  /** Says each step before it is made. */
  readonly step: (words: string) => void;
};

const ADMIN = { email: 'asha@pay.example', password: 'Long-enough-4-live' };
const OWNER = { email: 'owner@teahouse.example', password: 'Str0ng-enough' };
const BUSINESS = { businessName: 'Tea House', phone: '+94771234567', businessType: 'company' } as const;
const WAIT_MS = 60_000;

/** Tokens, accounts and a payer on the chain: what a real network has already. */
type Chain = { readonly usdc: Address; readonly faucet: Faucet; readonly treasury: Hex; readonly network: object };

type Shop = { readonly admin: AdminClient; readonly merchant: Client; readonly merchantId: string };

/**
 * From an empty machine to a first payment that was paid, swept and withdrawn, then lost and restored, in live mode:
 * the chapters of the operators' book, by their commands. Throws an Error that names what was not as expected.
 */
export async function walkLive(walk: Walk): Promise<void> {
  const chain = await prepareChain(walk.nodeUrl);
  const ownerUrl = await prepareDatabase(walk, 'kasi');
  await deploy(walk, chain);
  const first = await startIt(walk);
  try {
    const shop = await openShop(walk, first);
    await sell(walk, shop, chain);
    await sweep(walk, chain);
    await withdraw(walk, shop, chain);
  } finally {
    await first.stop();
  }
  await loseAndRestore(walk, 'kasi', ownerUrl);
}

async function prepareChain(nodeUrl: string): Promise<Chain> {
  const contracts = await prepareTestContracts({ rpcUrl: nodeUrl, chainId: LIVE_CHAIN_ID, mnemonic: MNEMONIC });
  const { usdc, factory } = contracts;
  const token = { symbol: 'USDC', contract: usdc, decimals: TEST_TOKEN_DECIMALS } as const;
  const network = { name: 'base', kind: 'evm', chainId: LIVE_CHAIN_ID, rpcUrl: nodeUrl, factory, tokens: [token] };
  return { usdc, faucet: createFaucet(network as never, MNEMONIC), treasury: generatePrivateKey(), network: token };
}

/** Returns the owner's URL, which the service never gets. */
async function prepareDatabase({ machine, postgres, step }: Walk, name: string): Promise<string> {
  step(`The database: two roles and a schema (PostgreSQL ${postgres.version})`);
  Object.assign(machine.settings, { KASI_MODE: 'live', DEPLOYMENT_ID: 'tea-production' });
  const made = await machine.kasi('database roles', { DATABASE_ADMIN_URL: postgres.urlOf(name) });
  const { owner, application } = made as Record<'owner' | 'application', { readonly url: string }>;
  machine.settings['DATABASE_URL'] = application.url;
  await machine.kasi('migrate', { DATABASE_OWNER_URL: owner.url });
  return owner.url;
}

async function deploy({ machine, nodeUrl, step }: Walk, { treasury, network: token }: Chain): Promise<void> {
  step('The contracts, the file of networks, and the settings');
  const address = privateKeyToAddress(treasury);
  const [gas, sweeper] = [generatePrivateKey(), generatePrivateKey()];
  for (const account of [address, privateKeyToAddress(gas), privateKeyToAddress(sweeper)]) {
    await createRpc(nodeUrl)('anvil_setBalance', [account, `0x${parseEther('5').toString(16)}`]);
  }
  const { said } = await machine.kasi(`contracts deploy ${address}`, { EVM_RPC_URL: nodeUrl, DEPLOY_KEY: gas });
  const [, factory] = /The factory of \S+ is (0x[0-9a-fA-F]{40})/.exec((said as string[]).join('\n')) ?? [];
  const file = join(machine.folder, 'networks.json');
  const network = {
    ...{ name: 'base', chainId: LIVE_CHAIN_ID, rpcUrl: nodeUrl, confirmations: 2, pollMs: 500 },
    // The price of gas on a node that has just begun is above what Base ever asks.
    ...{ factory, treasury: address, gasPriceMaxGwei: 500, tokens: [token] },
  };
  writeFileSync(file, JSON.stringify({ networks: [network], rates: [] }));
  const port = await findFreePort();
  Object.assign(machine.settings, {
    ...{ KASI_NETWORKS: file, KASI_DATA_DIR: join(machine.folder, 'data'), PORT: String(port) },
    ...{ PUBLIC_URL: 'https://pay.example', TRUST_PROXY: 'none', SWEEP_KEY: sweeper },
    ...{ MASTER_KEY: randomBytes(32).toString('hex'), BACKUP_KEY: randomBytes(32).toString('hex') },
    ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  });
}

async function startIt({ machine, step }: Walk): Promise<Running> {
  step('The service starts, and the doctor looks at it');
  const running = await machine.start();
  await until('the doctor finds nothing', WAIT_MS, async () => (await machine.kasi('doctor'))['problems'] === 0);
  return running;
}

/** The first administrator sets up a second factor, without which nothing that moves money works. */
async function openShop({ step }: Walk, { url }: Running): Promise<Shop> {
  step('An administrator with a second factor approves a merchant');
  const admin = createAdminClient({ baseUrl: url });
  await admin.auth.login(ADMIN);
  const { secret } = await admin.auth.twoFactor.setUp({ password: ADMIN.password });
  const otp = TOTP.generate({ secret: Secret.fromBase32(secret) });
  const { recoveryCodes } = await admin.auth.twoFactor.enable({ otp });
  await admin.auth.login({ ...ADMIN, otp: recoveryCodes[0] ?? '' });
  const merchant = createClient({ baseUrl: url });
  const { merchant: own } = await merchant.auth.register({ ...OWNER, ...BUSINESS });
  await admin.merchants.approve(own.id);
  await merchant.auth.login(OWNER);
  return { admin, merchant, merchantId: own.id };
}

async function sell({ step }: Walk, { merchant }: Shop, { faucet, network: token }: Chain): Promise<void> {
  step('The first payment');
  const { id, options } = await merchant.payments.create({ amount: 25, currency: 'USD' });
  const [option] = options;
  if (!option) throw new Error('the payment offers nothing');
  const units = BigInt(Math.round(Number(option.amount) * 10 ** TEST_TOKEN_DECIMALS));
  await faucet.transfer({ token: token as never, to: option.address, units });
  await until('the payment is paid', WAIT_MS, async () => (await merchant.payments.get(id)).status === 'paid');
}

async function sweep({ machine, nodeUrl, step }: Walk, { usdc, treasury }: Chain): Promise<void> {
  step('The deposit is swept into the treasury');
  await machine.kasi('sweep base USDC');
  const held = (): Promise<bigint> =>
    readContract(createReader({ transport: http(nodeUrl) }), {
      ...{ address: usdc, abi: testUsdt.abi, functionName: 'balanceOf' },
      args: [privateKeyToAddress(treasury)],
    });
  await until('the treasury has it', WAIT_MS, async () => (await held()) > 0n);
}

/** Paid by the treasury's own wallet, as people do it: the service holds no key that could. */
async function withdraw({ nodeUrl, step }: Walk, { admin, merchant }: Shop, { usdc, treasury }: Chain): Promise<void> {
  step('The merchant withdraws, and the treasury pays');
  const to = privateKeyToAddress(generatePrivateKey());
  const asked = await merchant.withdrawals.create({
    ...{ amount: 20, currency: 'USDC', method: 'crypto', destinationAddress: to },
  });
  await admin.withdrawals.approve(asked.id, {});
  await admin.withdrawals.process(asked.id, {});
  const units = BigInt(Math.round(asked.netAmount * 10 ** TEST_TOKEN_DECIMALS));
  const sender = createAccountSender(
    createReader({ transport: http(nodeUrl) }),
    privateKeyToAccount(treasury),
    LIVE_CHAIN_ID,
  );
  const data = encodeFunctionData({ abi: testUsdt.abi, functionName: 'transfer', args: [to, units] });
  const { hash } = await sender.send({ to: usdc, data, gas: 120_000n });
  await until('the withdrawal is completed', WAIT_MS, async () => {
    const { status } = await admin.withdrawals.complete(asked.id, { txHash: hash }).catch(() => ({ status: 'waits' }));
    return status === 'completed';
  });
}

/** The database is gone, a sealed file is left: what was sold is there again, and nothing is wrong with it. */
async function loseAndRestore({ machine, postgres, step }: Walk, name: string, ownerUrl: string): Promise<void> {
  const owner = { DATABASE_OWNER_URL: ownerUrl };
  step('The database is copied, lost, and restored');
  const file = join(machine.folder, 'kasi.backup');
  await machine.kasi(`backup ${file}`, owner);
  await postgres.query(`drop database ${name} with (force)`);
  await machine.kasi('database roles', { DATABASE_ADMIN_URL: postgres.urlOf(name) });
  const { faults } = await machine.kasi(`restore ${file}`, owner);
  if (JSON.stringify(faults) !== '[]') throw new Error(`the copy is not what it was: ${JSON.stringify(faults)}`);
  const early = await machine.start().then(
    (running) => running.stop().then(() => 'it started'),
    (error: unknown) => String(error),
  );
  if (!early.includes('--release')) throw new Error(`An unreleased copy must not start: ${early}`);
  await machine.kasi(`restore --release --as ${machine.settings['DEPLOYMENT_ID']}`, owner);
  step('The service goes on, and all is reconciled');
  const again = await machine.start();
  try {
    const { findings } = await machine.kasi('reconcile');
    if (JSON.stringify(findings) !== '[]') throw new Error(`something is wrong: ${JSON.stringify(findings)}`);
    const merchant = createClient({ baseUrl: again.url });
    await merchant.auth.login(OWNER);
    const { payments } = await merchant.payments.list();
    const { availableBalance } = await merchant.settlements.balance();
    if (payments[0]?.status !== 'paid' || availableBalance !== 5) throw new Error('what was sold is not there');
  } finally {
    await again.stop();
  }
}
