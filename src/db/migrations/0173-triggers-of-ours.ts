/** Functions of triggers that have the rights of the owner run on the tables that they were made for alone. */
export const name = '0173-triggers-of-ours';

export const up = `
-- A role that may run such a function can put it on a table of its own, a temporary one included, and have the owner
-- book or queue what is written there. Writing to our tables needs no right to run what their triggers run.
do $$
declare
  triggered regprocedure;
begin
  for triggered in
    select p.oid::regprocedure from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and p.prorettype = 'trigger'::regtype and p.prosecdef
  loop
    execute format('revoke execute on function %s from public', triggered);
  end loop;
end $$;
`;
