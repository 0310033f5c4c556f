import { type Hex, keccak256, toFunctionSignature } from 'viem';
import { describe, expect, test } from 'vitest';
import papers from '../../generated/contract-papers.json' with { type: 'json' };
import * as contracts from '../../generated/contracts.ts';

const { depositFactory, forwarder, subscriptionCollector, testUsdc, testUsdt } = contracts;

/** Functions that OpenZeppelin documents in its own sources. */
const INHERITED = [
  ...['acceptOwnership', 'owner', 'pendingOwner', 'transferOwnership', 'paused', 'eip712Domain'],
  ...['allowance', 'approve', 'balanceOf', 'name', 'symbol', 'totalSupply', 'transfer', 'transferFrom'],
  ...['DOMAIN_SEPARATOR', 'nonces', 'permit', 'authorizationState', 'cancelAuthorization'],
  ...['receiveWithAuthorization', 'transferWithAuthorization'],
];

type Doc = { readonly notice?: string };
type DevDoc = { readonly params?: Record<string, string>; readonly returns?: Record<string, string> };
type Docs = {
  readonly userdoc: { readonly notice?: string; readonly methods?: Record<string, Doc> };
  readonly devdoc: {
    readonly 'custom:security-contact'?: string;
    readonly methods?: Record<string, DevDoc>;
    readonly stateVariables?: Record<string, DevDoc>;
  };
};

test.each([
  ['DepositFactory', depositFactory, []],
  ['Forwarder', forwarder, []],
  ['SubscriptionCollector', subscriptionCollector, INHERITED],
  ['TestUsdc', testUsdc, INHERITED],
  ['TestUsdt', testUsdt, []],
] as const)(
  '%s is documented: what it is, whom to write to, every function, parameter and result',
  (name, { abi }, inherited) => {
    const { userdoc, devdoc } = papers[name] as Docs;
    expect(userdoc.notice).toBeTruthy();
    expect(devdoc['custom:security-contact']).toBeTruthy();
    for (const each of abi) {
      if (each.type !== 'function' || (inherited as readonly string[]).includes(each.name)) continue;
      const signature = toFunctionSignature(each);
      expect([signature, userdoc.methods?.[signature]?.notice]).toEqual([signature, expect.any(String)]);
      // Getters of variables have no parameters of their own.
      if (devdoc.stateVariables?.[each.name] || each.name === 'state') continue;
      const { params = {}, returns = {} } = devdoc.methods?.[signature] ?? {};
      expect([signature, Object.keys(params).sort()]).toEqual([
        signature,
        each.inputs.map((input) => input.name).sort(),
      ]);
      expect([signature, Object.keys(returns)]).toEqual([
        signature,
        each.outputs.map((output, i) => output.name || `_${i}`),
      ]);
    }
  },
);

describe('what stands on chains for ever does not change by mistake', () => {
  // A comment changes none of these. Code does, and with it every address: see decision chains/evm/one-factory.
  test.each([
    ['DepositFactory', depositFactory.bytecode, '0x69f5feef22d40e8b8355c696e3ae1b06c48207752402cfad1c2cb33140556d49'],
    ['Forwarder', forwarder.bytecode, '0xc623eb83238fce2b796af0db12d126ece34f20deed2f8bbe4aeaeb253b698761'],
    [
      'SubscriptionCollector',
      subscriptionCollector.bytecode,
      '0xbc6bfee5cb0df2b90d733c4bc7df196253b1d7084fa0d537c3632b6ddaac77be',
    ],
  ])('the init code of %s', (_, bytecode, hash) => {
    expect(keccak256(bytecode as Hex)).toBe(hash);
  });

  test('the storage of the collector; the others have none', () => {
    expect(papers.DepositFactory.storage).toEqual([]);
    expect(papers.Forwarder.storage).toEqual([]);
    const layout = papers.SubscriptionCollector.storage.map(
      ({ slot, offset, label, type }) => `${slot}+${offset} ${label}: ${type}`,
    );
    expect(layout).toEqual([
      '0+0 _nameFallback: t_string_storage',
      '1+0 _versionFallback: t_string_storage',
      '2+0 state: t_mapping(t_address,t_mapping(t_bytes32,t_struct(State)_storage))',
      '3+0 _owner: t_address',
      '4+0 _pendingOwner: t_address',
      '4+20 _paused: t_bool',
      '5+0 operator: t_address',
      '6+0 proposedOperator: t_address',
      '0+0 t_struct(State)_storage.status: t_enum(Status)',
      '0+1 t_struct(State)_storage.window: t_uint32',
      '0+5 t_struct(State)_storage.lastNumber: t_uint32',
      '0+9 t_struct(State)_storage.available: t_uint128',
    ]);
  });
});
