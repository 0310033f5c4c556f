import type { Address } from 'viem';
import type { JsonObject } from '../../lib/json.ts';
import type { ChainCharge, ChainMandate, Collector } from '../../ports/collector.ts';
import { openNetworkReader, readHeadTime } from './client.ts';
import {
  type Charge,
  COLLECT_BATCH_MAX,
  encodeAuthorizeBySig,
  encodeCollectMany,
  type Mandate,
  mandateId,
  mandateRef,
  mandateTypedData,
  mandateWords,
  toSign,
} from './collector.ts';
import {
  estimateAuthorization,
  estimateCollectMany,
  previewCollectMany,
  readFunds,
  readMandateState,
  simulateAuthorization,
  verifyMandateSignature,
} from './collector-reader.ts';
import { batchGas } from './gas.ts';
import type { EvmNetwork } from './network.ts';
import { createOperatorNode } from './operator-node.ts';
import { normalizeSignature } from './signatures.ts';

/** For a transaction, and for each of its charges, whatever comes of it. */
const COLLECT_GAS_BASE = 100_000n;
const COLLECT_GAS_EACH = 100_000n;
/** Storing a mandate costs 61k, and a wallet with code may run for a while to check its signature. */
const AUTHORIZE_GAS = 400_000n;

/** How subscriptions are collected on an EVM network; null where no collector is configured. */
export function openEvmCollector(network: EvmNetwork): Collector | null {
  if (network.collector === null) return null;
  const { chainId, collector: address } = network;
  const reader = openNetworkReader(network);
  const here = hex(address);
  const placeOf = (collector: string) => ({ collector: hex(collector), chainId });
  return {
    network,
    address,
    chainId,
    chargesMax: COLLECT_BATCH_MAX,
    operatorNode: createOperatorNode(network),
    mandateRef,
    mandateId: (mandate) => mandateId(toMandate(mandate)),
    mandateBytes: (mandate) => mandateWords(toMandate(mandate)).slice(2),
    typedData: (collector, mandate) =>
      JSON.parse(toSign(mandateTypedData(placeOf(collector), toMandate(mandate)))) as JsonObject,
    normalizeSignature: (signature) => normalizeSignature(hex(signature)),
    encodeAuthorization: (to, mandate, signature) => ({
      to,
      data: encodeAuthorizeBySig(toMandate(mandate), hex(signature)),
      gas: AUTHORIZE_GAS,
    }),
    encodeCharges: (charges, estimateOne) => {
      const count = BigInt(charges.length);
      const gas = batchGas(COLLECT_GAS_BASE + COLLECT_GAS_EACH * count, estimateOne * count);
      return { to: address, data: encodeCollectMany(charges.map(toCharge)), gas };
    },
    readHeadTime: () => readHeadTime(reader),
    readMandateState: ({ collector, payer, id }, blockHash) =>
      readMandateState(
        reader,
        hex(collector),
        hex(payer),
        hex(id),
        blockHash === undefined ? undefined : { blockHash: hex(blockHash) },
      ),
    verifySignature: (collector, mandate, signature) =>
      verifyMandateSignature(reader, placeOf(collector), toMandate(mandate), hex(signature)),
    simulateAuthorization: (collector, mandate, signature, operator) =>
      simulateAuthorization(reader, hex(collector), toMandate(mandate), hex(signature), {
        account: hex(operator),
        gas: AUTHORIZE_GAS,
      }),
    estimateAuthorization: (collector, mandate, signature, operator) =>
      estimateAuthorization(reader, hex(collector), toMandate(mandate), hex(signature), {
        account: hex(operator),
        gas: AUTHORIZE_GAS,
      }),
    readFunds: (collector, { payer, token }) => readFunds(reader, hex(token), hex(payer), hex(collector)),
    preview: (operator, charges) => previewCollectMany(reader, here, hex(operator), charges.map(toCharge)),
    estimate: (operator, charges) => estimateCollectMany(reader, here, hex(operator), charges.map(toCharge)),
  };
}

const hex = (text: string): Address => text as Address;
const toMandate = (mandate: ChainMandate): Mandate => mandate as Mandate;
const toCharge = (charge: ChainCharge): Charge => charge as Charge;
