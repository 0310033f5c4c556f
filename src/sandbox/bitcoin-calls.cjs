'use strict';
/**
 * The calls of the sandbox's Bitcoin node that bcoin lacks, or answers in another way than Bitcoin Core. All but
 * `removetransaction` are Core's, with Core's parameters, answers and error codes.
 */
const Address = require('bcoin/lib/primitives/address');
const TX = require('bcoin/lib/primitives/tx');

const SATOSHIS = 100_000_000;
const MISC_ERROR = -1;
const INVALID_ADDRESS_OR_KEY = -5;
const DESERIALIZATION_ERROR = -22;
const VERIFY_ERROR = -25;
const VERIFY_REJECTED = -26;
const VERIFY_ALREADY_IN_CHAIN = -27;

/** An error that the server answers with this code. */
const refuse = (code, message) => Object.assign(new Error(message), { type: 'RPCError', code });

/** Replaces and adds calls. They run one after the other, so that nobody sees half of a replacement or a reorg. */
function addCalls(node) {
  const { rpc } = node;
  const submitBlock = rpc.calls['submitblock'];
  runInTurn(rpc);
  rpc.calls['sendrawtransaction'] = ([hex]) => send(node, parse(hex));
  rpc.calls['invalidateblock'] = ([hash]) => keepingTransactions(node, () => invalidate(node, hash));
  rpc.calls['submitblock'] = (params) => keepingTransactions(node, () => submitBlock.call(rpc, params));
  rpc.add('generateblock', ([address, transactions]) => mineThese(node, address, transactions));
  rpc.add('scantxoutset', ([action, [descriptor]]) => scanCoins(node, action, descriptor));
  rpc.add('removetransaction', ([txid]) => evict(node, txid));
}

function runInTurn(rpc) {
  const execute = rpc.execute.bind(rpc);
  let last = Promise.resolve();
  rpc.execute = (call, help) => {
    const done = last.then(() => execute(call, help));
    last = done.catch(() => undefined);
    return done;
  };
}

function parse(hex) {
  try {
    return TX.fromRaw(Buffer.from(hex, 'hex'));
  } catch {
    throw refuse(DESERIALIZATION_ERROR, 'TX decode failed');
  }
}

/** Takes a transaction into the pool, in the place of those there that it conflicts with, if it pays enough more. */
async function send({ mempool, chain }, tx) {
  if (mempool.hasEntry(tx.hash('hex'))) return tx.txid();
  const direct = new Set(tx.inputs.map(({ prevout }) => mempool.getSpent(prevout.hash, prevout.index)).filter(Boolean));
  const evicted = direct.size === 0 ? [] : await judgeReplacement(mempool, tx, direct);
  for (const entry of direct) evictIfThere(mempool, entry.tx);
  try {
    await accept(mempool, tx);
  } catch (error) {
    for (const entry of evicted) await accept(mempool, entry.tx);
    const known = await chain.hasCoins(tx);
    throw known ? refuse(VERIFY_ALREADY_IN_CHAIN, 'Transaction outputs already in utxo set') : error;
  }
  return tx.txid();
}

/** All that a replacement evicts, parents first. Throws, like Core, when it does not pay for that. */
async function judgeReplacement(mempool, tx, direct) {
  const evicted = new Map();
  for (const entry of direct) {
    evicted.set(entry.hash('hex'), entry);
    for (const child of mempool.getDescendants(entry)) evicted.set(child.hash('hex'), child);
  }
  const view = await mempool.getCoinView(tx);
  const size = tx.getVirtualSize();
  const fee = tx.getFee(view);
  const rateOf = (entry) => entry.getDeltaFee() / entry.size;
  const before = [...evicted.values()].reduce((sum, entry) => sum + entry.getDeltaFee(), 0);
  const tooCheap = [...direct].some((entry) => fee / size <= rateOf(entry)) || fee < before + size;
  if (tooCheap) throw refuse(VERIFY_REJECTED, 'insufficient fee, rejecting replacement');
  return [...evicted.values()].sort((a, b) => a.time - b.time || mempool.countAncestors(a) - mempool.countAncestors(b));
}

/** bcoin's own call answers with a txid even if the transaction is refused. */
async function accept(mempool, tx) {
  let missing;
  try {
    missing = await mempool.addTX(tx);
  } catch (error) {
    throw error.type === 'VerifyError' ? refuse(VERIFY_REJECTED, error.reason) : error;
  }
  if (!missing) return;
  mempool.removeOrphan(tx.hash('hex'));
  throw refuse(VERIFY_ERROR, 'bad-txns-inputs-missingorspent');
}

