/**
 * What this database belongs to: the mode and the name of its deployment, a canary of the master key, and the chains
 * that it has known, each with the name that its rows bear.
 */
export const name = '0030-deployment';

export const up = `
create table deployment (
  one boolean primary key default true check (one),
  id text not null check (id ~ '^[a-z0-9][a-z0-9._-]{2,63}$'),
  mode text not null check (mode in ('sandbox', 'live')),
  -- A text that every process decrypts at its start: it proves the master key.
  sealed_canary bytea not null,
  made_at timestamptz not null default clock_timestamp(),
  -- The ids of the deployments that this database was copied from, oldest first.
  copied_from text[] not null default '{}'
);

-- chain: what the chain is, in the form of CAIP-2 (eip155:8453), whatever anybody calls it.
create table deployment_networks (
  chain text primary key check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  kind text not null,
  -- What every row about this chain says in its column network, for ever: the name that the chain had first.
  name text not null unique,
  -- Null until a node was asked.
  genesis_hash text,
  made_at timestamptz not null default clock_timestamp()
);

-- Every name that the networks of the configuration ever had; each means one chain.
create table deployment_names (
  name text primary key,
  chain text not null references deployment_networks (chain),
  made_at timestamptz not null default clock_timestamp()
);

-- Contracts of ours. What arrives at one goes to its treasury, for ever; null where nobody said which that is.
create table deployment_contracts (
  chain text not null references deployment_networks (chain),
  role text not null check (role in ('factory', 'collector')),
  address text not null,
  treasury text,
  made_at timestamptz not null default clock_timestamp(),
  primary key (chain, role, address)
);

create table deployment_tokens (
  chain text not null references deployment_networks (chain),
  contract text not null,
  symbol text not null,
  decimals integer not null check (decimals between 0 and 36),
  made_at timestamptz not null default clock_timestamp(),
  primary key (chain, contract)
);

-- Only the copy of a database becomes another deployment, and only for who says whose copy it is (kasi.copy_of).
create function deployment_is_final() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.id is distinct from old.id and current_setting('kasi.copy_of', true) is not distinct from old.id
     and new.copied_from = old.copied_from || old.id then
    old.id := new.id;
    old.copied_from := new.copied_from;
  end if;
  if (new.one, new.id, new.mode, new.made_at, new.copied_from)
      is distinct from (old.one, old.id, old.mode, old.made_at, old.copied_from) then
    raise exception 'the identity of a deployment does not change' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create function deployment_network_is_final() returns trigger language plpgsql
  set search_path = public, pg_temp as $$
begin
  if (new.chain, new.kind, new.name, new.made_at) is distinct from (old.chain, old.kind, old.name, old.made_at)
     or (old.genesis_hash is not null and new.genesis_hash is distinct from old.genesis_hash) then
    raise exception 'what a network is does not change' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

-- A mistake in the list of tokens is mended while nobody was offered the token; after that every stored amount of it
-- counts on its decimals.
create function deployment_token_is_final() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  stored text := (select name from deployment_networks where chain = old.chain);
begin
  if (new.chain, new.contract, new.made_at) is distinct from (old.chain, old.contract, old.made_at)
     or exists (select 1 from credits where network = stored and contract = old.contract)
     or exists (select 1 from payments
                 where options @> jsonb_build_array(jsonb_build_object('network', stored, 'contract', old.contract)))
  then
    raise exception 'a token that was offered does not change' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

-- The first cursor of a network says which chain it is. A chain that is watched is not begun again under another name,
-- not even by a process that does not know these tables: its transfers would be credited twice.
create function cursor_of_known_chain() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  known text;
begin
  update deployment_networks set genesis_hash = new.genesis_hash where name = new.network and genesis_hash is null;
  select genesis_hash into known from deployment_networks where name = new.network;
  if found and known <> new.genesis_hash then
    raise exception 'the network % is the chain with the genesis %', new.network, known
      using errcode = 'integrity_constraint_violation';
  elsif not found and exists (select 1 from deployment) and exists
      (select 1 from deployment_networks where genesis_hash = new.genesis_hash) then
    raise exception 'a chain with the genesis % is watched under another name than %', new.genesis_hash, new.network
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create trigger cursor_of_known_chain before insert on chain_cursors
  for each row execute function cursor_of_known_chain();
create trigger deployment_is_final before update on deployment
  for each row execute function deployment_is_final();
create trigger deployment_stays before delete on deployment for each row execute function refuse_change();
create trigger deployment_no_truncate before truncate on deployment
  for each statement execute function refuse_change();
create trigger deployment_network_is_final before update on deployment_networks
  for each row execute function deployment_network_is_final();
create trigger deployment_network_stays before delete on deployment_networks
  for each row execute function refuse_change();
create trigger deployment_networks_no_truncate before truncate on deployment_networks
  for each statement execute function refuse_change();
create trigger deployment_names_append_only before update or delete on deployment_names
  for each row execute function refuse_change();
create trigger deployment_names_no_truncate before truncate on deployment_names
  for each statement execute function refuse_change();
create trigger deployment_contracts_append_only before update or delete on deployment_contracts
  for each row execute function refuse_change();
create trigger deployment_contracts_no_truncate before truncate on deployment_contracts
  for each statement execute function refuse_change();
create trigger deployment_token_is_final before update on deployment_tokens
  for each row execute function deployment_token_is_final();
create trigger deployment_token_stays before delete on deployment_tokens
  for each row execute function refuse_change();
create trigger deployment_tokens_no_truncate before truncate on deployment_tokens
  for each statement execute function refuse_change();
`;
