/**
 * Tells at once whether any mandate names a token that is no longer listed, because the watcher asks with each of its
 * steps. There is about one mandate a subscription, so making it takes a moment.
 */
export const name = '0054-tokens-of-mandates';

export const indexes = {
  mandates_by_token: 'mandates (network, token_contract)',
};
