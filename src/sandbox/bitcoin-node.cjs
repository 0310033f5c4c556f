'use strict';
/**
 * The sandbox's Bitcoin node, in a process of its own: bcoin on regtest, on one port of this machine. Started by
 * `bitcoin-node.ts` in its folder, which its arguments name, so that it is found among processes; it answers once it
 * knows everything that the journal tells. CommonJS, because bcoin has to be changed before its parts load each other.
 */
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');

const MATURITY = 2;
const TEST_PUBKEYHASH = 0x6f;
const TEST_SCRIPTHASH = 0xc4;
const HALVING_INTERVAL = 210_000;

// In JavaScript only: the compiled parts are not installed.
process.env.NODE_BACKEND = 'js';
adaptNetwork();

const FullNode = require('bcoin/lib/node/fullnode');
const Block = require('bcoin/lib/primitives/block');
const TX = require('bcoin/lib/primitives/tx');
const { accept, addCalls } = require('./bitcoin-calls.cjs');
const { openJournal } = require('./bitcoin-journal.cjs');

/** Makes bcoin's regtest as Bitcoin Core's, with coins that can be spent, and witnesses, after the first few blocks. */
function adaptNetwork() {
  const { regtest } = require('bcoin/lib/protocol/networks');
  const consensus = require('bcoin/lib/protocol/consensus');
  regtest.addressPrefix.bech32 = 'bcrt';
  regtest.addressPrefix.pubkeyhash = TEST_PUBKEYHASH;
  regtest.addressPrefix.scripthash = TEST_SCRIPTHASH;
  regtest.minerWindow = 4;
  regtest.activationThreshold = 3;
  // With 150, the usual one, a sandbox that is used for long could not mine any coins.
  regtest.halvingInterval = HALVING_INTERVAL;
  consensus.COINBASE_MATURITY = MATURITY;
}

async function main() {
  const [, , , , , port] = process.argv;
  const node = new FullNode({
    network: 'regtest',
    memory: true,
    listen: false,
    workers: false,
    httpHost: '127.0.0.1',
    httpPort: Number(port),
    apiKey: readFileSync('rpc.key', 'utf8').trim(),
    indexTX: true,
    indexAddress: true,
    replaceByFee: true,
    logFile: false,
    logConsole: false,
  });
  node.on('error', (error) => console.error(error.message));
  addCalls(node);
  // The last step before it listens.
  node.openPlugins = () => remember(node, resolve('journal'));
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
  await node.ensure();
  await node.open();
}

/** Brings the node to where the journal ends, and has it write there from now on. */
async function remember(node, path) {
  const { chain: blocks, pool, journal } = openJournal(path, { Block, TX });
  const { chain, mempool, network } = node;
  const tip = blocks.at(-1);
  // A block may not be ahead of the node's clock, which somebody may have moved before.
  if (tip) network.time.offset = Math.max(0, tip.time - Math.floor(Date.now() / 1000));
  // These blocks were verified when they came.
  network.lastCheckpoint = blocks.length;
  for (const block of blocks) await chain.add(block);
  network.lastCheckpoint = 0;
  for (const tx of pool) await accept(mempool, tx).catch(() => undefined);
  // Before the pool hears of a block, so that no transaction is lost between the two.
  chain.prependListener('connect', (_entry, block) => journal.connected(block));
  chain.prependListener('disconnect', () => journal.disconnected());
  mempool.on('add entry', ({ tx }) => journal.arrived(tx));
  mempool.on('remove entry', ({ tx }) => journal.removed(tx));
}

main().catch((error) => {
  console.error(error.code === 'EADDRINUSE' ? 'Address already in use' : error.stack);
  process.exit(1);
});
