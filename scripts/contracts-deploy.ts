/**
 * Deploys a treasury's deposit factory and the subscription collector to an EVM chain. Without a key, only says where
 * they are or would be. With the key of an operator whom the owner has proposed, that operator takes over.
 */
import { type Address, BaseError, getAddress, type Hex, isAddress, isAddressEqual, zeroAddress } from 'viem';
import { getChainId, getCode } from 'viem/actions';
import { openReader, openSender, type Reader, type Sender } from '../src/chains/evm/client.ts';
import {
  acceptOperator,
  type CollectorRoles,
  checkCollector,
  collectorAddress,
  collectorInitCode,
} from '../src/chains/evm/collector-deploy.ts';
import { readCollector } from '../src/chains/evm/collector-reader.ts';
import { checkFactory, deployDeterministic, factoryAddress, factoryInitCode } from '../src/chains/evm/deploy.ts';

const USAGE = `Usage: EVM_RPC_URL=… [DEPLOY_KEY=0x…] npm run contracts:deploy -- <treasury> [<owner> <operator>]
  treasury      the address that gets all deposits and charges, for ever; it must be yours on every network
  owner         may replace the operator and pause the charging of subscriptions; a key that is on no server
  operator      charges subscriptions: the account of the service's OPERATOR_KEY; without these two only the deposit factory
  EVM_RPC_URL   the chain
  DEPLOY_KEY    the private key that pays the gas and gets no power by it; without it nothing is sent`;

type Chain = { readonly reader: Reader; readonly sender: Sender | null; readonly chainId: number };

try {
  await deployContracts(process.argv.slice(2), process.env['EVM_RPC_URL'] ?? '', readKey(process.env));
} catch (error) {
  console.error(error instanceof BaseError ? error.shortMessage : (error as Error).message);
  process.exitCode = 1;
}

/** The deployer's key. An earlier release took it from OPERATOR_KEY, the service's hot key. */
function readKey({ DEPLOY_KEY = '', OPERATOR_KEY = '' }: Readonly<Record<string, string | undefined>>): string {
  if (DEPLOY_KEY === '' && OPERATOR_KEY !== '') {
    throw new Error(
      'OPERATOR_KEY no longer deploys: it is the key of the service. Set DEPLOY_KEY to the key of any account with some coin, or leave both out.',
    );
  }
  return DEPLOY_KEY;
}

async function deployContracts(args: readonly string[], rpcUrl: string, key: string): Promise<void> {
  const [treasury, owner, operator] = args.filter((text) => isAddress(text)).map((text) => getAddress(text));
  if (rpcUrl === '' || !treasury || ![1, 3].includes(args.length) || (args.length === 3 && !operator)) {
    throw new Error(USAGE);
  }
  const reader = openReader(rpcUrl);
  const sender = key === '' ? null : openSender(rpcUrl, key);
  const chain = { reader, sender, chainId: await getChainId(reader) };
  const factory = factoryAddress(treasury);
  if (await stands(chain, `factory of ${treasury}`, factory, factoryInitCode(treasury))) {
    await checkFactory(reader, factory, treasury);
    console.log(`The factory of ${treasury} is ${factory} on chain ${chain.chainId}; put it into KASI_NETWORKS.`);
  }
  if (owner && operator) await deployCollector(chain, { treasury, owner, operator });
}

async function deployCollector(chain: Chain, roles: CollectorRoles): Promise<void> {
  if (isAddressEqual(roles.owner, roles.operator)) throw new Error('Owner and operator must be two accounts.');
  const collector = collectorAddress(roles);
  if (!(await stands(chain, `collector of ${roles.treasury}`, collector, collectorInitCode(roles)))) return;
  const { operator, proposedOperator } = await readCollector(chain.reader, collector);
  const takesOver = chain.sender !== null && isAddressEqual(proposedOperator, chain.sender.account.address);
  if (chain.sender && takesOver) {
    await acceptOperator(chain.sender, collector);
    console.log(`${proposedOperator} is its operator now, no longer ${operator}.`);
  } else if (!isAddressEqual(proposedOperator, zeroAddress)) {
    console.log(`${proposedOperator} is proposed as its operator; run this with that account's key.`);
  }
  await checkCollector(chain.reader, collector, {
    treasury: roles.treasury,
    operator: takesOver ? proposedOperator : operator,
    first: roles,
  });
  console.log(
    `The collector of ${roles.treasury} is ${collector} on chain ${chain.chainId}; put it into KASI_NETWORKS.`,
  );
}

/** Deploys the contract if there is a key; returns false if it is not there afterwards. */
async function stands(chain: Chain, name: string, address: Address, initCode: Hex): Promise<boolean> {
  if (chain.sender) {
    const { transaction } = await deployDeterministic(chain.sender, initCode);
    console.log(transaction === null ? 'It stands already.' : `Deployed by transaction ${transaction}.`);
  } else if ((await getCode(chain.reader, { address })) === undefined) {
    console.log(`The ${name} would be ${address} on chain ${chain.chainId}; set DEPLOY_KEY to deploy it.`);
    return false;
  }
  return true;
}
