import type { OperationId } from '../../src/ports/operation.ts';
import { operationOf } from '../support/contract.ts';

type Sample = { readonly label: string; readonly source: string };

/** The samples that Redoc shows beside an operation. */
export const samplesOf = (id: OperationId): readonly Sample[] =>
  (operationOf(id) as unknown as { readonly 'x-codeSamples'?: readonly Sample[] })['x-codeSamples'] ?? [];

/** The text of one sample. */
export function sampleOf(id: OperationId, label: string): string {
  const sample = samplesOf(id).find((each) => each.label === label);
  if (!sample) throw new Error(`${id} has no sample for ${label}`);
  return sample.source;
}
