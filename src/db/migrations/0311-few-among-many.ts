/**
 * Finds a few among many. While a mail server is away, mails wait for it by the hundred thousand: those that are to be
 * written are found without reading them, and what is tried of which merchant without reading all that its others have
 * met. And what is to be charged on a network that is no longer listed, without reading what is charged on the others.
 */
export const name = '0311-few-among-many';

export const indexes = {
  mails_to_write: `mails (next_attempt_at, id) where status = 'queued'`,
  mails_to_send: `mails (merchant_id, troubles, next_attempt_at, id) where status = 'pending'`,
  subscriptions_charged: `subscriptions (network, token)
    where status in ('active', 'trialing', 'past_due') and paused_since is null`,
};
