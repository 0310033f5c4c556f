import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createChains } from '../../src/chains/chains.ts';
import { createPayoutCheck } from '../../src/chains/payout.ts';
import { UnknownBlockError } from '../../src/chains/unknown-block.ts';
import { createWatcher, type Watcher } from '../../src/chains/watcher.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { rescale } from '../../src/lib/money.ts';
import type { Asset, BlockRef, Network, PayoutClaim } from '../../src/ports/chain.ts';
import type { ChainKind, ChainReader, Deposit } from '../../src/ports/chain-kind.ts';
import { listSeen, openRecord, type RecordDatabase, readCursor, recorder } from './watch-fixture.ts';

/** A chain of the kind that a test can write. Whatever it does is in the chain when its call resolves. */
export type KindDriver<N extends Network = Network> = {
  /** Counts a block as confirmed when it is two deep. */
  readonly network: N;
  /** An entry of KASI_NETWORKS that is right. */
  readonly entry: object;
  readonly operatorKey: string | null;
  /** Spellings of one address that a person may write. */
  readonly spellings: readonly string[];
  /** Texts that are no addresses, one with a wrong checksum among them where the kind has one. */
  readonly wrong: readonly string[];
  readonly ownerless: string;
  /** Pays base units of what `assetOf` names, in a block of its own; returns the transaction's hash. */
  readonly pay: (to: string, units: bigint) => Promise<string>;
  readonly mine: (blocks: number) => Promise<void>;
  /** Drops the newest blocks and puts nothing in their place. */
  readonly rollBack: (depth: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What the tests of one kind share; filled before the first of them. */
type Stage = {
  readonly kind: ChainKind;
  driver: KindDriver;
  record: RecordDatabase;
  reader: ChainReader;
};

/** Defines the tests that every kind of chain has to pass. */
export function testKind<N extends Network>(tested: ChainKind<N>, open: () => Promise<KindDriver<N>>): void {
  const kind: ChainKind = tested;
  const stage = { kind } as Stage;
  beforeAll(async () => {
    stage.record = await openRecord();
    stage.driver = await open();
    stage.reader = kind.openReader(stage.driver.network);
  });
  beforeEach(() => stage.record.clear());
  afterAll(async () => {
    await stage.driver.close();
    await stage.record.clear();
    await stage.record.close();
  });
  describe(`the kind ${kind.name}`, () => {
    describe('its configuration', () => testConfiguration(stage));
    describe('its addresses', () => testAddresses(stage));
    describe('deposit addresses', () => testDeposits(stage));
    describe('its reader', () => testReader(stage));
    describe('its watcher', () => testWatching(stage));
    describe('a payout', () => testPayouts(stage));
  });
}

const deposit = ({ kind, driver, record }: Stage, paymentId: string): Promise<Deposit> =>
  inTransaction(record.db, (trx) => kind.assignDeposit(trx, driver.network, paymentId));

/** What the tests pay in: the network's first token, or its coin where it has none. */
function assetOf({ tokens, native }: Network): Asset {
  const [asset = native] = tokens;
  if (asset === undefined) throw new Error('nothing can be paid on the network');
  return asset;
}

let payments = 0;

/** The canonical deposit address of another payment. */
async function nextAddress(stage: Stage): Promise<string> {
  payments += 1;
  return stage.kind.addresses.canonical((await deposit(stage, `pay_${payments}`)).address);
}

function testConfiguration(stage: Stage): void {
  test('matches its schema and becomes a network of the kind', () => {
    expect(new Ajv().validate(stage.kind.networkSchema, stage.driver.entry)).toBe(true);
    const network = stage.kind.parseNetwork(structuredClone(stage.driver.entry));
    expect(network.kind).toBe(stage.kind.name);
    expect(stage.kind.findConflicts([network])).toEqual([]);
  });

  test('passes the start-up check on a prepared chain', async () => {
    await expect(stage.kind.checkNetwork(stage.driver.network, stage.driver.operatorKey)).resolves.toBeUndefined();
  });
}

function testAddresses(stage: Stage): void {
  test('have one canonical and one shown spelling, however they are written', () => {
    const { isAddress, canonical, present } = stage.kind.addresses;
    expect(stage.driver.spellings.filter((text) => !isAddress(text))).toEqual([]);
    expect(new Set(stage.driver.spellings.map(canonical))).toHaveLength(1);
    expect(new Set(stage.driver.spellings.map(canonical).map(present))).toHaveLength(1);
    for (const text of stage.driver.spellings) expect(canonical(present(canonical(text)))).toBe(canonical(text));
  });

  test('are distinguished from other text and from the address that no one has the key of', () => {
    const { isAddress, isOwnerless } = stage.kind.addresses;
    expect(stage.driver.wrong.filter(isAddress)).toEqual([]);
    expect(isOwnerless(stage.driver.ownerless)).toBe(true);
    expect(stage.driver.spellings.filter(isOwnerless)).toEqual([]);
  });

  test('of the platform itself are spelled canonically', () => {
    const own = stage.kind.listOwnAddresses(stage.driver.network);
    expect(own).not.toEqual([]);
    expect(own.map(stage.kind.addresses.canonical)).toEqual(own);
  });
}

function testDeposits(stage: Stage): void {
  test('differ between payments, and no payment gets a second one', async () => {
    const first = await deposit(stage, 'pay_a');
    const again = await deposit(stage, 'pay_a').catch((error: unknown) => error);
    expect([first, expect.objectContaining({ code: '23505' })]).toContainEqual(again);
    expect((await deposit(stage, 'pay_b')).address).not.toBe(first.address);
  });

  test('are addresses of the kind, in the shown spelling', async () => {
    const { address, canonical: stored } = await deposit(stage, 'pay_c');
    const { isAddress, isOwnerless, canonical, present } = stage.kind.addresses;
    expect([isAddress(address), isOwnerless(address)]).toEqual([true, false]);
    expect(present(canonical(address))).toBe(address);
    expect(canonical(address)).toBe(stored);
  });

  test('appear in the payment URI, together with the amount', async () => {
    const { address } = await deposit(stage, 'pay_d');
    const { chainId } = stage.driver.network;
    const request = { chainId, contract: assetOf(stage.driver.network).contract, address };
    const uri = stage.kind.paymentUri({ ...request, units: 12_345n });
    expect(uri).toContain(address);
    expect(uri).toContain('12345');
    expect(stage.kind.paymentUri({ ...request, units: 12_346n })).not.toBe(uri);
  });
}

function testReader(stage: Stage): void {
  test('returns linked blocks in the requested order, undefined above the head', async () => {
    await stage.driver.mine(2);
    const head = await stage.reader.getHead();
    const [none, newest, before] = await stage.reader.findBlocks([head.height + 1, head.height, head.height - 1]);
    expect(none).toBeUndefined();
    expect(newest).toEqual(head);
    expect(newest?.parentHash).toBe(before?.hash);
    expect((await stage.reader.identify()).genesisHash).toBe((await stage.reader.findBlocks([0]))[0]?.hash);
  });

  test('sees a transfer with its parts, in one request or many', async () => {
    const to = await nextAddress(stage);
    const from = (await stage.reader.getHead()).height + 1;
    const hashes = [await stage.driver.pay(to, 7n), await stage.driver.pay(to, 8n)];
    const blocks = await blocksFrom(stage.reader, from);
    const { transfers } = await stage.reader.listSightings(blocks);
    const ours = transfers.filter((transfer) => transfer.to === to);
    const token = assetOf(stage.driver.network);
    expect(ours).toMatchObject(hashes.map((txHash, i) => ({ txHash, units: BigInt(7 + i), token, to })));
    const apart = await Promise.all(blocks.map((block) => stage.reader.listSightings([block])));
    expect(apart.flatMap((each) => each.transfers)).toEqual(transfers);
  });

  test('rejects a block that a reorg removed, rather than showing it without transfers', async () => {
    await stage.driver.pay(await nextAddress(stage), 5n);
    const gone = await stage.reader.getHead();
    await stage.driver.rollBack(1);
    await stage.driver.mine(2);
    await expect(stage.reader.listSightings([gone])).rejects.toThrow(UnknownBlockError);
  });
}

/** A watcher of the stage's network, and a way to run it until it has nothing more to do. */
function openWatcherOn(stage: Stage, worker = 'worker-1'): Watcher & { catchUp: () => Promise<void> } {
  const watcher = createWatcher({
    ...{ db: stage.record.db, network: stage.driver.network, reader: stage.reader, matchers: [recorder], worker },
    confirmationsOn: async ({ confirmations }) => confirmations,
    now: () => new Date(),
    log: () => undefined,
  });
  const catchUp = async (): Promise<void> => {
    while ((await watcher.look()) === 'behind');
  };
  return { ...watcher, catchUp };
}

function testWatching(stage: Stage): void {
  const open = (worker?: string) => openWatcherOn(stage, worker);
  const seenAt = async (to: string): Promise<bigint[]> =>
    (await listSeen(stage.record.db, stage.driver.network.name)).flatMap(({ recipient, units }) =>
      recipient === to ? [units] : [],
    );
  const cursor = () => readCursor(stage.record.db, stage.driver.network.name);

  test('a transfer is seen once, whoever scans it, and confirmed at the required depth', async () => {
    await open().catchUp();
    const to = await nextAddress(stage);
    await stage.driver.pay(to, 7n);
    const { height } = await stage.reader.getHead();
    const watcher = open();
    await watcher.catchUp();
    expect(await cursor()).toMatchObject({ height, confirmed: height - 1 });
    await watcher.release();
    await stage.driver.mine(1);
    await open('worker-2').catchUp();
    expect(await cursor()).toMatchObject({ height: height + 1, confirmed: height });
    expect(await seenAt(to)).toEqual([7n]);
  });

  test('a reorg walks back to the common block and counts what the new blocks hold once', async () => {
    const watcher = open();
    const to = await nextAddress(stage);
    await stage.driver.pay(to, 4n);
    await watcher.catchUp();
    await stage.driver.pay(to, 5n);
    await stage.driver.mine(2);
    await watcher.catchUp();
    expect(await seenAt(to)).toEqual([4n, 5n]);
    await stage.driver.rollBack(3);
    await stage.driver.pay(to, 6n);
    await stage.driver.mine(3);
    await watcher.catchUp();
    expect(await seenAt(to)).toEqual([4n, 6n]);
    expect((await cursor()).height).toBe((await stage.reader.getHead()).height);
  });

  test('a chain that is merely shorter, as a lagging node shows it, reverses nothing', async () => {
    const watcher = open();
    const to = await nextAddress(stage);
    await stage.driver.pay(to, 9n);
    await stage.driver.mine(2);
    await watcher.catchUp();
    const before = await cursor();
    await stage.driver.rollBack(3);
    await watcher.look();
    expect(await seenAt(to)).toEqual([9n]);
    expect((await cursor()).height).toBe(before.height);
  });
}

function testPayouts(stage: Stage): void {
  const claim = async (change: Partial<PayoutClaim>): Promise<PayoutClaim> => {
    const token = assetOf(stage.driver.network);
    const { time } = await stage.reader.getHead();
    return {
      ...{
        network: stage.driver.network.name,
        txHash: '0x',
        token: token.symbol,
        destination: await nextAddress(stage),
      },
      ...{ minMicro: 10_000_000n, notBefore: new Date(time.getTime() - 60_000), senders: [] },
      ...change,
    };
  };
  const check = (asked: PayoutClaim) => {
    const networks = [stage.driver.network];
    const chains = createChains([stage.kind], networks);
    return createPayoutCheck({ networks, chains, confirmationsOn: async (each) => each.confirmations })(asked);
  };
  const tenDollars = (): bigint => rescale(10_000_000n, 6, assetOf(stage.driver.network).decimals);

  test('is not confirmed before it is deep enough, and verified then', async () => {
    const destination = await nextAddress(stage);
    const asked = await claim({ destination });
    const paid = { ...asked, txHash: await stage.driver.pay(destination, tenDollars()) };
    expect(await check(paid)).toMatchObject({ outcome: 'refused', reason: 'payout_not_confirmed' });
    await stage.driver.mine(1);
    const { height } = await stage.reader.getHead();
    expect(await check(paid)).toMatchObject({ outcome: 'verified', block: { height: height - 1 } });
  });

  test('is refused when it is too small, went elsewhere, or does not exist', async () => {
    const asked = await claim({});
    const txHash = await stage.driver.pay(asked.destination, tenDollars() - 1n);
    await stage.driver.mine(1);
    expect(await check({ ...asked, txHash })).toMatchObject({ reason: 'payout_too_small' });
    const elsewhere = { ...asked, txHash, destination: await nextAddress(stage) };
    expect(await check(elsewhere)).toMatchObject({ reason: 'payout_wrong_destination' });
    const unknown = { ...asked, txHash: txHash.replace(/..$/, (end) => (end === '00' ? '11' : '00')) };
    expect(await check(unknown)).toMatchObject({ reason: 'payout_not_found' });
  });
}

async function blocksFrom(reader: ChainReader, from: number): Promise<BlockRef[]> {
  const { height } = await reader.getHead();
  const heights = Array.from({ length: height - from + 1 }, (_, i) => from + i);
  return (await reader.findBlocks(heights)).filter((block) => block !== undefined);
}
