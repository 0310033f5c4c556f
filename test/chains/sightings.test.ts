import {
  type Abi,
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  pad,
  toEventSelector,
  toHex,
} from 'viem';
import { expect, test } from 'vitest';
import { subscriptionCollector, testUsdc } from '../../generated/contracts.ts';
import { COLLECTOR_TOPICS } from '../../src/chains/evm/collector-events.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { APPROVAL_TOPIC, decodeSightings, glimpseOf, sightingFilter } from '../../src/chains/evm/sightings.ts';
import { type RawLog, TRANSFER_TOPIC } from '../../src/chains/evm/transfers.ts';
import type { BlockRef } from '../../src/ports/chain.ts';
import { TEST_NETWORK } from '../support/payments.ts';

const COLLECTOR = '0x00000000000000000000000000000000000000cc';
const NETWORK: EvmNetwork = { ...TEST_NETWORK, collector: COLLECTOR };
const WITHOUT: EvmNetwork = { ...TEST_NETWORK, collector: null };
const BLOCK: BlockRef = { network: 'devnet', height: 7, hash: '0xb7', parentHash: '0xb6', time: new Date(0) };
const [USDT, USDC] = NETWORK.tokens.map(({ contract }) => contract) as [string, string];
const [PAYER, OTHER] = [
  '0x00000000000000000000000000000000000000fa',
  '0x00000000000000000000000000000000000000fb',
] as const;
const TREASURY = NETWORK.treasury as Hex;
const [ID, REF] = [pad('0xa1'), pad('0x2ef')];

const ABI: Abi = [...subscriptionCollector.abi, ...testUsdc.abi];

/** A log as a node returns it; `tx` is the last digit of its transaction's hash. */
function log(address: string, eventName: string, args: Record<string, unknown>, data: Hex = '0x', tx = 1): RawLog {
  const topics = encodeEventTopics({ abi: ABI, eventName, args }) as string[];
  return { address, topics, data, blockHash: BLOCK.hash, transactionHash: `0x${tx}` };
}
const word = (value: bigint | number): Hex => pad(toHex(value));
const transfer = (from: Hex, to: Hex, value: bigint, token = USDT, tx?: number) =>
  log(token, 'Transfer', { from, to }, word(value), tx);
const collected = (number: number, amount: bigint, payer: Hex = PAYER, tx?: number) =>
  log(COLLECTOR, 'Collected', { id: ID, number, payer }, word(amount), tx);
const failed = (number: number, reason: number) => log(COLLECTOR, 'CollectFailed', { id: ID, number }, word(reason));
const MANDATE_DATA = encodeAbiParameters(
  Array.from({ length: 8 }, () => ({ type: 'uint256' })),
  Array.from({ length: 8 }, () => 1n),
);

const decode = (...logs: RawLog[]) => decodeSightings(NETWORK, [BLOCK], [logs]);

test('the topic constants are the event hashes of the compiled contracts', () => {
  const selector = (name: string) =>
    toEventSelector(ABI.find((item): item is AbiEvent => item.type === 'event' && item.name === name)!);
  expect({ ...COLLECTOR_TOPICS, approval: APPROVAL_TOPIC, transfer: TRANSFER_TOPIC }).toEqual({
    authorized: selector('Authorized'),
    revoked: selector('Revoked'),
    collected: selector('Collected'),
    collectFailed: selector('CollectFailed'),
    approval: selector('Approval'),
    transfer: selector('Transfer'),
  });
});

test('a network without a collector asks only for transfers', () => {
  expect(sightingFilter(WITHOUT)).toEqual({ address: [USDT, USDC], topics: [[TRANSFER_TOPIC]] });
  const topics = [TRANSFER_TOPIC, APPROVAL_TOPIC, ...Object.values(COLLECTOR_TOPICS)];
  expect(sightingFilter(NETWORK)).toEqual({ address: [USDT, USDC, COLLECTOR], topics: [topics] });
  const approval = log(USDT, 'Approval', { owner: PAYER, spender: COLLECTOR }, word(1));
  const seen = decodeSightings(WITHOUT, [BLOCK], [[approval, collected(1, 5n)]]);
  expect(seen).toEqual({ transfers: [], collector: [], approvals: [] });
});

test('authorisations, revocations, collections and refusals are decoded with all parts', () => {
  const { collector } = decode(
    log(COLLECTOR, 'Authorized', { id: ID, payer: PAYER, ref: REF }, MANDATE_DATA),
    failed(1, 7),
    log(COLLECTOR, 'Revoked', { id: ID, payer: PAYER }),
    transfer(PAYER, TREASURY, 5n, USDC, 2),
    collected(4_294_967_295, 5n, PAYER, 2),
  );
  const common = { network: 'devnet', collector: COLLECTOR, block: BLOCK, mandateId: ID };
  expect(collector).toEqual([
    { ...common, txHash: '0x1', place: 0, kind: 'authorized', payer: PAYER },
    { ...common, txHash: '0x1', place: 1, kind: 'collect_failed', number: 1, reason: 7 },
    { ...common, txHash: '0x1', place: 2, kind: 'revoked', payer: PAYER },
    {
      ...{
        ...common,
        txHash: '0x2',
        place: 0,
        kind: 'collected',
        payer: PAYER,
        number: 4_294_967_295,
        amountUnits: 5n,
      },
      transfer: expect.objectContaining({ index: 0, token: NETWORK.tokens[1], from: PAYER, to: TREASURY, units: 5n }),
    },
  ]);
});

