/** The websites that may show a merchant's checkout in a frame. */
export const name = '0107-embed-origins';

// The origins go into a header as they are: no character may end a source, or be a wildcard.
export const up = `
alter table merchants
  add column embed_origins text[] not null default '{}',
  add constraint embed_origins_are_few check (cardinality(embed_origins) <= 10),
  add constraint embed_origins_are_origins check (
    array_position(embed_origins, null) is null
    and array_to_string(embed_origins, ' ') ~ '^(https?://[a-z0-9.-]+(:[0-9]{1,5})?( |$))*$'
  );
`;
