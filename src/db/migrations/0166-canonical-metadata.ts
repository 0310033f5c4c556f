/** An audit entry brings the canonical text of its metadata, of which the database can't make one. */
export const name = '0166-canonical-metadata';

export const up = `
-- RFC 8785, for the trigger queue_audit_entry alone. Null: an entry of a release that tells it at sealing.
alter table audit_log add column canonical_metadata json;
`;
