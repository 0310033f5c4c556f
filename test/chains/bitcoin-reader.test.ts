import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { type Call, type LiarProxy, type Lie, startLiar } from '../../scripts/liars/proxy.ts';
import { bitcoin } from '../../src/chains/bitcoin/kind.ts';
import type { BitcoinNetwork } from '../../src/chains/bitcoin/network.ts';
import { SilentNetworkError } from '../../src/chains/silent-network.ts';
import { UnknownBlockError } from '../../src/chains/unknown-block.ts';
import type { PayoutClaim, PoolSight } from '../../src/ports/chain.ts';
import { openBitcoin } from './bitcoin-fixture.ts';

const PAYEE = 'bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx';
const to = bitcoin.addresses.canonical(PAYEE);

let stage: Awaited<ReturnType<typeof openBitcoin>>;
let [first, second]: LiarProxy[] = [];
beforeAll(async () => {
  stage = await openBitcoin(inject('runFolder'));
  [first, second] = [await startLiar(stage.node.rpcUrl), await startLiar(stage.node.rpcUrl)];
});
afterEach(() => {
  first!.honest();
  second!.honest();
});
afterAll(async () => {
  await Promise.all([first?.close(), second?.close()]);
  await stage.close();
});

/** The network behind the first liar, or behind both. */
const network = (changes: Partial<BitcoinNetwork> = {}): BitcoinNetwork => ({
  ...{ ...stage.network, rpcUrl: first!.url, ...changes },
});
const both = () => network({ otherRpcUrls: [second!.url] });
const only =
  (method: string, lie: Lie) =>
  (call: Call): Lie =>
    call.method === method ? lie : undefined;

/** Pays in a block of its own. */
async function pay(units: bigint) {
  const { txid } = await stage.wallet.pay([{ address: PAYEE, units }]);
  const hex = await stage.node.rpc<string>('getrawtransaction', [txid]);
  await stage.node.mine(1);
  const block = await bitcoin.openReader(stage.network).getHead();
  return { txid, hex, block };
}

const COUNT_AT = 160;
const counted = (hex: string, by: number): string =>
  hex.slice(0, COUNT_AT) +
  (Number.parseInt(hex.slice(COUNT_AT, COUNT_AT + 2), 16) + by).toString(16).padStart(2, '0') +
  hex.slice(COUNT_AT + 2);

test('an endpoint that leaves a transfer out of a block, or puts one in, is found out and named', async () => {
  const { hex, block } = await pay(10_000n);
  const other = await pay(20_000n);
  const lies: Record<string, (block: string) => string> = {
    drops: (whole) => counted(whole.slice(0, -hex.length), -1),
    invents: (whole) => counted(whole + other.hex, 1),
    'serves another': () => '00'.repeat(200),
  };
  for (const change of Object.values(lies)) {
    const reader = bitcoin.openReader(network());
    first!.lie(only('getblock', { change: (whole) => change(String(whole)) }));
    await expect(reader.listSightings([block])).rejects.toThrow(/sends block .* that is none/);
    expect(reader.states?.()).toMatchObject([{ trouble: { problem: 'contradicts' } }]);
    first!.honest();
    const { transfers } = await reader.listSightings([block]);
    expect(transfers.filter((each) => each.to === to).map(({ units }) => units)).toEqual([10_000n]);
  }
});

test('a witness denies for certain what a proven block lacks, and hears no one who lies or has another chain', async () => {
  const { txid: txHash, block } = await pay(30_000n);
  const ask = (units: bigint, at = block) => {
    const witness = bitcoin.openWitness?.(both());
    return witness!.ask(at, [{ txHash, to, units, contract: 'btc' }]);
  };
  const [one, two] = [first!, second!].map(({ url }) => new URL(url).host);
  expect(await ask(30_000n)).toEqual({ agree: [one, two], deny: [], silent: [] });
  const denied = { certain: true, otherBlock: false };
  expect((await ask(30_001n)).deny).toMatchObject([denied, denied]);
  expect((await ask(30_000n, { ...block, hash: 'ab'.repeat(32) })).deny).toMatchObject([
    ...[one, two].map((endpoint) => ({ endpoint, certain: true, otherBlock: true })),
  ]);
  second!.lie(only('getblock', { change: (whole) => counted(String(whole), 1) }));
  expect(await ask(30_000n)).toMatchObject({ agree: [one], silent: [two] });
  second!.lie((call) =>
    call.method === 'getblockhash' && call.params[0] === 0 ? { result: 'cd'.repeat(32) } : undefined,
  );
  expect(await ask(30_000n)).toMatchObject({ agree: [one], silent: [two] });
});

