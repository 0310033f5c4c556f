import { formatUnits } from '../lib/money.ts';
import type { Asset, Transfer } from '../ports/chain.ts';
import type { Unspent } from '../ports/chain-kind.ts';
import type { Finding } from './finding.ts';

/** A canonical credit of an output, and where it was seen. */
export type CreditedOutput = {
  readonly id: string;
  readonly txHash: string;
  readonly index: number;
  readonly height: number;
  readonly blockHash: string;
  /** Canonically spelled. */
  readonly to: string;
  readonly units: bigint;
  readonly confirmed: boolean;
};

type Output = Pick<Transfer, 'txHash' | 'index' | 'to' | 'units'> & { readonly block: Transfer['block'] };

const RULE = 'chain.output';

const show = (units: bigint, { decimals, symbol }: Asset): string => `${formatUnits(units, decimals)} ${symbol}`;

const keyOf = (blockHash: string, { txHash, index, to, units }: Omit<Output, 'block'>): string =>
  [blockHash, txHash, index, to, units].join(' ');

/** A finding, and the height of the block that it is about. */
export type OutputFinding = { readonly height: number; readonly finding: Finding };

/**
 * Checks that outputs to deposit addresses and canonical credits of the same blocks are the same: each output is
 * credited, and each credit is of such an output. Pure.
 */
export function examineOutputs(
  outputs: readonly Output[],
  credits: readonly CreditedOutput[],
  coin: Asset,
): OutputFinding[] {
  const credited = new Set(credits.map((credit) => keyOf(credit.blockHash, credit)));
  const there = new Set(outputs.map((output) => keyOf(output.block.hash, output)));
  const missing = outputs
    .filter((output) => !credited.has(keyOf(output.block.hash, output)))
    .map(({ block: { height }, txHash, index, units }) => ({
      height,
      finding: {
        rule: RULE,
        subject: `${txHash}:${index}`,
        message: `it pays ${show(units, coin)} to a deposit address in block ${height}, and was never credited`,
      },
    }));
  const invented = credits
    .filter((credit) => !there.has(keyOf(credit.blockHash, credit)))
    .map(({ id, height, blockHash, txHash, index, units }) => ({
      height,
      finding: {
        rule: RULE,
        subject: id,
        message:
          `it credits ${show(units, coin)} of output ${txHash}:${index}, and block ${height} (${blockHash}) ` +
          'has no such output',
      },
    }));
  return [...missing, ...invented];
}

/** Checks what lies on a credited output in a node's state; undefined when that is as credited. Pure. */
export function examineUnspent(
  { id, txHash, index, to, units }: CreditedOutput,
  found: Unspent,
  coin: Asset,
): Finding | undefined {
  if (found.to === to && found.units === units) return undefined;
  const where = found.to === to ? '' : ` at ${found.to}`;
  const held = `output ${txHash}:${index} holds ${show(found.units, coin)}${where}`;
  const message = `it credits ${show(units, coin)} at ${to}, and ${held}`;
  return { rule: RULE, subject: id, message };
}
