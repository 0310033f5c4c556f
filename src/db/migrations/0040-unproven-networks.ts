/**
 * A network that was recorded while its node was silent, and never watched, may be forgotten: its chain id was perhaps
 * mistyped, and the name is needed for the right one.
 */
export const name = '0040-unproven-networks';

export const up = `
create function network_is_proven(wanted text) returns boolean language sql stable set search_path = public, pg_temp
as $$
  select exists (
    select 1 from deployment_networks n
     where n.chain = wanted and (
       n.genesis_hash is not null
       or exists (select 1 from chain_cursors where network = n.name)
       or exists (select 1 from payments
                   where options @> jsonb_build_array(jsonb_build_object('network', n.name)))))
$$;

create function proven_network_stays() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if network_is_proven(old.chain) then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;

drop trigger deployment_network_stays on deployment_networks;
drop trigger deployment_names_append_only on deployment_names;
drop trigger deployment_contracts_append_only on deployment_contracts;
drop trigger deployment_token_stays on deployment_tokens;
create trigger deployment_network_stays before delete on deployment_networks
  for each row execute function proven_network_stays();
create trigger deployment_name_is_final before update on deployment_names
  for each row execute function refuse_change();
create trigger deployment_name_stays before delete on deployment_names
  for each row execute function proven_network_stays();
create trigger deployment_contract_is_final before update on deployment_contracts
  for each row execute function refuse_change();
create trigger deployment_contract_stays before delete on deployment_contracts
  for each row execute function proven_network_stays();
create trigger deployment_token_stays before delete on deployment_tokens
  for each row execute function proven_network_stays();

-- The application's role deletes nothing itself. False when the network is proven.
create function forget_network(wanted text) returns boolean language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  perform 1 from deployment_networks where chain = wanted for update;
  if not found or network_is_proven(wanted) then
    return false;
  end if;
  delete from deployment_tokens where chain = wanted;
  delete from deployment_contracts where chain = wanted;
  delete from deployment_names where chain = wanted;
  delete from deployment_networks where chain = wanted;
  return true;
end $$;
`;