/** bcoin's own call empties the pool, forgets the blocks, and tells nobody that they were disconnected. */
async function invalidate({ chain }, hash) {
  const entry = await chain.getEntry(reverseHex(hash));
  if (!entry) throw refuse(INVALID_ADDRESS_OR_KEY, 'Block not found');
  if (entry.isGenesis()) throw refuse(MISC_ERROR, 'The first block stays.');
  const unlock = await chain.locker.lock();
  try {
    if (await chain.isMainChain(entry)) await disconnectDownTo(chain, entry.height);
  } finally {
    unlock();
  }
  chain.setInvalid(entry.hash);
  return null;
}

async function disconnectDownTo(chain, height) {
  while (chain.height >= height) await chain.disconnect(chain.tip);
  chain.setDeploymentState(await chain.getDeploymentState());
}

/**
 * Brings what was in disconnected blocks back into the pool, beside what waits there, as far as that is still valid.
 * bcoin does the first only at times, and throws out all that spends what a block brought.
 */
async function keepingTransactions({ chain, mempool }, work) {
  const returned = [];
  let reorganised = false;
  const note = (_entry, block) => {
    reorganised = true;
    returned.unshift(...block.txs.slice(1));
  };
  const waiting = listPool(mempool);
  mempool._handleReorg = async () => undefined;
  chain.on('disconnect', note);
  try {
    return await work();
  } finally {
    chain.removeListener('disconnect', note);
    if (reorganised) await refill(mempool, [...returned, ...waiting]);
  }
}

async function refill(mempool, transactions) {
  for (const tx of listPool(mempool)) evictIfThere(mempool, tx);
  for (const tx of transactions) await accept(mempool, tx).catch(() => undefined);
}

const listPool = (mempool) => [...mempool.map.values()].map(({ tx }) => tx);

function evictIfThere(mempool, tx) {
  const entry = mempool.getEntry(tx.hash('hex'));
  if (entry) mempool.evictEntry(entry);
}

/** Mines one block with these transactions (bytes in hex, or ids of the pool), and no others. */
async function mineThese({ miner, chain, mempool, network }, address, transactions) {
  const job = await miner.cpu.createJob(null, parseAddress(address, network));
  job.attempt.items = [];
  job.attempt.fees = 0;
  for (const each of transactions) {
    const waiting = /^[0-9a-f]{64}$/i.test(each) ? mempool.getTX(reverseHex(each)) : parse(each);
    if (!waiting) throw refuse(INVALID_ADDRESS_OR_KEY, `Transaction ${each} not in mempool.`);
    job.attempt.pushTX(waiting);
  }
  job.refresh();
  const block = await job.mineAsync();
  try {
    const entry = await chain.add(block);
    return { hash: entry.rhash() };
  } catch (error) {
    throw error.type === 'VerifyError' ? refuse(VERIFY_ERROR, `TestBlockValidity failed: ${error.reason}`) : error;
  }
}

/** The confirmed coins of one address that nothing in a block spends, as Core finds them. */
async function scanCoins({ chain, network }, action, descriptor) {
  const address = /^addr\((\w+)\)$/.exec(descriptor)?.[1];
  if (action !== 'start' || !address) throw refuse(MISC_ERROR, 'Only scantxoutset "start" ["addr(…)"] is known here.');
  const coins = await chain.getCoinsByAddress(parseAddress(address, network));
  const unspents = coins.map((coin) => ({
    txid: coin.txid(),
    vout: coin.index,
    scriptPubKey: coin.script.toRaw().toString('hex'),
    amount: coin.value / SATOSHIS,
    coinbase: coin.coinbase,
    height: coin.height,
  }));
  return { success: true, height: chain.height, bestblock: chain.tip.rhash(), unspents };
}

function parseAddress(text, network) {
  try {
    return Address.fromString(text, network);
  } catch {
    throw refuse(INVALID_ADDRESS_OR_KEY, 'Invalid address');
  }
}

/** Not a call of Core's: takes a transaction out of the pool, with all that spends its outputs, as if it had expired. */
async function evict({ mempool }, txid) {
  const entry = mempool.getEntry(reverseHex(txid));
  if (!entry) throw refuse(INVALID_ADDRESS_OR_KEY, 'Transaction not in mempool');
  mempool.evictEntry(entry);
  return true;
}

const reverseHex = (hex) => Buffer.from(hex, 'hex').reverse().toString('hex');

module.exports = { addCalls, accept };
