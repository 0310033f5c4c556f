/** Keys for links and for subscriptions: two more scopes. */
export const name = '0111-more-scopes';

export const up = `
alter table api_keys
  drop constraint api_keys_permissions_check,
  add constraint api_keys_permissions_check check (cardinality(permissions) > 0 and permissions <@ array[
    'payments:read', 'payments:write', 'settlements:read', 'settlements:write', 'webhooks:manage',
    'links:manage', 'subscriptions:manage'
  ]);
`;
