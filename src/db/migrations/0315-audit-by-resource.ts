/**
 * Entries about one kind of thing, newest first. Of a day with many others they were looked for among all of them: the
 * first page of one kind read 15,000 entries of another behind which it lay.
 */
export const name = '0315-audit-by-resource';

export const indexes = {
  audit_log_by_resource: 'audit_log (resource_type, created_at desc, id desc)',
};
