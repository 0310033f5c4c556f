/** What was collected for a subscription has no deadline to be confirmed, so the job that looks for deadlines does not pass it. */
export const name = '0027-unconfirmed-collections';

export const up = `
drop index payments_confirming;
create index payments_confirming on payments (confirming_at) where status = 'confirming' and source <> 'subscription';
`;