test('each collection is paired with its own transfer, whatever else its transaction moves, and transfers keep their positions', () => {
  const { transfers, collector } = decode(
    transfer(PAYER, TREASURY, 1n, USDT, 9), // Another transaction.
    transfer(PAYER, TREASURY, 2n), // Not collected: it precedes the next collection's transfer.
    transfer(PAYER, OTHER, 3n), // A fee on transfer.
    transfer(PAYER, TREASURY, 4n),
    collected(1, 7n),
    failed(2, 8),
    log(USDT, 'Approval', { owner: PAYER, spender: COLLECTOR }, word(1)), // Some tokens log the remaining allowance.
    transfer(OTHER, TREASURY, 5n),
    collected(3, 5n, OTHER),
    collected(4, 6n), // Nothing moved since.
    transfer(PAYER, TREASURY, 7n),
    collected(5, 7n, PAYER, 3), // In another transaction than the transfer.
  );
  const moved = collector.map((event) => (event.kind === 'collected' ? (event.transfer?.index ?? null) : 'failed'));
  expect(moved).toEqual([2, 'failed', 3, null, null]);
  expect(collector.map(({ place }) => place)).toEqual([0, 1, 2, 3, 0]);
  expect(transfers.map(({ txHash, index, units }) => [txHash, index, units])).toEqual([
    ['0x9', 0, 1n],
    ['0x1', 0, 2n],
    ['0x1', 1, 3n],
    ['0x1', 2, 4n],
    ['0x1', 3, 5n],
    ['0x1', 4, 7n],
  ]);
});

test('of a token that only mandates name, what a collector took is read, and no deposit', () => {
  const [usdt, usdc] = NETWORK.tokens;
  const former: EvmNetwork = { ...NETWORK, tokens: [usdc!], formerTokens: [usdt!] };
  expect(sightingFilter(former).address).toEqual([USDC, USDT, COLLECTOR]);
  const logs = [
    transfer(PAYER, OTHER, 3n),
    transfer(PAYER, TREASURY, 7n),
    collected(1, 7n),
    transfer(PAYER, OTHER, 9n, USDC),
  ];
  const { transfers, collector } = decodeSightings(former, [BLOCK], [logs]);
  expect(transfers).toMatchObject([{ index: 2, units: 9n, token: usdc }]);
  expect(collector).toMatchObject([{ kind: 'collected', transfer: { index: 1, units: 7n, token: usdt } }]);
  expect(glimpseOf(former, [transfer(PAYER, OTHER, 3n)])).toEqual({ recipients: [], collector: false });
  expect(glimpseOf(former, [collected(1, 7n)])).toEqual({ recipients: [], collector: true });
});

test('only approvals to the collector, by a listed token, are reported', () => {
  const { approvals } = decode(
    log(USDT, 'Approval', { owner: PAYER, spender: OTHER }, word(1)),
    log(OTHER, 'Approval', { owner: PAYER, spender: COLLECTOR }, word(2)),
    log(USDC.toUpperCase().replace('0X', '0x'), 'Approval', { owner: PAYER, spender: COLLECTOR }, word(3)),
  );
  expect(approvals).toEqual([{ network: 'devnet', token: NETWORK.tokens[1], owner: PAYER, units: 3n }]);
});

test('all other logs of listed and unlisted contracts are ignored', () => {
  const [good, revoked] = [collected(1, 5n), log(COLLECTOR, 'Revoked', { id: ID, payer: PAYER })];
  const approval = log(USDT, 'Approval', { owner: PAYER, spender: COLLECTOR }, word(1));
  const authorized = log(COLLECTOR, 'Authorized', { id: ID, payer: PAYER, ref: REF }, MANDATE_DATA);
  const cut = (whole: RawLog, topics: number): RawLog => ({ ...whole, topics: whole.topics.slice(0, topics) });
  const odd = [
    ...[good, revoked, approval, authorized, failed(1, 1)].flatMap((whole) => [
      ...[0, 1, 2].map((topics) => cut(whole, topics)),
      { ...whole, topics: [...cut(whole, 3).topics, ID, ID] },
      { ...whole, data: `${whole.data}00` },
      { ...whole, address: OTHER },
    ]),
    ...[good, authorized].map((whole) => cut(whole, 3)),
    ...[good, approval, authorized, failed(1, 1)].map((whole): RawLog => ({ ...whole, data: '0x' })),
    { ...good, topics: [pad('0x1'), ID, ID, ID] },
    { ...good, address: USDT },
    { ...approval, address: COLLECTOR },
    transfer(PAYER, TREASURY, 5n, COLLECTOR),
  ];
  expect(decode(...odd)).toEqual({ transfers: [], collector: [], approvals: [] });
  expect(decode(...odd, good).collector).toMatchObject([{ place: 0 }]);
});

test('a log of another block is an error', () => {
  expect(() => decode({ ...collected(1, 5n), blockHash: '0xb8' })).toThrow('logs of another block than 0xb7');
  expect(() => decode({ ...collected(1, 5n), removed: true })).toThrow('logs of another block than 0xb7');
});
