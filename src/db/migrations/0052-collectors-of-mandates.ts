/**
 * Finds the collectors that customers were asked to authorise by a few steps in an index, because the watcher asks with
 * each of its own. There is about one mandate a subscription, so making it takes a moment.
 */
export const name = '0052-collectors-of-mandates';

export const indexes = {
  mandates_by_collector: 'mandates (network, collector)',
};
