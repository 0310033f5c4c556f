import { bitcoin } from './chains/bitcoin/kind.ts';
import { evm } from './chains/evm/kind.ts';
import type { ChainKind } from './ports/chain-kind.ts';

/** Every kind of chain. A network of KASI_NETWORKS that names no `kind` is of the first. */
export const KINDS: readonly ChainKind[] = [evm, bitcoin];
