'use strict';
/**
 * The memory of the sandbox's Bitcoin node: a file that only grows, of what happened to the chain and to the pool. The
 * node writes each record at once, before anybody is told, and flushes it to disk a moment later. So a killed node
 * loses nothing, and a power failure at most the last moment.
 *
 * A record is a letter, the length of its payload (4 bytes), a checksum of letter and payload (4 bytes), the payload.
 */
const fs = require('node:fs');
const { crc32 } = require('node:zlib');

const HEAD_BYTES = 9;

/** Of each record: its letter. The payload is a raw block or transaction, or a hash. */
const CONNECTED = 'B';
const DISCONNECTED = 'X';
const ARRIVED = 'T';
const REMOVED = 'R';

/**
 * Opens the file at `path`, and returns the chain and the pool that it tells of, as `Block` and `TX`, in their order.
 * A tail that a failing machine left torn is cut off.
 */
function openJournal(path, { Block, TX }) {
  const file = fs.openSync(path, 'a+', 0o600);
  const { records, length } = readRecords(fs.readFileSync(file));
  fs.ftruncateSync(file, length);
  return { ...fold(records, Block, TX), journal: createWriter(file) };
}

/** The whole records from the beginning on, and how many bytes they take. */
function readRecords(bytes) {
  const records = [];
  let at = 0;
  while (at + HEAD_BYTES <= bytes.length) {
    const kind = String.fromCharCode(bytes[at]);
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at + 1);
    if (end > bytes.length) break;
    const payload = bytes.subarray(at + HEAD_BYTES, end);
    if (checksum(kind, payload) !== bytes.readUInt32LE(at + 5)) break;
    records.push({ kind, payload });
    at = end;
  }
  return { records, length: at };
}

const checksum = (kind, payload) => crc32(payload, crc32(kind));

/** What the records amount to. A transaction of a disconnected block waits in the pool again, until it says otherwise. */
function fold(records, Block, TX) {
  const chain = [];
  const pool = new Map();
  for (const { kind, payload } of records) {
    if (kind === CONNECTED) {
      const block = Block.fromRaw(payload);
      chain.push(block);
      for (const tx of block.txs) pool.delete(tx.txid());
    } else if (kind === DISCONNECTED) {
      for (const tx of chain.pop()?.txs.slice(1) ?? []) pool.set(tx.txid(), tx);
    } else if (kind === ARRIVED) {
      const tx = TX.fromRaw(payload);
      pool.set(tx.txid(), tx);
    } else pool.delete(payload.toString('hex'));
  }
  return { chain, pool: [...pool.values()] };
}

function createWriter(file) {
  let flushing = false;
  let dirty = false;
  const flush = () => {
    dirty = true;
    if (flushing) return;
    flushing = true;
    dirty = false;
    fs.fdatasync(file, (error) => {
      if (error) throw error;
      flushing = false;
      if (dirty) flush();
    });
  };
  const append = (kind, payload) => {
    const head = Buffer.alloc(HEAD_BYTES);
    head.write(kind, 0, 'latin1');
    head.writeUInt32LE(payload.length, 1);
    head.writeUInt32LE(checksum(kind, payload), 5);
    fs.writeSync(file, Buffer.concat([head, payload]));
    flush();
  };
  return {
    connected: (block) => append(CONNECTED, block.toRaw()),
    disconnected: () => append(DISCONNECTED, Buffer.alloc(0)),
    arrived: (tx) => append(ARRIVED, tx.toRaw()),
    removed: (tx) => append(REMOVED, Buffer.from(tx.txid(), 'hex')),
  };
}

module.exports = { openJournal };
