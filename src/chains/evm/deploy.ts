import {
  type Address,
  concatHex,
  encodeDeployData,
  getAddress,
  getCreate2Address,
  type Hex,
  isAddressEqual,
  zeroHash,
} from 'viem';
import { call, getChainId, getCode, readContract, sendTransaction } from 'viem/actions';
import { depositFactory } from '../../../generated/contracts.ts';
import { type Reader, type Sender, waitForReceipt } from './client.ts';

/**
 * The keyless CREATE2 deployer on practically every EVM chain. It deploys the init code it is sent, and the address
 * depends on salt and init code alone. So a contract has one address on all chains, independent of the sender.
 */
export const DETERMINISTIC_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/**
 * Chains that derive CREATE2 in their own way (the ZK Stack: ZKsync Era, Abstract, Lens, Sophon, Cronos zkEVM and their
 * test networks): a deposit address computed here would have no owner there.
 */
const OTHER_CREATE2 = new Set([300, 324, 232, 388, 282, 2741, 11_124, 37_111, 50_104, 531_050_104]);

/** Init code of the deposit factory for one treasury. */
export const factoryInitCode = (treasury: Address): Hex =>
  encodeDeployData({ abi: depositFactory.abi, bytecode: depositFactory.bytecode, args: [treasury] });

/** The address that the factory of `treasury` has on every EVM chain, checksummed. */
export const factoryAddress = (treasury: Address): Address => deterministicAddress(factoryInitCode(treasury));

/** The address at which `deployDeterministic` puts this init code; contracts of others have a salt of their own. */
export const deterministicAddress = (initCode: Hex, salt: Hex = zeroHash): Address =>
  getCreate2Address({ from: DETERMINISTIC_DEPLOYER, salt, bytecode: initCode });

/**
 * Deploys a contract at its deterministic address, unless it is there already (a second attempt would revert without a
 * reason), and waits for the receipt. `transaction` is null when nothing had to be sent. Throws when the chain lacks
 * the deployer or the deployment fails.
 */
export async function deployDeterministic(
  sender: Sender,
  initCode: Hex,
): Promise<{ readonly address: Address; readonly transaction: Hex | null }> {
  const address = deterministicAddress(initCode);
  if (await hasCode(sender, address)) return { address, transaction: null };
  if (!(await hasCode(sender, DETERMINISTIC_DEPLOYER))) {
    throw new Error(`This chain has no deterministic deployer at ${DETERMINISTIC_DEPLOYER}; deploy that first.`);
  }
  const transaction = await sendTransaction(sender, {
    account: sender.account,
    chain: null,
    to: DETERMINISTIC_DEPLOYER,
    data: concatHex([zeroHash, initCode]),
  });
  await waitForReceipt(sender, transaction);
  if (!(await hasCode(sender, address))) throw new Error(`Transaction ${transaction} deployed nothing at ${address}.`);
  return { address, transaction };
}

/**
 * Throws one sentence with the cure unless `factory` is, byte for byte, our deposit factory with this treasury. Call it
 * at every start, before the first address is shown to a payer.
 */
export async function checkFactory(reader: Reader, factory: Address, treasury: Address): Promise<void> {
  const chainId = await getChainId(reader);
  if (OTHER_CREATE2.has(chainId)) {
    throw new Error(
      `Chain ${chainId} derives contract addresses in its own way; deposits there would be lost. Remove it.`,
    );
  }
  const found = await getCode(reader, { address: factory });
  if (found === undefined || found === '0x') {
    throw new Error(
      `There is no deposit factory at ${factory}; run "npx kasi contracts deploy" for this network first.`,
    );
  }
  // A call without a recipient runs the init code and answers what it would have left on the chain.
  const expected = await call(reader, { data: factoryInitCode(treasury) });
  if (found === expected.data) return;
  const actual = await readTreasury(reader, factory);
  if (actual !== undefined && !isAddressEqual(actual, treasury)) {
    throw new Error(`The deposit factory at ${factory} pays ${actual}, not the configured treasury ${treasury}.`);
  }
  throw new Error(
    `What stands at ${factory} is not this version's deposit factory; configure ${factoryAddress(treasury)}.`,
  );
}

async function readTreasury(reader: Reader, factory: Address): Promise<Address | undefined> {
  try {
    return getAddress(
      await readContract(reader, { address: factory, abi: depositFactory.abi, functionName: 'TREASURY' }),
    );
  } catch {
    return undefined; // Another contract is there; the caller says so.
  }
}

async function hasCode(reader: Reader, address: Address): Promise<boolean> {
  const code = await getCode(reader, { address });
  return code !== undefined && code !== '0x';
}
