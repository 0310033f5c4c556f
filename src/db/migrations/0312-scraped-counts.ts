/**
 * What a scrape of the metrics counts, each by an index that begins with what is counted: mails that are over by what
 * became of them, transfers that wait for their cause to be mended, refunds that are ours to pay, and transactions of
 * our own accounts by what they are for, those that may be for nothing by themselves. A day's mails and transactions
 * were read whole at each scrape, and each relay that was sent read the latter, too.
 */
export const name = '0312-scraped-counts';

export const indexes = {
  mails_over: 'mails (status, finished_at) where finished_at is not null and cleared_at is null',
  credits_parked: 'credits (parked_at) where parked_at is not null',
  refunds_to_pay: `refunds (created_at) where status in ('pending', 'processing')`,
  // The release before reads operator_transactions_by_age.
  operator_transactions_by_purpose: 'operator_transactions (network, purpose, created_at)',
  operator_transactions_at_risk: `operator_transactions (purpose, created_at)
    where status in ('signed', 'sent') or not succeeded`,
};
