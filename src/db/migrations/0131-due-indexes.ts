/** What is due is found by its time, however much waits. See decision db/indexes-beside-the-application. */
export const name = '0131-due-indexes';

export const indexes = {
  /** Deliveries in the order in which they are due, of all merchants. */
  webhook_deliveries_due_first: `webhook_deliveries (next_attempt_at) where status = 'pending' and not is_test`,
  /** Open payments by what they offer and their deadline, so that those whose chain nobody reads cost nothing. */
  payments_overdue: `payments (
    (jsonb_path_query_array(options, '$[*].network') || jsonb_path_query_array(options, '$[*].token')), expires_at)
    where status in ('initiated', 'pending')`,
};
