import { type Address, getAddress, getCreate2Address, keccak256, stringToBytes } from 'viem';
import { expect, test } from 'vitest';
import { FORWARDER_INIT_CODE_HASH } from '../../generated/contracts.ts';
import { depositAddress, depositSalt } from '../../src/chains/evm/deposit-address.ts';
import { newId } from '../../src/lib/ids.ts';

const FACTORIES: readonly Address[] = [
  '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  '0x000000000000000000000000000000000000dead',
];

test.each(FACTORIES)('the addresses of payments under %s are those that the library makes', (from) => {
  const now = new Date();
  for (const id of Array.from({ length: 500 }, () => newId('payment', now))) {
    const salt = keccak256(stringToBytes(id));
    expect(depositSalt(id)).toBe(salt);
    const address = depositAddress(from, id);
    expect(address).toBe(getCreate2Address({ from, salt, bytecodeHash: FORWARDER_INIT_CODE_HASH }));
    expect(address).toBe(getAddress(address.toLowerCase()));
  }
});
