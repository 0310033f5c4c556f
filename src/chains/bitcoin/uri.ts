import { formatFixed } from '../../lib/money.ts';

const DECIMALS = 8;

/** What wallets read from a QR code (BIP21): the amount in bitcoin, not in satoshis. */
export const bitcoinUri = (address: string, units: bigint): string =>
  `bitcoin:${address}?amount=${formatFixed(units, DECIMALS)}`;
