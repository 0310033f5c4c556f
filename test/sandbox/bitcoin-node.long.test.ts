import { appendFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { type BitcoinControl, controlBitcoin, fund } from '../../src/sandbox/bitcoin-control.ts';
import { type BitcoinNode, findBitcoinNode, startBitcoinNode } from '../../src/sandbox/bitcoin-node.ts';
import { createBitcoinRpc } from '../../src/sandbox/bitcoin-rpc.ts';
import { createBitcoinWallet, isPatient } from '../../src/sandbox/bitcoin-wallet.ts';
import { runAndDie } from '../support/orphans.ts';
import { makeTestFolder } from '../support/run-folder.ts';

/** Addresses of nobody, of three types. */
const payees = [
  'bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx',
  'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
] as const;
const [payee] = payees;
const noon = new Date('2026-03-01T12:00:00.000Z');
const tenDaysLater = new Date('2026-03-11T12:00:00.000Z');
const project = new URL('../..', import.meta.url).pathname;

const running: BitcoinNode[] = [];
afterAll(() => Promise.all(running.splice(0).map((node) => node.stop())));

const makeFolder = () => makeTestFolder(inject('runFolder'));
const lines: string[] = [];
async function start(dataDir = makeFolder(), now = noon): Promise<BitcoinNode> {
  const node = await startBitcoinNode({ dataDir, now, log: (line) => lines.push(line) });
  running.push(node);
  return node;
}

/** Starts once more after the service was killed: nobody holds the lock of its folder. */
function forget(dataDir: string): void {
  running.pop();
  for (const file of ['holder.json', 'holder.lock']) rmSync(join(dataDir, 'bitcoin', file));
}

const pidOf = (dataDir: string) => Number(readFileSync(join(dataDir, 'bitcoin/bitcoin.pid'), 'utf8'));
const poolOf = async (node: BitcoinControl) => (await node.listPool()).map(({ txid }) => txid).sort();
const isInChain = async (node: BitcoinControl, txid: string) => {
  for (let { height } = await node.readHead(); height > 0; height -= 1) {
    const hash = await node.rpc<string>('getblockhash', [height]);
    if ((await node.rpc<{ tx: string[] }>('getblock', [hash, true])).tx.includes(txid)) return true;
  }
  return false;
};

test('listens on this machine only, for those who know its key, with coins from before now', async () => {
  const dataDir = makeFolder();
  const node = await start(dataDir);
  const { height, time } = await node.readHead();
  expect(height).toBe(20);
  expect(time).toBeLessThan(noon.getTime() / 1000);
  const { username, host } = new URL(node.rpcUrl);
  expect(findBitcoinNode(dataDir)).toBe(node.rpcUrl);
  await expect(createBitcoinRpc(`http://${username}:guess@${host}`)('getblockcount')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  for (const file of ['rpc.key', 'journal']) expect(statSync(join(dataDir, 'bitcoin', file)).mode & 0o777).toBe(0o600);
  await expect(startBitcoinNode({ dataDir, now: noon, log: () => undefined })).rejects.toThrow('is in use by process');
});

test('comes back after SIGKILL with the same blocks and the same waiting transactions, and cuts a torn tail off', async () => {
  const dataDir = makeFolder();
  const node = await start(dataDir);
  const wallet = createBitcoinWallet(node);
  const dropped = await wallet.pay([{ address: payee, units: 50_000n }]);
  await node.mine(2);
  const kept = await wallet.pay([{ address: payee, units: 60_000n }]);
  await node.reorg(2, false);
  const evicted = await wallet.pay([{ address: payee, units: 70_000n }]);
  await node.evict(evicted.txid);
  const head = await node.readHead();
  expect(await poolOf(node)).toEqual([kept.txid]);

  process.kill(pidOf(dataDir), 'SIGKILL');
  const path = join(dataDir, 'bitcoin/journal');
  const whole = readFileSync(path).length;
  appendFileSync(path, Buffer.from('B\x40\x00\x00\x00torn'));
  forget(dataDir);
  const again = await start(dataDir, tenDaysLater);
  expect(await again.readHead()).toEqual(head);
  expect(await poolOf(again)).toEqual([kept.txid]);
  expect(readFileSync(path).length).toBeLessThan(whole + 100);
  expect(await isInChain(again, dropped.txid)).toBe(false);
  await again.mine(1);
  expect(await isInChain(again, kept.txid)).toBe(true);

  // Now that time was moved ahead, the blocks are younger than the machine's clock allows.
  await running.pop()?.stop();
  expect(existsSync(join(dataDir, 'bitcoin/bitcoin.pid'))).toBe(false);
  expect((await (await start(dataDir, noon)).readHead()).height).toBe(head.height + 1);
});

test('is taken over with everything it has after the service was killed, or started anew when it does not answer', async () => {
  const dataDir = makeFolder();
  const code = `
    const { startBitcoinNode } = await import('${project}/src/sandbox/bitcoin-node.ts');
    const node = await startBitcoinNode({ dataDir: '${dataDir}', now: new Date(${noon.getTime()}), log: () => {} });
    await node.mine(3);
    report(await node.readHead());`;
  const head = await runAndDie(code);
  const pid = pidOf(dataDir);
  const node = await start(dataDir);
  expect(pidOf(dataDir)).toBe(pid);
  expect(await node.readHead()).toEqual(head);
  expect(lines.at(-1)).toContain('taken over');

  process.kill(pid, 'SIGSTOP');
  forget(dataDir);
  const anew = await start(dataDir);
  expect(pidOf(dataDir)).not.toBe(pid);
  expect(await anew.readHead()).toEqual(head);
});

test('refuses a folder whose blocks are not those of before', async () => {
  const dataDir = makeFolder();
  await start(dataDir);
  await running.pop()?.stop();
  rmSync(join(dataDir, 'bitcoin/journal'));
  await expect(start(dataDir)).rejects.toThrow('Delete the data folder to start anew.');
  expect(findBitcoinNode(dataDir)).toBeUndefined();
});

/** The rest also runs on a node of your own, such as `bitcoind -regtest`. */
const external = process.env['BITCOIN_RPC_URL'];
let shared: BitcoinControl | undefined;
async function open(): Promise<BitcoinControl> {
  if (external !== undefined && shared === undefined) {
    shared = controlBitcoin(external);
    await fund(shared.rpc, new Date());
  }
  shared ??= await start();
  return shared;
}

test('the wallet pays several addresses at once, replaces, redirects and takes back', async () => {
  const node = await open();
  const wallet = createBitcoinWallet(node);
  const payments = payees.map((address, i) => ({ address, units: 10_000n * BigInt(i + 1) }));
  const first = await wallet.pay(payments, { feeRate: 3, patient: true });
  const find = async (txid: string) => (await node.listPool()).find((entry) => entry.txid === txid);
  const outputsOf = async (txid: string) => (await find(txid))!.outputs.slice(0, 3);
  const paid = await outputsOf(first.txid);
  expect(paid.map(({ units }) => units)).toEqual([10_000n, 20_000n, 30_000n]);
  expect(isPatient((await find(first.txid))!)).toBe(true);

  const same = await wallet.replace(first.txid);
  expect(await outputsOf(same.txid)).toEqual(paid);
  const other = await wallet.replace(same.txid, { from: payee, to: wallet.sink });
  const [redirected, ...rest] = await outputsOf(other.txid);
  expect(redirected!.script).not.toBe(paid[0]!.script);
  expect(rest).toEqual(paid.slice(1));
  expect(await poolOf(node)).toEqual([other.txid]);
  await expect(wallet.replace(first.txid)).rejects.toMatchObject({ code: 'CONFLICT' });

  const { height } = await node.readHead();
  const { txid } = await wallet.doubleSpend(other.txid);
  expect(await poolOf(node)).toEqual([]);
  expect((await node.readHead()).height).toBe(height + 1);
  expect(await isInChain(node, txid)).toBe(true);
  await expect(node.rpc('sendrawtransaction', ['00'])).rejects.toMatchObject({ code: -22 });
  await expect(wallet.pay([{ address: payee, units: 2_100_000_000_000_000n }])).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('payers of two processes never spend the same coin', async () => {
  const node = await open();
  const wallets = [createBitcoinWallet(node), createBitcoinWallet(controlBitcoin(node.rpcUrl))];
  const sent = await Promise.all(
    Array.from({ length: 12 }, (_, i) => wallets[i % 2]!.pay([{ address: payee, units: 1_000n + BigInt(i) }])),
  );
  expect(await poolOf(node)).toEqual(sent.map(({ txid }) => txid).sort());
  await node.mine(1);
  expect(await poolOf(node)).toEqual([]);
});

test('what is mined while it is replaced does not wait any more, and is said to', async () => {
  const node = await open();
  const rpc: typeof node.rpc = async (method, params) => {
    if (method === 'sendrawtransaction') await node.mine(1);
    return node.rpc(method, params);
  };
  const { txid } = await createBitcoinWallet(node).pay([{ address: payee, units: 1_000n }]);
  await expect(createBitcoinWallet({ ...node, rpc }).replace(txid)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await isInChain(node, txid)).toBe(true);
});

test('a reorganisation keeps its transactions or drops them, leaves the pool alone, and never reaches the coins', async () => {
  const node = await open();
  const wallet = createBitcoinWallet(node);
  const mined = await wallet.pay([{ address: payee, units: 1_000n }]);
  await node.mine(3);
  const waiting = await wallet.pay([{ address: payee, units: 2_000n }], { patient: true });
  const { height, hash } = await node.readHead();
  await node.reorg(3, true);
  expect(await isInChain(node, mined.txid)).toBe(true);
  expect(await poolOf(node)).toEqual([waiting.txid]);
  const head = await node.readHead();
  expect(head).toMatchObject({ height: height + 1 });
  expect(await node.rpc('getblockhash', [height])).not.toBe(hash);
  await node.reorg(4, false);
  expect(await isInChain(node, mined.txid)).toBe(false);
  expect((await poolOf(node)).includes(waiting.txid)).toBe(true);
  await expect(node.reorg(height, true)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('the clock goes forward only, and blocks have its time', async () => {
  const node = await open();
  const { time } = await node.readHead();
  const later = new Date((time + 864_000) * 1000);
  await node.setTime(later);
  await node.mine(1);
  const head = await node.readHead();
  expect(head.time).toBeGreaterThanOrEqual(time + 864_000);
  await node.setTime(new Date(time * 1000));
  await node.mine(1);
  expect((await node.readHead()).time).toBeGreaterThanOrEqual(head.time);
});
