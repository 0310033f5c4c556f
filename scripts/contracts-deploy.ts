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
import { messageOf } from '../src/lib/errors.ts';
import { runCommand } from './lib/command.ts';
import { Refusal, usage } from './lib/connection.ts';
import { say } from './lib/output.ts';

type Chain = { readonly reader: Reader; readonly sender: Sender | null; readonly chainId: number };

await runCommand(async () => {
  try {
    await deployContracts(process.argv.slice(2), process.env['EVM_RPC_URL'] ?? '', readKey(process.env));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(error instanceof BaseError ? error.shortMessage : messageOf(error));
  }
});

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
    throw usage('contracts deploy');
  }
  const reader = openReader(rpcUrl);
  const sender = key === '' ? null : openSender(rpcUrl, key);
  const chain = { reader, sender, chainId: await getChainId(reader) };
  const factory = factoryAddress(treasury);
  if (await stands(chain, `factory of ${treasury}`, factory, factoryInitCode(treasury))) {
    await checkFactory(reader, factory, treasury);
    say(`The factory of ${treasury} is ${factory} on chain ${chain.chainId}; put it into KASI_NETWORKS.`);
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
    say(`${proposedOperator} is its operator now, no longer ${operator}.`);
  } else if (!isAddressEqual(proposedOperator, zeroAddress)) {
    say(`${proposedOperator} is proposed as its operator; run this with that account's key.`);
  }
  await checkCollector(chain.reader, collector, {
    treasury: roles.treasury,
    operator: takesOver ? proposedOperator : operator,
    first: roles,
  });
  say(`The collector of ${roles.treasury} is ${collector} on chain ${chain.chainId}; put it into KASI_NETWORKS.`);
}

/** Deploys the contract if there is a key; returns false if it is not there afterwards. */
async function stands(chain: Chain, name: string, address: Address, initCode: Hex): Promise<boolean> {
  if (chain.sender) {
    const { transaction } = await deployDeterministic(chain.sender, initCode);
    say(transaction === null ? 'It stands already.' : `Deployed by transaction ${transaction}.`);
  } else if ((await getCode(chain.reader, { address })) === undefined) {
    say(`The ${name} would be ${address} on chain ${chain.chainId}; set DEPLOY_KEY to deploy it.`);
    return false;
  }
  return true;
}
