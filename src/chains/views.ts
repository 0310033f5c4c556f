import type { ChainReader, ChainView } from '../ports/chain-kind.ts';
import type { Endpoint, Endpoints } from './endpoints.ts';

/** The views of a network's endpoints, of which one is asked at a time, and what a reader says of them all. */
export type Views<V extends ChainView> = {
  /** The view of the endpoint to ask now; it stays the same while that one can be asked. */
  readonly pick: () => V;
  readonly reader: Pick<ChainReader, 'states' | 'several'>;
};

/** Opens a view of each endpoint. */
export function openViews<V extends ChainView>(endpoints: Endpoints, open: (endpoint: Endpoint) => V): Views<V> {
  const views = new Map(endpoints.all.map((endpoint) => [endpoint, open(endpoint)]));
  const viewOf = (endpoint: Endpoint): V => views.get(endpoint) as V;
  let current = endpoints.pick();
  const pick = (): V => {
    current = endpoints.pick(current);
    return viewOf(current);
  };
  const leave = (view: ChainView): void => {
    if (viewOf(current) === view) current = endpoints.pickAfter(current);
  };
  return {
    pick,
    reader: {
      states: () => endpoints.all.map(({ name, trouble }) => ({ endpoint: name, trouble: trouble() })),
      ...(endpoints.all.length > 1 ? { several: { pick, leave, all: endpoints.all.map(viewOf) } } : {}),
    },
  };
}
