/** What an operator's transaction that collects is for. */
export const COLLECT_PURPOSE = 'collect';

/** What an operator's transaction that brings a mandate to the chain is for. */
export const RELAY_PURPOSE = 'authorize';
