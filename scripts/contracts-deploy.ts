/** Puts the deposit factory of a treasury on an EVM chain, or only says where it is or would be when no key is given. */
import { type Address, BaseError, getAddress, isAddress } from 'viem';
import { getChainId, getCode } from 'viem/actions';
import { openReader, openSender } from '../src/chains/evm/client.ts';
import { checkFactory, deployDeterministic, factoryAddress, factoryInitCode } from '../src/chains/evm/deploy.ts';

const USAGE = `Usage: EVM_RPC_URL=… [OPERATOR_KEY=0x…] npm run contracts:deploy -- <treasury>
  treasury      the address that gets all deposits, for ever; it must be yours on every network
  EVM_RPC_URL   the chain
  OPERATOR_KEY  the private key that pays the gas and gets no power by it; without it nothing is sent`;

try {
  await deployFactory(process.argv[2] ?? '', process.env['EVM_RPC_URL'] ?? '', process.env['OPERATOR_KEY'] ?? '');
} catch (error) {
  console.error(error instanceof BaseError ? error.shortMessage : (error as Error).message);
  process.exitCode = 1;
}

async function deployFactory(treasuryText: string, rpcUrl: string, key: string): Promise<void> {
  if (!isAddress(treasuryText) || rpcUrl === '') throw new Error(USAGE);
  const treasury = getAddress(treasuryText);
  const factory = factoryAddress(treasury);
  const reader = openReader(rpcUrl);
  const chainId = await getChainId(reader);
  if (key !== '') await deploy(rpcUrl, key, treasury);
  else if ((await getCode(reader, { address: factory })) === undefined) {
    console.log(`The factory of ${treasury} would be ${factory} on chain ${chainId}; set OPERATOR_KEY to deploy it.`);
    return;
  }
  await checkFactory(reader, factory, treasury);
  console.log(`The factory of ${treasury} is ${factory} on chain ${chainId}; put it into KASI_NETWORKS.`);
}

async function deploy(rpcUrl: string, key: string, treasury: Address): Promise<void> {
  const { transaction } = await deployDeterministic(openSender(rpcUrl, key), factoryInitCode(treasury));
  console.log(transaction === null ? 'It stands already.' : `Deployed by transaction ${transaction}.`);
}