test('what waits is shown once, and what is gone with what has replaced it, where that is known', async () => {
  const reader = bitcoin.openReader(network());
  const look = async (...stored: PoolSight['arrived']): Promise<PoolSight> => reader.readPool!(stored);
  const ours = ({ arrived }: PoolSight) => arrived.filter(({ transfers }) => transfers.some((each) => each.to === to));
  await look();
  const { txid } = await stage.wallet.pay([
    { address: PAYEE, units: 40_000n },
    { address: PAYEE, units: 50_000n },
  ]);
  const [arrived] = ours(await look());
  expect(arrived).toMatchObject({ txHash: txid });
  const paid = arrived!.transfers.filter((each) => each.to === to);
  expect(paid.map(({ units }) => units).sort()).toEqual([40_000n, 50_000n]);
  expect(arrived!.spends.every((each) => /^[0-9a-f]{64}:\d+$/.test(each))).toBe(true);
  expect(await look(arrived!)).toEqual({ arrived: [], gone: [] });

  const replacement = await stage.wallet.replace(txid);
  const sight = await look(arrived!);
  expect(sight.gone).toEqual([{ txHash: txid, by: replacement.txid }]);
  const [next] = ours(sight);
  expect(next?.txHash).toBe(replacement.txid);
  // Spent twice in a block, which was read meanwhile.
  const winner = await stage.wallet.doubleSpend(replacement.txid);
  await reader.listSightings([await reader.getHead()]);
  expect((await look(next!)).gone).toEqual([{ txHash: replacement.txid, by: winner.txid }]);

  const { txid: forgotten } = await stage.wallet.pay([{ address: PAYEE, units: 60_000n }]);
  const [last] = ours(await look());
  await stage.node.evict(forgotten);
  expect(await look(last!)).toEqual({ arrived: [], gone: [{ txHash: forgotten, by: null }] });
});

test('a pruned node says how far back it goes, which is no reorg', async () => {
  const { block } = await pay(70_000n);
  first!.lie(({ method }) => {
    if (method === 'getblock') return { error: { code: -1, message: 'Block not available (pruned data)' } };
    return method === 'getblockchaininfo' ? { change: (info) => ({ ...Object(info), pruneheight: 812 }) } : undefined;
  });
  const asked = bitcoin.openReader(network()).listSightings([block]);
  await expect(asked).rejects.toThrow(/is pruned and has no block \d+ any more; it goes back to block 812/);
  await expect(asked).rejects.not.toBeInstanceOf(UnknownBlockError);
});

test('what lies on outputs is told to the last satoshi, and only of the chain that was asked for', async () => {
  const { txid: txHash, block } = await pay(80_001n);
  const { transfers } = await bitcoin.openReader(stage.network).listSightings([block]);
  const { index } = transfers.find((each) => each.txHash === txHash && each.to === to)!;
  const reader = bitcoin.openReader(network());
  expect(
    await reader.readUnspent!(
      [
        { txHash, index },
        { txHash, index: 99 },
      ],
      block,
    ),
  ).toEqual([{ units: 80_001n, to }, null]);
  const elsewhere = { ...block, hash: 'ab'.repeat(32) };
  await expect(reader.readUnspent!([{ txHash, index }], elsewhere)).rejects.toThrow(UnknownBlockError);
});

test('a payout is found without an index of transactions, too', async () => {
  const { txid: txHash, block } = await pay(90_000n);
  await stage.node.mine(3);
  first!.lie(only('getrawtransaction', { error: { code: -5, message: 'No such mempool or blockchain transaction' } }));
  const claim: PayoutClaim = {
    ...{ network: 'regtest', txHash, token: 'BTC', destination: PAYEE, minMicro: 900n, senders: [] },
    notBefore: block.time,
  };
  const check = bitcoin.openPayoutCheck(network());
  expect(await check(claim, 4)).toMatchObject({ outcome: 'verified', block: { hash: block.hash } });
  expect(await check(claim, 5)).toMatchObject({ reason: 'payout_not_confirmed' });
  // Its wallet may have taken its fee off, and blocks' times go back: who failed what was paid would pay it twice.
  const refused = (reason: string) => ({ reason, message: expect.stringContaining('do not fail the withdrawal') });
  expect(await check({ ...claim, minMicro: 901n }, 4)).toMatchObject(refused('payout_too_small'));
  const notBefore = new Date(block.time.getTime() + 60_000);
  expect(await check({ ...claim, notBefore }, 4)).toMatchObject(refused('payout_too_early'));
});

test('a start is refused by a node of another chain, and waits for one that is silent, locked or not done yet', async () => {
  const check = (on: BitcoinNetwork) => bitcoin.checkNetwork(on, null);
  await expect(check({ ...network(), chain: 'main', accountKey: MAIN_KEY })).rejects.toThrow(
    'Network regtest: its node serves the chain regtest, not main: correct the RPC URL, or chain.',
  );
  first!.lie(only('getblockchaininfo', { change: (info) => ({ ...Object(info), initialblockdownload: true }) }));
  await expect(check(network({ onDemand: false }))).rejects.toThrow(/of \d+ blocks and downloads the others/);
  await expect(check(network({ onDemand: false }))).rejects.toBeInstanceOf(SilentNetworkError);
  const wrongKey = new URL(stage.node.rpcUrl);
  wrongKey.password = 'wrong-password';
  const locked = check(network({ rpcUrl: wrongKey.href }));
  await expect(locked).rejects.toBeInstanceOf(SilentNetworkError);
  await expect(locked).rejects.toThrow(/HTTP 401/);
  await expect(locked).rejects.not.toThrow(/wrong-password/);
});

/** The account of BIP84. */
const MAIN_KEY =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
