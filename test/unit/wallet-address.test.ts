import { expect, test } from 'vitest';
import { isWalletAddress } from '../../src/chains/evm/wallet-address.ts';

// The examples of EIP-55.
const CHECKSUMMED = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
];

test.each(CHECKSUMMED)('%s is a valid address, in lower and upper case too', (address) => {
  expect(isWalletAddress(address)).toBe(true);
  expect(isWalletAddress(address.toLowerCase())).toBe(true);
  expect(isWalletAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(true);
});

test.each([
  '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd',
  '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg',
  ' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
])('%s is no valid address', (address) => {
  expect(isWalletAddress(address)).toBe(false);
});
