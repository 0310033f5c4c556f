/** The chains of Bitcoin, as Bitcoin Core calls them. */
export type BitcoinChain = 'main' | 'test' | 'signet' | 'regtest';

/** Which prefixes addresses bear. Chains of one family share their addresses. */
export type Family = 'main' | 'test' | 'regtest';

type Params = {
  /** The hash of block 0. */
  readonly genesis: string;
  readonly family: Family;
  /** Of which chains an extended key says that it is. */
  readonly keys: 'main' | 'test';
  /** Whether the network enforces proof of work, so that forging a block is too expensive. */
  readonly isCostly: boolean;
};

/** What tells the chains apart; the hashes are those of Bitcoin Core. */
export const PARAMS: Readonly<Record<BitcoinChain, Params>> = {
  main: {
    genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    family: 'main',
    keys: 'main',
    isCostly: true,
  },
  test: {
    genesis: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
    family: 'test',
    keys: 'test',
    isCostly: false,
  },
  signet: {
    genesis: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    family: 'test',
    keys: 'test',
    isCostly: false,
  },
  regtest: {
    genesis: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    family: 'regtest',
    keys: 'test',
    isCostly: false,
  },
};

/** How many characters of the hash of block 0 name a chain in CAIP-2. */
const REFERENCE_LENGTH = 32;

/** The chain in the form of CAIP-2 (`bip122:…`). */
export const chainReference = (chain: BitcoinChain): string =>
  `bip122:${PARAMS[chain].genesis.slice(0, REFERENCE_LENGTH)}`;

/** The least that nodes relay with their usual settings, whatever the form of an address. */
export const DUST = 546n;
