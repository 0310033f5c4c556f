-- Written by `npm run generate` from a freshly migrated database. For reading; never run.

create table account_deltas (
  account_id text not null,
  amount bigint not null,
  constraint account_deltas_amount_check CHECK ((amount > 0))
);
CREATE INDEX account_deltas_by_account ON public.account_deltas USING btree (account_id);

create table admins (
  id text not null,
  email text not null,
  name text not null,
  password_hash text not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  role_id text not null,
  last_login_at timestamp with time zone,
  created_by text,
  credentials_by text,
  credentials_at timestamp with time zone,
  approver_until timestamp with time zone,
  constraint admins_credentials_told CHECK (((credentials_by IS NULL) = (credentials_at IS NULL))),
  constraint admins_email_check CHECK ((email = lower(email))),
  constraint admins_id_check CHECK ((id ~~ 'adm\_%'::text)),
  constraint admins_not_self_made CHECK (((created_by <> id) AND (credentials_by <> id))),
  constraint admins_status_check CHECK ((status = ANY (ARRAY['active'::text, 'deactivated'::text]))),
  constraint admins_created_by_fkey FOREIGN KEY (created_by) REFERENCES admins(id),
  constraint admins_credentials_by_fkey FOREIGN KEY (credentials_by) REFERENCES admins(id),
  constraint admins_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id),
  constraint admins_pkey PRIMARY KEY (id),
  constraint admins_email_key UNIQUE (email)
);
CREATE INDEX admins_by_role ON public.admins USING btree (role_id);
CREATE INDEX admins_by_time ON public.admins USING btree (created_at DESC, id DESC);
CREATE TRIGGER admin_maker_stays BEFORE UPDATE ON public.admins FOR EACH ROW WHEN ((new.created_by IS DISTINCT FROM old.created_by)) EXECUTE FUNCTION admin_maker_stays();

create table api_keys (
  id text not null,
  merchant_id text not null,
  name text not null,
  api_key text not null,
  sealed_secret bytea,
  permissions text[] not null,
  allowed_ips text[] default '{}'::text[] not null,
  expires_at timestamp with time zone,
  rotated_from text,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint api_keys_allowed_ips_check CHECK ((cardinality(allowed_ips) <= 20)),
  constraint api_keys_api_key_check CHECK ((api_key ~ '^pk_(sandbox|live)_[0-9a-f]{32}$'::text)),
  constraint api_keys_check CHECK (((revoked_at IS NULL) = (sealed_secret IS NOT NULL))),
  constraint api_keys_id_check CHECK ((id ~~ 'key\_%'::text)),
  constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint api_keys_permissions_check CHECK (((cardinality(permissions) > 0) AND (permissions <@ ARRAY['payments:read'::text, 'payments:write'::text, 'settlements:read'::text, 'settlements:write'::text, 'webhooks:manage'::text, 'links:manage'::text, 'subscriptions:manage'::text]))),
  constraint api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint api_keys_rotated_from_fkey FOREIGN KEY (rotated_from) REFERENCES api_keys(id),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_api_key_key UNIQUE (api_key)
);
CREATE INDEX api_keys_expiring ON public.api_keys USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (expires_at IS NOT NULL));
CREATE INDEX api_keys_live ON public.api_keys USING btree (merchant_id, created_at DESC, id DESC) WHERE (revoked_at IS NULL);
CREATE TRIGGER api_key_is_final BEFORE UPDATE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION api_key_is_final();

create table audit_chain (
  sequence bigint not null,
  entry_id text not null,
  body bytea not null,
  hash bytea not null,
  constraint audit_chain_hash_check CHECK ((length(hash) = 32)),
  constraint audit_chain_sequence_check CHECK ((sequence > 0)),
  constraint audit_chain_pkey PRIMARY KEY (sequence),
  constraint audit_chain_entry_id_key UNIQUE (entry_id)
);
CREATE TRIGGER audit_chain_append_only BEFORE DELETE OR UPDATE ON public.audit_chain FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_chain_no_truncate BEFORE TRUNCATE ON public.audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_checkpoints (
  sequence bigint not null,
  hash bytea not null,
  public_key bytea not null,
  signature bytea not null,
  created_at timestamp with time zone not null,
  constraint audit_checkpoints_hash_check CHECK ((length(hash) = 32)),
  constraint audit_checkpoints_public_key_check CHECK ((length(public_key) = 32)),
  constraint audit_checkpoints_signature_check CHECK ((length(signature) = 64)),
  constraint audit_checkpoints_sequence_fkey FOREIGN KEY (sequence) REFERENCES audit_chain(sequence),
  constraint audit_checkpoints_pkey PRIMARY KEY (sequence)
);
CREATE TRIGGER audit_checkpoints_append_only BEFORE DELETE OR UPDATE ON public.audit_checkpoints FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_checkpoints_no_truncate BEFORE TRUNCATE ON public.audit_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_log (
  id text not null,
  actor_type text not null,
  actor_id text not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  merchant_id text,
  ip_address text not null,
  user_agent text not null,
  request_id text not null,
  metadata jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone not null,
  canonical_metadata json,
  constraint audit_log_action_check CHECK ((action ~ '^[a-z_]+\.[a-z_]+$'::text)),
  constraint audit_log_actor_type_check CHECK ((actor_type = ANY (ARRAY['admin'::text, 'merchant'::text, 'system'::text]))),
  constraint audit_log_id_check CHECK ((id ~~ 'log\_%'::text)),
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_by_action ON public.audit_log USING btree (resource_type, action, created_at DESC, id DESC);
CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (actor_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_actor_type ON public.audit_log USING btree (actor_type, created_at DESC, id DESC);
CREATE INDEX audit_log_by_merchant ON public.audit_log USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_resource ON public.audit_log USING btree (resource_type, created_at DESC, id DESC);
CREATE INDEX audit_log_by_time ON public.audit_log USING btree (created_at DESC, id DESC);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER queue_audit_entry AFTER INSERT ON public.audit_log FOR EACH ROW EXECUTE FUNCTION queue_audit_entry();
CREATE TRIGGER tally_added AFTER INSERT ON public.audit_log REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_audit_log();

create table bitcoin_deposits (
  payment_id text not null,
  account text not null,
  index integer not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  constraint bitcoin_deposits_index_check CHECK ((index > 0)),
  constraint bitcoin_deposits_pkey PRIMARY KEY (payment_id),
  constraint bitcoin_deposits_account_index_key UNIQUE (account, index)
);
CREATE TRIGGER bitcoin_deposit_is_final BEFORE UPDATE ON public.bitcoin_deposits FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION refuse_change();

create table bitcoin_draft_coins (
  network text not null,
  draft text not null,
  tx_hash text not null,
  coin_index integer not null,
  units numeric(78,0) not null,
  key_index integer not null,
  constraint bitcoin_draft_coins_coin_index_check CHECK ((coin_index >= 0)),
  constraint bitcoin_draft_coins_key_index_check CHECK ((key_index >= 0)),
  constraint bitcoin_draft_coins_units_check CHECK ((units > (0)::numeric)),
  constraint bitcoin_draft_coins_network_draft_fkey FOREIGN KEY (network, draft) REFERENCES bitcoin_drafts(network, tx_hash),
  constraint bitcoin_draft_coins_pkey PRIMARY KEY (network, tx_hash, coin_index, draft)
);
CREATE INDEX bitcoin_draft_coins_by_draft ON public.bitcoin_draft_coins USING btree (network, draft);
CREATE TRIGGER bitcoin_draft_coin_is_final BEFORE UPDATE ON public.bitcoin_draft_coins FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION refuse_change();

create table bitcoin_drafts (
  network text not null,
  tx_hash text not null,
  payout_ids text[] not null,
  change_index integer,
  change_units numeric(78,0),
  made_at timestamp with time zone not null,
  constraint bitcoin_drafts_change_index_check CHECK ((change_index >= 0)),
  constraint bitcoin_drafts_change_units_check CHECK ((change_units > (0)::numeric)),
  constraint bitcoin_drafts_check CHECK (((change_index IS NULL) = (change_units IS NULL))),
  constraint bitcoin_drafts_payout_ids_check CHECK ((cardinality(payout_ids) > 0)),
  constraint bitcoin_drafts_tx_hash_check CHECK ((tx_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint bitcoin_drafts_pkey PRIMARY KEY (network, tx_hash)
);
CREATE INDEX bitcoin_drafts_by_payout ON public.bitcoin_drafts USING gin (payout_ids);
CREATE INDEX bitcoin_drafts_with_change ON public.bitcoin_drafts USING btree (network, made_at) WHERE (change_index IS NOT NULL);
CREATE TRIGGER bitcoin_draft_is_final BEFORE UPDATE ON public.bitcoin_drafts FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION refuse_change();

create table chain_blocks (
  network text not null,
  height bigint not null,
  hash text not null,
  block_time timestamp with time zone not null,
  constraint chain_blocks_pkey PRIMARY KEY (network, height)
);

create table chain_cursors (
  network text not null,
  genesis_hash text not null,
  height bigint not null,
  hash text not null,
  block_time timestamp with time zone not null,
  confirmed_height bigint not null,
  head_height bigint not null,
  scanned_at timestamp with time zone not null,
  checked_at timestamp with time zone default clock_timestamp() not null,
  locked_by text,
  locked_until timestamp with time zone,
  second_opinion_from bigint,
  final_height bigint,
  final_seen_at timestamp with time zone,
  idle_depth integer,
  head_time timestamp with time zone,
  watched_at timestamp with time zone,
  read_to timestamp with time zone,
  depths jsonb,
  constraint chain_cursors_height_check CHECK ((height >= 0)),
  constraint chain_cursors_idle_depth_check CHECK ((idle_depth > 0)),
  constraint chain_cursors_pkey PRIMARY KEY (network)
);
CREATE TRIGGER cursor_of_known_chain BEFORE INSERT ON public.chain_cursors FOR EACH ROW EXECUTE FUNCTION cursor_of_known_chain();

create table charge_attempts (
  charge_id text not null,
  attempt integer not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  outcome text,
  failure_code text,
  tx_hash text,
  constraint charge_attempts_attempt_check CHECK ((attempt > 0)),
  constraint charge_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['collected'::text, 'failed'::text, 'deferred'::text, 'lost'::text]))),
  constraint charge_attempts_charge_id_fkey FOREIGN KEY (charge_id) REFERENCES charges(id),
  constraint charge_attempts_pkey PRIMARY KEY (charge_id, attempt)
);

create table charges (
  id text not null,
  subscription_id text not null,
  merchant_id text not null,
  number integer not null,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  status text not null,
  amount_minor bigint not null,
  currency text not null,
  network text not null,
  token text not null,
  due_at timestamp with time zone,
  rate jsonb,
  amount_micro bigint,
  units numeric(78,0),
  mandate_id text,
  transaction_id text,
  attempts integer default 0 not null,
  last_attempt_at timestamp with time zone,
  failure_code text,
  void_reason text,
  payment_id text,
  tx_hash text,
  locked_by text,
  locked_until timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  reversed_at timestamp with time zone,
  constraint charges_amount_micro_check CHECK ((amount_micro > 0)),
  constraint charges_amount_minor_check CHECK ((amount_minor > 0)),
  constraint charges_attempts_check CHECK ((attempts >= 0)),
  constraint charges_check CHECK ((period_end > period_start)),
  constraint charges_check1 CHECK (((status = ANY (ARRAY['succeeded'::text, 'void'::text])) = (finished_at IS NOT NULL))),
  constraint charges_check2 CHECK (((status = 'due'::text) = (due_at IS NOT NULL))),
  constraint charges_check3 CHECK (((status = 'void'::text) = (void_reason IS NOT NULL))),
  constraint charges_check4 CHECK (((status = 'sending'::text) <= ((transaction_id IS NOT NULL) AND (units IS NOT NULL)))),
  constraint charges_check5 CHECK (((status = ANY (ARRAY['confirming'::text, 'succeeded'::text])) <= (payment_id IS NOT NULL))),
  constraint charges_check6 CHECK (((status = 'failed'::text) <= (failure_code IS NOT NULL))),
  constraint charges_check7 CHECK (((locked_by IS NULL) = (locked_until IS NULL))),
  constraint charges_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'LKR'::text]))),
  constraint charges_failure_code_check CHECK ((failure_code = ANY (ARRAY['mandate_missing'::text, 'mandate_revoked'::text, 'insufficient_balance'::text, 'insufficient_allowance'::text, 'token_blocked'::text, 'network_unavailable'::text, 'gas_too_dear'::text]))) NOT VALID,
  constraint charges_id_check CHECK ((id ~~ 'chg\_%'::text)),
  constraint charges_number_check CHECK ((number > 0)),
  constraint charges_status_check CHECK ((status = ANY (ARRAY['due'::text, 'sending'::text, 'confirming'::text, 'succeeded'::text, 'failed'::text, 'void'::text]))),
  constraint charges_units_check CHECK ((units > (0)::numeric)),
  constraint charges_void_reason_check CHECK ((void_reason = ANY (ARRAY['not_authorized'::text, 'unpaid'::text, 'paused'::text, 'late'::text, 'cancelled'::text]))),
  constraint charges_mandate_id_fkey FOREIGN KEY (mandate_id) REFERENCES mandates(id),
  constraint charges_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint charges_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  constraint charges_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(id),
  constraint charges_pkey PRIMARY KEY (id),
  constraint charge_once UNIQUE (subscription_id, number),
  constraint charges_payment_id_key UNIQUE (payment_id)
);
CREATE UNIQUE INDEX charge_in_turn ON public.charges USING btree (subscription_id) WHERE (status = ANY (ARRAY['due'::text, 'sending'::text]));
CREATE INDEX charges_confirming ON public.charges USING btree (updated_at) WHERE (status = 'confirming'::text);
CREATE INDEX charges_due ON public.charges USING btree (network, due_at, id) WHERE (status = 'due'::text);
CREATE INDEX charges_in_flight ON public.charges USING btree (transaction_id) WHERE (status = 'sending'::text);
CREATE TRIGGER charge_asks BEFORE UPDATE ON public.charges FOR EACH ROW WHEN ((((((new.subscription_id IS DISTINCT FROM old.subscription_id) OR (new.number IS DISTINCT FROM old.number)) OR (new.merchant_id IS DISTINCT FROM old.merchant_id)) OR (new.amount_minor IS DISTINCT FROM old.amount_minor)) OR (new.currency IS DISTINCT FROM old.currency))) EXECUTE FUNCTION refuse_rewrite('charge', 'what it asks');
CREATE TRIGGER charge_moves BEFORE UPDATE ON public.charges FOR EACH ROW WHEN (((new.status <> old.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['due>sending'::text, 'due>failed'::text, 'due>void'::text, 'due>confirming'::text, 'due>succeeded'::text, 'sending>due'::text, 'sending>failed'::text, 'sending>void'::text, 'sending>confirming'::text, 'sending>succeeded'::text, 'confirming>succeeded'::text, 'confirming>due'::text, 'confirming>void'::text, 'failed>due'::text, 'failed>void'::text, 'failed>confirming'::text, 'failed>succeeded'::text, 'void>due'::text, 'void>confirming'::text, 'void>succeeded'::text])) AND (NOT ((old.status = 'succeeded'::text) AND (new.status = ANY (ARRAY['due'::text, 'void'::text])) AND (new.reversed_at IS NOT NULL))))) EXECUTE FUNCTION refuse_move('charge');
CREATE TRIGGER charges_stay BEFORE DELETE ON public.charges FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table checkout_session_moves (
  session_id text not null,
  outcome text not null,
  created_at timestamp with time zone not null,
  constraint checkout_session_moves_outcome_check CHECK ((outcome = ANY (ARRAY['completed'::text, 'expired'::text]))),
  constraint checkout_session_moves_session_id_fkey FOREIGN KEY (session_id) REFERENCES checkout_sessions(id),
  constraint checkout_session_moves_pkey PRIMARY KEY (session_id, outcome)
);

create table checkout_sessions (
  id text not null,
  merchant_id text not null,
  payment_id text not null,
  amount_minor bigint not null,
  currency text not null,
  success_url text not null,
  cancel_url text not null,
  metadata jsonb default '{}'::jsonb not null,
  status text default 'open'::text not null,
  event_sequence integer default 0 not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint checkout_sessions_cancel_url_check CHECK ((length(cancel_url) <= 2048)),
  constraint checkout_sessions_check CHECK (((status = 'open'::text) = (finished_at IS NULL))),
  constraint checkout_sessions_id_check CHECK ((id ~~ 'cs\_%'::text)),
  constraint checkout_sessions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'completed'::text, 'expired'::text]))),
  constraint checkout_sessions_success_url_check CHECK ((length(success_url) <= 2048)),
  constraint checkout_sessions_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint checkout_sessions_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  constraint checkout_sessions_pkey PRIMARY KEY (id),
  constraint checkout_sessions_payment_id_key UNIQUE (payment_id)
);
CREATE INDEX checkout_sessions_by_merchant ON public.checkout_sessions USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX checkout_sessions_open ON public.checkout_sessions USING btree (expires_at) WHERE (status = 'open'::text);

create table coin_cursors (
  network text not null,
  height bigint not null,
  hash text not null,
  late_height bigint not null,
  late_hash text not null,
  late_to timestamp with time zone,
  late_at timestamp with time zone,
  constraint coin_cursors_height_check CHECK ((height >= 0)),
  constraint coin_cursors_late_height_check CHECK ((late_height >= 0)),
  constraint coin_cursors_pkey PRIMARY KEY (network)
);

create table coin_requests (
  network text not null,
  address text not null,
  payment_id text not null,
  requested_at timestamp with time zone not null,
  constraint coin_requests_pkey PRIMARY KEY (network, address)
);

create table coin_sweeps (
  network text not null,
  block_hash text not null,
  tx_hash text not null,
  place integer not null,
  block_number bigint not null,
  address text not null,
  units numeric(78,0) not null,
  canonical boolean default true not null,
  constraint coin_sweeps_place_check CHECK ((place >= 0)),
  constraint coin_sweeps_units_check CHECK ((units > (0)::numeric)),
  constraint coin_sweeps_pkey PRIMARY KEY (network, block_hash, tx_hash, place)
);
CREATE INDEX coin_sweeps_by_address ON public.coin_sweeps USING btree (network, address) WHERE canonical;
CREATE INDEX coin_sweeps_by_block ON public.coin_sweeps USING btree (network, block_number) WHERE canonical;

create table collector_events (
  id bigint generated always as identity not null,
  subscription_id text not null,
  mandate_id text not null,
  kind text not null,
  network text not null,
  tx_hash text not null,
  place integer not null,
  block_hash text not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  number bigint,
  units numeric(78,0),
  reason integer,
  transfer_index integer,
  recipient text,
  canonical boolean default true not null,
  seen_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  parked_at timestamp with time zone,
  failure text,
  constraint collector_events_check CHECK (((kind = ANY (ARRAY['collected'::text, 'collect_failed'::text])) = (number IS NOT NULL))),
  constraint collector_events_check1 CHECK (((kind = 'collected'::text) = (units IS NOT NULL))),
  constraint collector_events_check2 CHECK (((kind = 'collect_failed'::text) = (reason IS NOT NULL))),
  constraint collector_events_kind_check CHECK ((kind = ANY (ARRAY['authorized'::text, 'revoked'::text, 'collected'::text, 'collect_failed'::text]))),
  constraint collector_events_place_check CHECK ((place >= 0)),
  constraint collector_events_mandate_id_fkey FOREIGN KEY (mandate_id) REFERENCES mandates(id),
  constraint collector_events_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(id),
  constraint collector_events_pkey PRIMARY KEY (id),
  constraint collector_event_once UNIQUE (network, block_hash, tx_hash, place)
);
CREATE UNIQUE INDEX collected_once ON public.collector_events USING btree (mandate_id, number) WHERE ((kind = 'collected'::text) AND canonical);
CREATE INDEX collector_events_by_block ON public.collector_events USING btree (network, block_number) WHERE canonical;
CREATE INDEX collector_events_by_subscription ON public.collector_events USING btree (subscription_id, block_number, id);
CREATE UNIQUE INDEX collector_events_canonical_once ON public.collector_events USING btree (network, tx_hash, place) WHERE canonical;
CREATE INDEX collector_events_due ON public.collector_events USING btree (id) WHERE ((applied_at IS NULL) AND (parked_at IS NULL));
CREATE INDEX collector_events_parked ON public.collector_events USING btree (parked_at) WHERE ((applied_at IS NULL) AND (parked_at IS NOT NULL));

create table credits (
  id text not null,
  payment_id text not null,
  network text not null,
  tx_hash text not null,
  transfer_index integer not null,
  block_hash text not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  token text not null,
  contract text not null,
  sender text not null,
  recipient text not null,
  amount_units numeric(78,0) not null,
  decimals integer not null,
  value_e18 numeric(96,0) not null,
  counted boolean,
  canonical boolean default true not null,
  inclusion integer default 1 not null,
  seen_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  applied_at timestamp with time zone,
  parked_at timestamp with time zone,
  failure text,
  booked_micro bigint,
  seconded_at timestamp with time zone,
  final_at timestamp with time zone,
  swept_at timestamp with time zone,
  twins integer,
  arrived_at timestamp with time zone,
  rate jsonb,
  spends text[],
  gone_because text,
  replaced_by text,
  missing_since timestamp with time zone,
  matures_at bigint,
  constraint credits_amount_units_check CHECK ((amount_units > (0)::numeric)),
  constraint credits_booked_by_rate CHECK (((booked_micro IS NULL) OR (rate IS NOT NULL) OR (token = ANY (ARRAY['USDT'::text, 'USDC'::text])))) NOT VALID,
  constraint credits_booked_micro_check CHECK ((booked_micro >= 0)),
  constraint credits_gone_because_check CHECK ((gone_because = ANY (ARRAY['replaced'::text, 'dropped'::text]))) NOT VALID,
  constraint credits_id_check CHECK ((id ~~ 'crd\_%'::text)),
  constraint credits_transfer_index_check CHECK ((transfer_index >= 0)),
  constraint credits_twins_check CHECK ((twins > 0)),
  constraint credits_value_e18_check CHECK ((value_e18 >= (0)::numeric)),
  constraint credits_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  constraint credits_pkey PRIMARY KEY (id),
  constraint credit_once UNIQUE (network, block_hash, tx_hash, transfer_index)
);
CREATE INDEX credits_by_block ON public.credits USING btree (network, block_number) WHERE canonical;
CREATE INDEX credits_by_payment ON public.credits USING btree (payment_id, block_number, id);
CREATE UNIQUE INDEX credits_canonical_once ON public.credits USING btree (network, tx_hash, transfer_index) WHERE canonical;
CREATE INDEX credits_due ON public.credits USING btree (seen_at) WHERE ((applied_at IS NULL) AND (parked_at IS NULL));
CREATE INDEX credits_due_by_payment ON public.credits USING btree (payment_id) WHERE ((applied_at IS NULL) AND (parked_at IS NULL));
CREATE INDEX credits_gone ON public.credits USING btree (tx_hash) WHERE (NOT canonical);
CREATE INDEX credits_not_final ON public.credits USING btree (network, block_number) WHERE (canonical AND (confirmed_at IS NOT NULL) AND (final_at IS NULL));
CREATE INDEX credits_of_coin ON public.credits USING btree (network, recipient) WHERE (canonical AND (contract = '0x0000000000000000000000000000000000000000'::text));
CREATE INDEX credits_parked ON public.credits USING btree (parked_at) WHERE (parked_at IS NOT NULL);
CREATE INDEX credits_read_again ON public.credits USING btree (network, block_number) WHERE ((twins IS NOT NULL) AND canonical AND (confirmed_at IS NOT NULL) AND (final_at IS NULL));
CREATE INDEX credits_spent ON public.credits USING btree (network, swept_at, id) WHERE (canonical AND (swept_at IS NOT NULL) AND (spends IS NOT NULL));
CREATE INDEX credits_taken_back ON public.credits USING btree (network, tx_hash) WHERE ((spends IS NOT NULL) AND (NOT canonical));
CREATE INDEX credits_to_confirm ON public.credits USING btree (network, block_number) WHERE (canonical AND (confirmed_at IS NULL) AND (applied_at IS NOT NULL));
CREATE INDEX credits_unconfirmed ON public.credits USING btree (network, block_number) WHERE (canonical AND (confirmed_at IS NULL));
CREATE INDEX credits_unswept ON public.credits USING btree (network, recipient) WHERE (canonical AND (swept_at IS NULL));
CREATE TRIGGER credit_has_its_transfer AFTER INSERT ON public.credits REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION credits_have_transfers();
CREATE TRIGGER returned_credit_has_its_transfer AFTER UPDATE ON public.credits REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION credits_have_transfers();
CREATE TRIGGER revive_payment BEFORE INSERT ON public.credits FOR EACH ROW EXECUTE FUNCTION revive_payment();

create table customer_sessions (
  token_hash bytea not null,
  wallet text not null,
  networks text[] not null,
  challenge_id text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint customer_sessions_check CHECK ((expires_at > created_at)),
  constraint customer_sessions_networks_check CHECK ((cardinality(networks) > 0)),
  constraint customer_sessions_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint customer_sessions_wallet_check CHECK ((wallet ~ '^0x[0-9a-f]{40}$'::text)),
  constraint customer_sessions_pkey PRIMARY KEY (token_hash),
  constraint customer_session_once UNIQUE (challenge_id)
);
CREATE INDEX customer_sessions_by_end ON public.customer_sessions USING btree (expires_at);

create table delisted (
  network text not null,
  contract text default ''::text not null,
  since timestamp with time zone default clock_timestamp() not null,
  constraint delisted_pkey PRIMARY KEY (network, contract)
);

create table deployment (
  one boolean default true not null,
  id text not null,
  mode text not null,
  sealed_canary bytea not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  copied_from text[] default '{}'::text[] not null,
  constraint deployment_id_check CHECK ((id ~ '^[a-z0-9][a-z0-9._-]{2,63}$'::text)),
  constraint deployment_mode_check CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  constraint deployment_one_check CHECK (one),
  constraint deployment_pkey PRIMARY KEY (one)
);
CREATE TRIGGER deployment_is_final BEFORE UPDATE ON public.deployment FOR EACH ROW EXECUTE FUNCTION deployment_is_final();
CREATE TRIGGER deployment_no_truncate BEFORE TRUNCATE ON public.deployment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER deployment_stays BEFORE DELETE ON public.deployment FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table deployment_contracts (
  chain text not null,
  role text not null,
  address text not null,
  treasury text,
  made_at timestamp with time zone default clock_timestamp() not null,
  constraint deployment_contracts_role_check CHECK ((role = ANY (ARRAY['factory'::text, 'collector'::text, 'account'::text]))),
  constraint deployment_contracts_chain_fkey FOREIGN KEY (chain) REFERENCES deployment_networks(chain),
  constraint deployment_contracts_pkey PRIMARY KEY (chain, role, address)
);
CREATE TRIGGER deployment_contract_is_final BEFORE UPDATE ON public.deployment_contracts FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER deployment_contract_stays BEFORE DELETE ON public.deployment_contracts FOR EACH ROW EXECUTE FUNCTION proven_network_stays();
CREATE TRIGGER deployment_contracts_no_truncate BEFORE TRUNCATE ON public.deployment_contracts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table deployment_names (
  name text not null,
  chain text not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  constraint deployment_names_chain_fkey FOREIGN KEY (chain) REFERENCES deployment_networks(chain),
  constraint deployment_names_pkey PRIMARY KEY (name)
);
CREATE TRIGGER deployment_name_is_final BEFORE UPDATE ON public.deployment_names FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER deployment_name_stays BEFORE DELETE ON public.deployment_names FOR EACH ROW EXECUTE FUNCTION proven_network_stays();
CREATE TRIGGER deployment_names_no_truncate BEFORE TRUNCATE ON public.deployment_names FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table deployment_networks (
  chain text not null,
  kind text not null,
  name text not null,
  genesis_hash text,
  made_at timestamp with time zone default clock_timestamp() not null,
  constraint deployment_networks_chain_check CHECK ((chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'::text)),
  constraint deployment_networks_pkey PRIMARY KEY (chain),
  constraint deployment_networks_name_key UNIQUE (name)
);
CREATE TRIGGER deployment_network_is_final BEFORE UPDATE ON public.deployment_networks FOR EACH ROW EXECUTE FUNCTION deployment_network_is_final();
CREATE TRIGGER deployment_network_stays BEFORE DELETE ON public.deployment_networks FOR EACH ROW EXECUTE FUNCTION proven_network_stays();
CREATE TRIGGER deployment_networks_no_truncate BEFORE TRUNCATE ON public.deployment_networks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table deployment_tokens (
  chain text not null,
  contract text not null,
  symbol text not null,
  decimals integer not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  constraint deployment_tokens_decimals_check CHECK (((decimals >= 0) AND (decimals <= 36))),
  constraint deployment_tokens_chain_fkey FOREIGN KEY (chain) REFERENCES deployment_networks(chain),
  constraint deployment_tokens_pkey PRIMARY KEY (chain, contract)
);
CREATE TRIGGER deployment_token_is_final BEFORE UPDATE ON public.deployment_tokens FOR EACH ROW EXECUTE FUNCTION deployment_token_is_final();
CREATE TRIGGER deployment_token_stays BEFORE DELETE ON public.deployment_tokens FOR EACH ROW EXECUTE FUNCTION proven_network_stays();
CREATE TRIGGER deployment_tokens_no_truncate BEFORE TRUNCATE ON public.deployment_tokens FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table deposit_addresses (
  kind text not null,
  address text not null,
  payment_id text not null,
  constraint deposit_addresses_kind_check CHECK ((kind = ANY (ARRAY['evm'::text, 'bitcoin'::text]))),
  constraint deposit_addresses_pkey PRIMARY KEY (kind, address)
);
CREATE INDEX deposit_addresses_by_payment ON public.deposit_addresses USING btree (payment_id);

create table dust (
  network text not null,
  tx_hash text not null,
  recipient text not null,
  contract text not null,
  block_number bigint not null,
  transfers integer not null,
  units numeric(78,0) not null,
  value_e18 numeric(96,0) not null,
  seen_at timestamp with time zone not null,
  constraint dust_block_number_check CHECK ((block_number >= 0)),
  constraint dust_transfers_check CHECK ((transfers > 0)),
  constraint dust_units_check CHECK ((units > (0)::numeric)),
  constraint dust_value_e18_check CHECK ((value_e18 >= (0)::numeric)),
  constraint dust_pkey PRIMARY KEY (network, tx_hash, recipient, contract)
);
CREATE INDEX dust_by_block ON public.dust USING btree (network, block_number);
CREATE INDEX dust_by_recipient ON public.dust USING btree (network, recipient);

create table entries (
  id bigint generated always as identity not null,
  journal_id text not null,
  account_id text not null,
  amount bigint not null,
  created_at timestamp with time zone not null,
  constraint entries_amount_check CHECK ((amount <> 0)),
  constraint entries_pkey PRIMARY KEY (id),
  constraint entries_journal_id_account_id_key UNIQUE (journal_id, account_id)
);
CREATE INDEX entries_by_account ON public.entries USING btree (account_id, created_at DESC, id DESC);
CREATE TRIGGER apply_entry AFTER INSERT ON public.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION apply_entry();
CREATE TRIGGER check_entries AFTER INSERT ON public.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_entries();
CREATE TRIGGER entries_append_only BEFORE DELETE OR UPDATE ON public.entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_no_truncate BEFORE TRUNCATE ON public.entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sum_month AFTER INSERT ON public.entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_month();
CREATE TRIGGER tally_added AFTER INSERT ON public.entries REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_entries();

create table event_feed (
  merchant_id text not null,
  "position" bigint not null,
  event_id text not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint event_feed_hash_check CHECK ((length(hash) = 32)),
  constraint event_feed_position_check CHECK (("position" > 0)),
  constraint event_feed_previous_hash_check CHECK ((length(previous_hash) = 32)),
  constraint event_feed_pkey PRIMARY KEY (merchant_id, "position"),
  constraint event_feed_event_id_key UNIQUE (event_id)
);
CREATE TRIGGER event_feed_append_only BEFORE DELETE OR UPDATE ON public.event_feed FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_feed_no_truncate BEFORE TRUNCATE ON public.event_feed FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table events (
  id text not null,
  merchant_id text not null,
  type text not null,
  resource_id text not null,
  sequence integer not null,
  body bytea not null,
  created_at timestamp with time zone not null,
  constraint events_body_check CHECK ((length(body) <= 32768)),
  constraint events_id_check CHECK ((id ~~ 'evt\_%'::text)),
  constraint events_sequence_check CHECK ((sequence > 0)),
  constraint events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint events_pkey PRIMARY KEY (id),
  constraint event_once UNIQUE (resource_id, sequence)
);
CREATE INDEX events_by_merchant ON public.events USING btree (merchant_id, created_at DESC, id DESC);
CREATE TRIGGER events_append_only BEFORE UPDATE ON public.events FOR EACH ROW WHEN ((((((((new.id IS DISTINCT FROM old.id) OR (new.merchant_id IS DISTINCT FROM old.merchant_id)) OR (new.type IS DISTINCT FROM old.type)) OR (new.resource_id IS DISTINCT FROM old.resource_id)) OR (new.sequence IS DISTINCT FROM old.sequence)) OR (new.created_at IS DISTINCT FROM old.created_at)) OR (length(new.body) > 0))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_stay BEFORE DELETE ON public.events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER queue_event AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_event();

create table guarded_changes (
  id text not null,
  kind text not null,
  subject_id text not null,
  fields jsonb not null,
  status text not null,
  needs_approval boolean not null,
  proposed_by text not null,
  proposed_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  approved_by text,
  approved_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  reason text,
  constraint guarded_changes_check CHECK (((due_at >= proposed_at) AND (expires_at > due_at))),
  constraint guarded_changes_check1 CHECK (((kind = 'settings'::text) = (subject_id = 'platform'::text))),
  constraint guarded_changes_check2 CHECK ((approved_by <> proposed_by)),
  constraint guarded_changes_check3 CHECK (((approved_by IS NULL) = (approved_at IS NULL))),
  constraint guarded_changes_check4 CHECK (((approved_by IS NULL) OR needs_approval)),
  constraint guarded_changes_check5 CHECK (((status <> ALL (ARRAY['approved'::text, 'in_effect'::text])) OR (NOT needs_approval) OR (approved_by IS NOT NULL))),
  constraint guarded_changes_check6 CHECK (((status = ANY (ARRAY['in_effect'::text, 'cancelled'::text, 'expired'::text])) = (ended_at IS NOT NULL))),
  constraint guarded_changes_check7 CHECK (((status <> 'in_effect'::text) OR (ended_at >= due_at))),
  constraint guarded_changes_check8 CHECK (((ended_by IS NULL) OR (status = 'cancelled'::text))),
  constraint guarded_changes_check9 CHECK (((status = 'cancelled'::text) = (reason IS NOT NULL))),
  constraint guarded_changes_fields_check CHECK (((jsonb_typeof(fields) = 'object'::text) AND (fields <> '{}'::jsonb))),
  constraint guarded_changes_id_check CHECK ((id ~~ 'gch\_%'::text)),
  constraint guarded_changes_kind_check CHECK ((kind = ANY (ARRAY['settings'::text, 'role'::text, 'admin'::text]))),
  constraint guarded_changes_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'approved'::text, 'in_effect'::text, 'cancelled'::text, 'expired'::text]))),
  constraint guarded_changes_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES admins(id),
  constraint guarded_changes_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES admins(id),
  constraint guarded_changes_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES admins(id),
  constraint guarded_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX guarded_changes_by_time ON public.guarded_changes USING btree (proposed_at DESC, id DESC);
CREATE INDEX guarded_changes_open ON public.guarded_changes USING btree (due_at) WHERE (status = ANY (ARRAY['proposed'::text, 'approved'::text]));
CREATE TRIGGER guarded_change_is_alone BEFORE INSERT ON public.guarded_changes FOR EACH ROW EXECUTE FUNCTION guarded_change_is_alone();
CREATE TRIGGER guarded_change_moves BEFORE UPDATE ON public.guarded_changes FOR EACH ROW EXECUTE FUNCTION guarded_change_moves();
CREATE TRIGGER guarded_changes_no_truncate BEFORE TRUNCATE ON public.guarded_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER guarded_changes_stay BEFORE DELETE ON public.guarded_changes FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table idempotency_keys (
  id bytea not null,
  merchant_id text not null,
  request_id text not null,
  fingerprint bytea not null,
  status smallint,
  body bytea,
  expires_at timestamp with time zone not null,
  constraint idempotency_keys_check CHECK (((status IS NULL) = (body IS NULL))),
  constraint idempotency_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at);

create table incident_alerts (
  id text not null,
  kind text not null,
  body text not null,
  created_at timestamp with time zone not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone not null,
  locked_by text,
  locked_until timestamp with time zone,
  failure text,
  delivered_at timestamp with time zone,
  constraint incident_alerts_attempts_check CHECK ((attempts >= 0)),
  constraint incident_alerts_id_check CHECK ((id ~~ 'alt\_%'::text)),
  constraint incident_alerts_pkey PRIMARY KEY (id)
);
CREATE INDEX incident_alerts_due ON public.incident_alerts USING btree (next_attempt_at) WHERE (delivered_at IS NULL);

create table incidents (
  id bigint generated always as identity not null,
  kind text not null,
  subject text not null,
  message text not null,
  detail jsonb default '{}'::jsonb not null,
  opened_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  public_id text default ('inc_'::text || lpad((id)::text, 26, '0'::text)),
  network text,
  count integer default 1 not null,
  last_seen_at timestamp with time zone,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  resolved_by text,
  note text,
  logged_at timestamp with time zone,
  alerted_at timestamp with time zone,
  alert_id text,
  mailed_at timestamp with time zone,
  constraint incident_acknowledged CHECK (((acknowledged_at IS NULL) = (acknowledged_by IS NULL))),
  constraint incident_alert CHECK (((alert_id IS NULL) OR (alerted_at IS NOT NULL))),
  constraint incident_resolver CHECK (((resolved_by IS NULL) OR (resolved_at IS NOT NULL))),
  constraint incidents_count_check CHECK ((count > 0)),
  constraint incidents_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES incident_alerts(id),
  constraint incidents_pkey PRIMARY KEY (id)
);
CREATE INDEX incidents_alerted ON public.incidents USING btree (kind, subject, alerted_at) WHERE (alerted_at IS NOT NULL);
CREATE INDEX incidents_by_time ON public.incidents USING btree (opened_at DESC, id DESC);
CREATE INDEX incidents_mailed ON public.incidents USING btree (mailed_at) WHERE (mailed_at IS NOT NULL);
CREATE INDEX incidents_of_alert ON public.incidents USING btree (alert_id) WHERE (alert_id IS NOT NULL);
CREATE INDEX incidents_of_news ON public.incidents USING btree ((
CASE
    WHEN (alerted_at IS NOT NULL) THEN NULL::timestamp with time zone
    WHEN (resolved_at IS NULL) THEN 'infinity'::timestamp with time zone
    ELSE opened_at
END)) WHERE (
CASE
    WHEN (alerted_at IS NOT NULL) THEN NULL::timestamp with time zone
    WHEN (resolved_at IS NULL) THEN 'infinity'::timestamp with time zone
    ELSE opened_at
END IS NOT NULL);
CREATE UNIQUE INDEX incidents_open ON public.incidents USING btree (kind, subject) WHERE (resolved_at IS NULL);
CREATE INDEX incidents_over ON public.incidents USING btree (resolved_at) WHERE (resolved_at IS NOT NULL);
CREATE UNIQUE INDEX incidents_public_id ON public.incidents USING btree (public_id);
CREATE INDEX incidents_to_alert ON public.incidents USING btree (id) WHERE (alerted_at IS NULL);
CREATE INDEX incidents_to_log ON public.incidents USING btree (id) WHERE (logged_at IS NULL);

create table job_ticks (
  job text not null,
  slot timestamp with time zone not null,
  worker text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  failure text,
  next_at timestamp with time zone,
  constraint job_ticks_pkey PRIMARY KEY (job)
);

create table journals (
  id text not null,
  kind text not null,
  ref text not null,
  merchant_id text,
  payment_id text,
  reverses text,
  created_at timestamp with time zone not null,
  withdrawal_id text,
  refund_id text,
  constraint journals_id_check CHECK ((id ~~ 'je\_%'::text)),
  constraint journals_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(id),
  constraint journals_reverses_fkey FOREIGN KEY (reverses) REFERENCES journals(id),
  constraint journals_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id),
  constraint journals_pkey PRIMARY KEY (id),
  constraint journal_once UNIQUE (kind, ref),
  constraint journals_reverses_key UNIQUE (reverses)
);
CREATE INDEX journals_by_merchant ON public.journals USING btree (merchant_id, created_at, id);
CREATE INDEX journals_by_payment ON public.journals USING btree (payment_id);
CREATE INDEX journals_by_refund ON public.journals USING btree (refund_id) WHERE (refund_id IS NOT NULL);
CREATE INDEX journals_by_withdrawal ON public.journals USING btree (withdrawal_id) WHERE (withdrawal_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER booking_has_its_refund AFTER INSERT ON public.journals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.refund_id IS NOT NULL)) EXECUTE FUNCTION check_refund_booked();
CREATE CONSTRAINT TRIGGER booking_has_its_withdrawal AFTER INSERT ON public.journals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.withdrawal_id IS NOT NULL)) EXECUTE FUNCTION check_withdrawal_booked();
CREATE CONSTRAINT TRIGGER check_journal_has_entries AFTER INSERT ON public.journals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_journal_has_entries();
CREATE TRIGGER journals_append_only BEFORE DELETE OR UPDATE ON public.journals FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journals_no_truncate BEFORE TRUNCATE ON public.journals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER tally_added AFTER INSERT ON public.journals REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_journals();

create table ledger_accounts (
  id text not null,
  owner_id text,
  kind text not null,
  currency text default 'USD'::text not null,
  track boolean default true not null,
  allow_negative boolean default false not null,
  balance bigint default 0 not null,
  constraint debt_is_never_positive CHECK (((kind <> 'debt'::text) OR (balance <= 0))),
  constraint ledger_accounts_kind_check CHECK ((kind = ANY (ARRAY['pending'::text, 'available'::text, 'hold'::text, 'suspense'::text, 'debt'::text, 'external'::text, 'fees'::text, 'rounding'::text, 'loss'::text]))),
  constraint no_overdraft CHECK ((allow_negative OR (balance >= 0))),
  constraint only_platform_is_untracked CHECK ((track OR (owner_id IS NULL))),
  constraint ledger_accounts_pkey PRIMARY KEY (id)
);
CREATE INDEX ledger_accounts_by_owner ON public.ledger_accounts USING btree (owner_id);
CREATE TRIGGER ledger_accounts_keep_id BEFORE UPDATE OF id ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_accounts_no_truncate BEFORE TRUNCATE ON public.ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_accounts_stay BEFORE DELETE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table ledger_months (
  merchant_id text not null,
  month date not null,
  kind text not null,
  account text not null,
  amount bigint not null,
  journals bigint not null,
  constraint ledger_months_account_check CHECK ((account = ANY (ARRAY['pending'::text, 'available'::text, 'hold'::text, 'suspense'::text, 'debt'::text, 'fees'::text]))),
  constraint ledger_months_journals_check CHECK ((journals >= 0)),
  constraint ledger_months_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint ledger_months_pkey PRIMARY KEY (merchant_id, month, kind, account)
);

create unlogged table limit_buckets (
  name text not null,
  key text not null,
  tokens double precision not null,
  refilled_at timestamp with time zone not null,
  constraint limit_buckets_pkey PRIMARY KEY (name, key)
);
CREATE INDEX limit_buckets_by_time ON public.limit_buckets USING btree (refilled_at);

create unlogged table limit_counters (
  name text not null,
  key text not null,
  window_start timestamp with time zone not null,
  count integer not null,
  constraint limit_counters_count_check CHECK ((count > 0)),
  constraint limit_counters_pkey PRIMARY KEY (name, key, window_start)
);
CREATE INDEX limit_counters_by_window ON public.limit_counters USING btree (window_start);

create table login_devices (
  principal_type text not null,
  principal_id text not null,
  device text not null,
  last_used_at timestamp with time zone not null,
  constraint login_devices_device_check CHECK ((device ~ '^(address:.+|token:[0-9a-f]{64})$'::text)),
  constraint login_devices_principal_type_check CHECK ((principal_type = ANY (ARRAY['merchant'::text, 'admin'::text]))),
  constraint login_devices_pkey PRIMARY KEY (principal_type, principal_id, device)
);
CREATE INDEX login_devices_by_age ON public.login_devices USING btree (last_used_at);

create table login_throttle (
  key text not null,
  failures integer not null,
  window_start timestamp with time zone not null,
  blocked_until timestamp with time zone,
  pending integer default 0 not null,
  pending_until timestamp with time zone,
  constraint login_throttle_failures_check CHECK ((failures >= 0)),
  constraint login_throttle_pkey PRIMARY KEY (key)
);
CREATE INDEX login_throttle_idle ON public.login_throttle USING btree (window_start);

create table lost_payouts (
  withdrawal_id text,
  revert integer not null,
  network text not null,
  tx_hash text not null,
  block bigint not null,
  block_hash text not null,
  lost_at timestamp with time zone not null,
  looked_at timestamp with time zone not null,
  absent_at timestamp with time zone not null,
  sighting text,
  found_at timestamp with time zone,
  refund_id text,
  payout_id text default COALESCE(withdrawal_id, refund_id) not null,
  transfers integer[],
  contract text,
  decimals integer,
  held_by text[],
  short_at timestamp with time zone,
  constraint lost_payouts_check CHECK (((found_at IS NULL) OR (sighting IS NOT NULL))),
  constraint lost_payouts_one CHECK ((num_nonnulls(withdrawal_id, refund_id) = 1)),
  constraint lost_payouts_paid_in CHECK (((contract IS NULL) = (decimals IS NULL))),
  constraint lost_payouts_revert_check CHECK ((revert > 0)),
  constraint lost_payouts_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(id),
  constraint lost_payouts_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id),
  constraint lost_payouts_pkey PRIMARY KEY (payout_id, revert)
);
CREATE INDEX lost_payouts_of_network ON public.lost_payouts USING btree (network, lost_at) WHERE (found_at IS NULL);

create table mail_server (
  one boolean default true not null,
  failing_since timestamp with time zone,
  failures integer default 0 not null,
  next_try_at timestamp with time zone,
  failure text,
  constraint mail_server_failures_check CHECK ((failures >= 0)),
  constraint mail_server_one_check CHECK (one),
  constraint mail_server_tried_again CHECK (((failing_since IS NULL) = (next_try_at IS NULL))),
  constraint mail_server_pkey PRIMARY KEY (one)
);

create table mails (
  id text not null,
  effect text not null,
  kind text not null,
  merchant_id text,
  payment_id text,
  refund_id text,
  status text default 'queued'::text not null,
  recipient text,
  recipient_key text,
  subject text,
  text_body text,
  html_body text,
  reply_to text,
  language text,
  next_attempt_at timestamp with time zone,
  attempts integer default 0 not null,
  locked_by text,
  locked_until timestamp with time zone,
  failure text,
  created_at timestamp with time zone not null,
  written_at timestamp with time zone,
  finished_at timestamp with time zone,
  cleared_at timestamp with time zone,
  troubles integer default 0 not null,
  constraint mail_cleared_after_its_end CHECK (((cleared_at IS NULL) OR (finished_at IS NOT NULL))),
  constraint mail_cleared_is_empty CHECK (((cleared_at IS NULL) OR (num_nonnulls(recipient, recipient_key, subject, text_body, html_body, reply_to) = 0))),
  constraint mail_due_until_its_end CHECK (((status = ANY (ARRAY['queued'::text, 'pending'::text])) = (next_attempt_at IS NOT NULL))),
  constraint mail_lease_has_an_end CHECK (((locked_by IS NULL) = (locked_until IS NULL))),
  constraint mail_leased_while_pending CHECK (((locked_by IS NULL) OR (status = 'pending'::text))),
  constraint mail_of_a_payment CHECK (((kind = ANY (ARRAY['receipt'::text, 'refund'::text])) = (num_nulls(merchant_id, payment_id) = 0))),
  constraint mail_of_a_refund CHECK (((kind = 'refund'::text) = (refund_id IS NOT NULL))),
  constraint mail_over_at_a_time CHECK (((status = ANY (ARRAY['sent'::text, 'failed'::text, 'dropped'::text])) = (finished_at IS NOT NULL))),
  constraint mail_written_before_it_is_sent CHECK (((status <> ALL (ARRAY['pending'::text, 'sent'::text])) OR (cleared_at IS NOT NULL) OR (num_nulls(recipient, recipient_key, subject, text_body, html_body, language, written_at) = 0))),
  constraint mails_attempts_check CHECK ((attempts >= 0)),
  constraint mails_effect_check CHECK (((length(effect) >= 1) AND (length(effect) <= 120))),
  constraint mails_kind_check CHECK ((kind = ANY (ARRAY['receipt'::text, 'refund'::text, 'incidents'::text, 'digest'::text]))),
  constraint mails_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'pending'::text, 'sent'::text, 'failed'::text, 'dropped'::text]))),
  constraint mails_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint mails_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id) ON DELETE CASCADE,
  constraint mails_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(id),
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_effect_key UNIQUE (effect)
);
CREATE INDEX mails_due ON public.mails USING btree (next_attempt_at, id) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX mails_of_merchant ON public.mails USING btree (merchant_id, written_at) WHERE (written_at IS NOT NULL);
CREATE INDEX mails_of_payment ON public.mails USING btree (payment_id);
CREATE INDEX mails_over ON public.mails USING btree (status, finished_at) WHERE ((finished_at IS NOT NULL) AND (cleared_at IS NULL));
CREATE INDEX mails_to_clear ON public.mails USING btree (finished_at) WHERE ((finished_at IS NOT NULL) AND (cleared_at IS NULL));
CREATE INDEX mails_to_recipient ON public.mails USING btree (recipient_key, written_at) WHERE (recipient_key IS NOT NULL);
CREATE INDEX mails_to_send ON public.mails USING btree (merchant_id, troubles, next_attempt_at, id) WHERE (status = 'pending'::text);
CREATE INDEX mails_to_write ON public.mails USING btree (next_attempt_at, id) WHERE (status = 'queued'::text);
CREATE TRIGGER mail_moves BEFORE UPDATE ON public.mails FOR EACH ROW EXECUTE FUNCTION check_mail_move();

create table mandates (
  id text not null,
  subscription_id text not null,
  network text not null,
  collector text not null,
  payer text not null,
  token_contract text not null,
  ref text not null,
  max_units numeric(78,0) not null,
  window_seconds bigint not null,
  starts_at bigint not null,
  ends_at bigint not null,
  carry smallint not null,
  signature text,
  submitted_at timestamp with time zone,
  relayed_by text,
  authorized_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  relay_look_at timestamp with time zone,
  settled_number bigint,
  settled_in text,
  constraint mandate_settled CHECK (((settled_number IS NULL) = (settled_in IS NULL))) NOT VALID,
  constraint mandates_carry_check CHECK (((carry >= 0) AND (carry <= 255))),
  constraint mandates_check CHECK ((ends_at > starts_at)),
  constraint mandates_check1 CHECK (((signature IS NULL) = (submitted_at IS NULL))),
  constraint mandates_collector_check CHECK ((collector ~ '^0x[0-9a-f]{40}$'::text)),
  constraint mandates_id_check CHECK ((id ~ '^0x[0-9a-f]{64}$'::text)),
  constraint mandates_max_units_check CHECK ((max_units > (0)::numeric)),
  constraint mandates_payer_check CHECK ((payer ~ '^0x[0-9a-f]{40}$'::text)),
  constraint mandates_ref_check CHECK ((ref ~ '^0x[0-9a-f]{64}$'::text)),
  constraint mandates_starts_at_check CHECK ((starts_at > 0)),
  constraint mandates_token_contract_check CHECK ((token_contract ~ '^0x[0-9a-f]{40}$'::text)),
  constraint mandates_window_seconds_check CHECK ((window_seconds > 0)),
  constraint mandates_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(id),
  constraint mandates_pkey PRIMARY KEY (id)
);
CREATE INDEX mandates_agreed ON public.mandates USING btree (payer) WHERE (authorized_at IS NOT NULL);
CREATE INDEX mandates_by_collector ON public.mandates USING btree (network, collector);
CREATE INDEX mandates_by_subscription ON public.mandates USING btree (subscription_id, created_at DESC);
CREATE INDEX mandates_by_token ON public.mandates USING btree (network, token_contract);
CREATE INDEX mandates_relayed ON public.mandates USING btree (relayed_by) WHERE (relayed_by IS NOT NULL);
CREATE INDEX mandates_to_look_at ON public.mandates USING btree (network, COALESCE(relay_look_at, '-infinity'::timestamp with time zone), submitted_at) WHERE ((signature IS NOT NULL) AND (relayed_by IS NULL) AND (authorized_at IS NULL) AND (revoked_at IS NULL));
CREATE INDEX mandates_to_relay ON public.mandates USING btree (network, submitted_at) WHERE ((signature IS NOT NULL) AND (relayed_by IS NULL) AND (authorized_at IS NULL) AND (revoked_at IS NULL));

create table merchant_logos (
  merchant_id text not null,
  name text not null,
  png bytea not null,
  constraint merchant_logos_name_check CHECK ((name ~ '^[0-9a-f]{32}$'::text)),
  constraint merchant_logos_png_check CHECK (((length(png) >= 1) AND (length(png) <= 262144))),
  constraint merchant_logos_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id) ON DELETE CASCADE,
  constraint merchant_logos_pkey PRIMARY KEY (merchant_id)
);
CREATE INDEX merchant_logos_by_name ON public.merchant_logos USING btree (name);

create table merchants (
  id text not null,
  business_name text not null,
  email text not null,
  password_hash text not null,
  phone text not null,
  business_type text not null,
  status text not null,
  status_reason text,
  wallet_address text,
  payment_tolerance_bps integer,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  refund_offers text[] default '{}'::text[] not null,
  refund_offer_minimum_cents bigint default 100 not null,
  support_email text,
  support_url text,
  website text,
  brand_color text,
  logo_name text,
  send_receipts boolean default true not null,
  embed_origins text[] default '{}'::text[] not null,
  terms tsvector,
  rejected_at timestamp with time zone,
  constraint embed_origins_are_few CHECK ((cardinality(embed_origins) <= 10)),
  constraint embed_origins_are_origins CHECK (((array_position(embed_origins, NULL::text) IS NULL) AND (array_to_string(embed_origins, ' '::text) ~ '^(https?://[a-z0-9.-]+(:[0-9]{1,5})?( |$))*$'::text))),
  constraint merchants_brand_color_check CHECK ((brand_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint merchants_business_type_check CHECK ((business_type = ANY (ARRAY['individual'::text, 'company'::text, 'nonprofit'::text]))),
  constraint merchants_email_check CHECK ((email = lower(email))),
  constraint merchants_id_check CHECK ((id ~~ 'mer\_%'::text)),
  constraint merchants_payment_tolerance_bps_check CHECK (((payment_tolerance_bps >= 0) AND (payment_tolerance_bps <= 500))),
  constraint merchants_refund_offer_minimum_cents_check CHECK ((refund_offer_minimum_cents >= 0)),
  constraint merchants_refund_offers_check CHECK ((refund_offers <@ ARRAY['underpaid'::text, 'overpaid'::text, 'late'::text, 'wrong_token'::text])),
  constraint merchants_status_check CHECK ((status = ANY (ARRAY['pending_verification'::text, 'active'::text, 'rejected'::text, 'frozen'::text, 'terminated'::text]))),
  constraint merchants_support_email_check CHECK (((length(support_email) >= 3) AND (length(support_email) <= 254))),
  constraint merchants_support_url_check CHECK (((support_url ~ '^https://'::text) AND (length(support_url) <= 2048))),
  constraint merchants_website_check CHECK (((website ~ '^https://'::text) AND (length(website) <= 2048))),
  constraint rejections_are_dated CHECK (((status <> 'rejected'::text) OR (rejected_at IS NOT NULL))),
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_email_key UNIQUE (email)
);
CREATE INDEX merchants_by_status ON public.merchants USING btree (status, created_at DESC, id DESC);
CREATE INDEX merchants_by_terms ON public.merchants USING gin (merchant_terms(id, business_name, email, phone));
CREATE INDEX merchants_by_time ON public.merchants USING btree (created_at DESC, id DESC);
CREATE INDEX merchants_found ON public.merchants USING gin (terms);
CREATE TRIGGER keep_rejection BEFORE UPDATE OF status ON public.merchants FOR EACH ROW WHEN (((new.status = 'rejected'::text) AND (old.status IS DISTINCT FROM 'rejected'::text))) EXECUTE FUNCTION keep_rejection();
CREATE TRIGGER keep_terms BEFORE INSERT OR UPDATE OF id, business_name, email, phone ON public.merchants FOR EACH ROW EXECUTE FUNCTION keep_merchant_terms();
CREATE TRIGGER merchant_moves BEFORE UPDATE ON public.merchants FOR EACH ROW EXECUTE FUNCTION merchant_moves();
CREATE TRIGGER tally_added AFTER INSERT ON public.merchants REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_merchants();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.merchants REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_merchants();
CREATE TRIGGER tally_removed AFTER DELETE ON public.merchants REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_merchants();

create table month_deltas (
  merchant_id text not null,
  month date not null,
  kind text not null,
  account text not null,
  amount bigint not null,
  journals bigint not null
);
CREATE INDEX month_deltas_by_merchant ON public.month_deltas USING btree (merchant_id);

create table operator_accounts (
  network text not null,
  address text not null,
  next_nonce bigint not null,
  locked_by text,
  locked_until timestamp with time zone,
  constraint operator_accounts_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text)),
  constraint operator_accounts_next_nonce_check CHECK ((next_nonce >= 0)),
  constraint operator_accounts_pkey PRIMARY KEY (network, address)
);
CREATE TRIGGER operator_account_moves BEFORE UPDATE OF next_nonce ON public.operator_accounts FOR EACH ROW EXECUTE FUNCTION operator_account_moves();

create table operator_signatures (
  transaction_id text not null,
  attempt integer not null,
  hash text not null,
  raw bytea not null,
  max_fee numeric(78,0) not null,
  max_priority_fee numeric(78,0) not null,
  signed_at timestamp with time zone default clock_timestamp() not null,
  constraint operator_signatures_attempt_check CHECK ((attempt > 0)),
  constraint operator_signatures_check CHECK (((max_priority_fee >= (0)::numeric) AND (max_priority_fee <= max_fee))),
  constraint operator_signatures_hash_check CHECK ((hash ~ '^0x[0-9a-f]{64}$'::text)),
  constraint operator_signatures_max_fee_check CHECK ((max_fee > (0)::numeric)),
  constraint operator_signatures_raw_check CHECK ((length(raw) > 0)),
  constraint operator_signatures_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES operator_transactions(id),
  constraint operator_signatures_pkey PRIMARY KEY (transaction_id, attempt),
  constraint operator_hash_once UNIQUE (hash)
);
CREATE TRIGGER operator_signature_follows BEFORE INSERT ON public.operator_signatures FOR EACH ROW EXECUTE FUNCTION operator_signature_follows();
CREATE TRIGGER operator_signatures_append_only BEFORE DELETE OR UPDATE ON public.operator_signatures FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_signatures_no_truncate BEFORE TRUNCATE ON public.operator_signatures FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table operator_transactions (
  id text not null,
  network text not null,
  address text not null,
  nonce bigint not null,
  purpose text not null,
  subject text,
  to_address text not null,
  gas_limit bigint not null,
  status text default 'signed'::text not null,
  attempt integer default 1 not null,
  mined_attempt integer,
  block_number bigint,
  block_hash text,
  succeeded boolean,
  taken_block bigint,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  finished_at timestamp with time zone,
  fee_wei numeric(78,0),
  constraint operator_transactions_attempt_check CHECK ((attempt > 0)),
  constraint operator_transactions_block_hash_check CHECK ((block_hash ~ '^0x[0-9a-f]{64}$'::text)),
  constraint operator_transactions_block_number_check CHECK ((block_number >= 0)),
  constraint operator_transactions_check CHECK ((num_nonnulls(mined_attempt, block_number, block_hash, succeeded) = ANY (ARRAY[0, 4]))),
  constraint operator_transactions_check1 CHECK (((status = ANY (ARRAY['mined'::text, 'confirmed'::text])) = (block_hash IS NOT NULL))),
  constraint operator_transactions_check2 CHECK (((status = ANY (ARRAY['confirmed'::text, 'dropped'::text])) = (finished_at IS NOT NULL))),
  constraint operator_transactions_check3 CHECK (((status <> 'signed'::text) OR (sent_at IS NULL))),
  constraint operator_transactions_check4 CHECK (((taken_block IS NULL) OR (status = ANY (ARRAY['sent'::text, 'dropped'::text])))),
  constraint operator_transactions_check5 CHECK (((status <> 'dropped'::text) OR (taken_block IS NOT NULL))),
  constraint operator_transactions_fee_wei_check CHECK ((fee_wei >= (0)::numeric)),
  constraint operator_transactions_gas_limit_check CHECK (((gas_limit >= 21000) AND (gas_limit <= 16777216))),
  constraint operator_transactions_id_check CHECK ((id ~~ 'optx\_%'::text)),
  constraint operator_transactions_nonce_check CHECK ((nonce >= 0)),
  constraint operator_transactions_purpose_check CHECK ((purpose <> ''::text)),
  constraint operator_transactions_status_check CHECK ((status = ANY (ARRAY['signed'::text, 'sent'::text, 'mined'::text, 'confirmed'::text, 'dropped'::text]))),
  constraint operator_transactions_subject_check CHECK ((subject <> ''::text)),
  constraint operator_transactions_taken_block_check CHECK ((taken_block >= 0)),
  constraint operator_transactions_to_address_check CHECK ((to_address ~ '^0x[0-9a-f]{40}$'::text)),
  constraint operator_transactions_id_attempt_fkey FOREIGN KEY (id, attempt) REFERENCES operator_signatures(transaction_id, attempt) DEFERRABLE INITIALLY DEFERRED,
  constraint operator_transactions_id_mined_attempt_fkey FOREIGN KEY (id, mined_attempt) REFERENCES operator_signatures(transaction_id, attempt) DEFERRABLE INITIALLY DEFERRED,
  constraint operator_transactions_network_address_fkey FOREIGN KEY (network, address) REFERENCES operator_accounts(network, address),
  constraint operator_transactions_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX operator_nonce_once ON public.operator_transactions USING btree (network, address, nonce) WHERE (status <> 'dropped'::text);
CREATE INDEX operator_transactions_at_risk ON public.operator_transactions USING btree (purpose, created_at) WHERE ((status = ANY (ARRAY['signed'::text, 'sent'::text])) OR (NOT succeeded));
CREATE INDEX operator_transactions_by_age ON public.operator_transactions USING btree (created_at);
CREATE INDEX operator_transactions_by_purpose ON public.operator_transactions USING btree (network, purpose, created_at);
CREATE INDEX operator_transactions_confirmed ON public.operator_transactions USING btree (network, block_number) WHERE (status = 'confirmed'::text);
CREATE INDEX operator_transactions_open ON public.operator_transactions USING btree (network, address, nonce) WHERE (status = ANY (ARRAY['signed'::text, 'sent'::text]));
CREATE INDEX operator_transactions_shallow ON public.operator_transactions USING btree (network, block_number) WHERE (status = 'mined'::text);
CREATE TRIGGER operator_transaction_moves BEFORE UPDATE ON public.operator_transactions FOR EACH ROW EXECUTE FUNCTION operator_transaction_moves();
CREATE TRIGGER operator_transactions_no_truncate BEFORE TRUNCATE ON public.operator_transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_transactions_stay BEFORE DELETE ON public.operator_transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table payment_link_totals (
  payment_id text not null,
  link_id text not null,
  amount_minor bigint not null,
  paid_at timestamp with time zone not null,
  constraint payment_link_totals_link_id_fkey FOREIGN KEY (link_id) REFERENCES payment_links(id),
  constraint payment_link_totals_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  constraint payment_link_totals_pkey PRIMARY KEY (payment_id)
);
CREATE INDEX payment_link_totals_by_link ON public.payment_link_totals USING btree (link_id) INCLUDE (amount_minor);
CREATE TRIGGER tally_added AFTER INSERT ON public.payment_link_totals REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_payment_link_totals();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.payment_link_totals REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_payment_link_totals();
CREATE TRIGGER tally_removed AFTER DELETE ON public.payment_link_totals REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_payment_link_totals();

create table payment_links (
  id text not null,
  merchant_id text not null,
  title text not null,
  description text,
  amount_minor bigint not null,
  currency text not null,
  accepted_tokens text[] not null,
  slug text,
  disabled boolean default false not null,
  expires_at timestamp with time zone,
  expiry_announced_at timestamp with time zone,
  event_sequence integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  items jsonb,
  payer_min_minor bigint,
  payer_max_minor bigint,
  max_payments integer,
  custom_fields jsonb,
  thank_you text,
  thank_you_url text,
  constraint payment_link_custom_fields CHECK (((custom_fields IS NULL) OR ((jsonb_typeof(custom_fields) = 'array'::text) AND ((jsonb_array_length(custom_fields) >= 1) AND (jsonb_array_length(custom_fields) <= 5))))) NOT VALID,
  constraint payment_link_items CHECK (((items IS NULL) OR ((jsonb_typeof(items) = 'array'::text) AND ((jsonb_array_length(items) >= 1) AND (jsonb_array_length(items) <= 50))))) NOT VALID,
  constraint payment_link_max_payments CHECK (((max_payments >= 1) AND (max_payments <= 1000000))) NOT VALID,
  constraint payment_link_payer_amount CHECK ((((payer_min_minor IS NULL) AND (payer_max_minor IS NULL)) OR ((0 < payer_min_minor) AND (payer_min_minor <= amount_minor) AND (amount_minor <= payer_max_minor) AND (items IS NULL)))) NOT VALID,
  constraint payment_link_thank_you_url CHECK ((thank_you_url ~ '^https://'::text)) NOT VALID,
  constraint payment_links_accepted_tokens_check CHECK ((cardinality(accepted_tokens) > 0)),
  constraint payment_links_amount_minor_check CHECK ((amount_minor > 0)),
  constraint payment_links_check CHECK (((deleted_at IS NULL) = (slug IS NOT NULL))),
  constraint payment_links_currency_check CHECK ((currency = 'USD'::text)),
  constraint payment_links_id_check CHECK ((id ~~ 'plink\_%'::text)),
  constraint payment_links_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payment_links_pkey PRIMARY KEY (id)
);
CREATE INDEX payment_links_by_expiry ON public.payment_links USING btree (merchant_id, expires_at) WHERE ((deleted_at IS NULL) AND (NOT disabled) AND (expires_at IS NOT NULL));
CREATE INDEX payment_links_expiring ON public.payment_links USING btree (expires_at) WHERE ((deleted_at IS NULL) AND (expires_at IS NOT NULL) AND (expiry_announced_at IS NULL));
CREATE INDEX payment_links_listed ON public.payment_links USING btree (merchant_id, created_at DESC, id DESC) INCLUDE (disabled, expires_at) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX payment_links_slug ON public.payment_links USING btree (slug) WHERE (deleted_at IS NULL);
CREATE INDEX payment_links_unannounced ON public.payment_links USING btree (merchant_id, expires_at) INCLUDE (created_at) WHERE ((deleted_at IS NULL) AND (NOT disabled) AND (expires_at IS NOT NULL) AND (expiry_announced_at IS NULL));
CREATE TRIGGER tally_added AFTER INSERT ON public.payment_links REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_payment_links();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.payment_links REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_payment_links();
CREATE TRIGGER tally_removed AFTER DELETE ON public.payment_links REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_payment_links();

create table payment_quotes (
  payment_id text not null,
  symbol text not null,
  number integer not null,
  pair text not null,
  units numeric(78,0) not null,
  value_e8 numeric(78,0) not null,
  spread_bps integer not null,
  source text not null,
  quoted_at timestamp with time zone not null,
  starts_at timestamp with time zone not null,
  constraint payment_quotes_number_check CHECK ((number > 0)),
  constraint payment_quotes_spread_bps_check CHECK (((spread_bps >= 0) AND (spread_bps < 10000))),
  constraint payment_quotes_units_check CHECK ((units > (0)::numeric)),
  constraint payment_quotes_value_e8_check CHECK ((value_e8 > (0)::numeric)),
  constraint payment_quotes_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id) ON DELETE CASCADE,
  constraint payment_quotes_pkey PRIMARY KEY (payment_id, symbol, number)
);

create table payment_texts (
  merchant_id text not null,
  created_at timestamp with time zone not null,
  payment_id text not null,
  text text not null,
  rest text,
  constraint payment_texts_pkey PRIMARY KEY (merchant_id, created_at, payment_id) INCLUDE (text)
);
CREATE INDEX payment_texts_long ON public.payment_texts USING btree (merchant_id, created_at, payment_id) WHERE (rest IS NOT NULL);

create table payments (
  id text not null,
  merchant_id text not null,
  status text not null,
  reason text,
  exception text,
  source text not null,
  link_id text,
  session_id text,
  link_snapshot jsonb,
  success_url text,
  cancel_url text,
  amount_minor bigint not null,
  currency text not null,
  amount_micro bigint not null,
  tolerance_micro bigint not null,
  fee_bps integer default 0 not null,
  late_window_ms bigint not null,
  rate jsonb not null,
  description text,
  customer_email text,
  metadata jsonb default '{}'::jsonb not null,
  options jsonb not null,
  chosen integer,
  factory_address text not null,
  tx_hash text,
  seen_e18 numeric(78,0) default 0 not null,
  confirmed_e18 numeric(78,0) default 0 not null,
  credit_count integer default 0 not null,
  booked_suspense bigint default 0 not null,
  booked_pending bigint default 0 not null,
  booked_available bigint default 0 not null,
  settled_micro bigint default 0 not null,
  settled_wrong_micro bigint default 0 not null,
  fee_micro bigint default 0 not null,
  moves integer default 0 not null,
  event_sequence integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  confirming_at timestamp with time zone,
  paid_at timestamp with time zone,
  subscription_id text,
  charge_id text,
  quoted_until timestamp with time zone,
  returned_micro bigint default 0 not null,
  returned_wrong_micro bigint default 0 not null,
  returned_settled_micro bigint default 0 not null,
  items jsonb,
  custom_fields jsonb,
  locale text,
  reversed_at timestamp with time zone,
  constraint payment_custom_fields CHECK (((custom_fields IS NULL) OR ((source = 'link'::text) AND (jsonb_typeof(custom_fields) = 'array'::text) AND ((jsonb_array_length(custom_fields) >= 1) AND (jsonb_array_length(custom_fields) <= 5))))) NOT VALID,
  constraint payment_items CHECK (((items IS NULL) OR ((jsonb_typeof(items) = 'array'::text) AND ((jsonb_array_length(items) >= 1) AND (jsonb_array_length(items) <= 50))))) NOT VALID,
  constraint payments_amount_micro_check CHECK ((amount_micro > 0)),
  constraint payments_amount_minor_check CHECK ((amount_minor > 0)),
  constraint payments_booked_available_check CHECK (((booked_available >= 0) OR ((returned_micro + returned_wrong_micro) > 0))),
  constraint payments_booked_pending_check CHECK ((booked_pending >= 0)),
  constraint payments_booked_suspense_check CHECK ((booked_suspense >= 0)),
  constraint payments_check CHECK (((tolerance_micro >= 0) AND (tolerance_micro < amount_micro))),
  constraint payments_check1 CHECK (((status = 'paid'::text) = (paid_at IS NOT NULL))),
  constraint payments_check2 CHECK (((status <> 'confirming'::text) OR (confirming_at IS NOT NULL))),
  constraint payments_check3 CHECK (((source = 'subscription'::text) = ((subscription_id IS NOT NULL) AND (charge_id IS NOT NULL)))),
  constraint payments_chosen_check CHECK ((chosen >= 0)),
  constraint payments_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'LKR'::text]))),
  constraint payments_exception_check CHECK ((exception = ANY (ARRAY['underpaid'::text, 'overpaid'::text, 'late'::text, 'wrong_token'::text]))),
  constraint payments_fee_bps_check CHECK (((fee_bps >= 0) AND (fee_bps <= 10000))),
  constraint payments_fee_micro_check CHECK ((fee_micro >= 0)),
  constraint payments_id_check CHECK ((id ~~ 'pay\_%'::text)),
  constraint payments_late_window_ms_check CHECK ((late_window_ms >= 0)),
  constraint payments_locale CHECK ((locale ~ '^[a-z]{2}$'::text)),
  constraint payments_options_check CHECK ((jsonb_array_length(options) > 0)),
  constraint payments_returned_micro_check CHECK ((returned_micro >= 0)),
  constraint payments_returned_settled_micro_check CHECK ((returned_settled_micro >= 0)),
  constraint payments_returned_wrong_micro_check CHECK ((returned_wrong_micro >= 0)),
  constraint payments_settled_micro_check CHECK ((settled_micro >= 0)),
  constraint payments_settled_wrong_micro_check CHECK ((settled_wrong_micro >= 0)),
  constraint payments_source_check CHECK ((source = ANY (ARRAY['direct'::text, 'link'::text, 'session'::text, 'subscription'::text]))),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['initiated'::text, 'pending'::text, 'confirming'::text, 'paid'::text, 'failed'::text, 'expired'::text]))),
  constraint payments_charge_id_fkey FOREIGN KEY (charge_id) REFERENCES charges(id),
  constraint payments_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payments_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(id),
  constraint payments_pkey PRIMARY KEY (id),
  constraint payments_charge_id_key UNIQUE (charge_id)
);
CREATE INDEX payments_by_customer ON public.payments USING btree (merchant_id, lower(customer_email)) WHERE (customer_email IS NOT NULL);
CREATE INDEX payments_by_link ON public.payments USING btree (link_id, created_at DESC, id DESC) WHERE (link_id IS NOT NULL);
CREATE INDEX payments_by_merchant_status ON public.payments USING btree (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX payments_by_metadata ON public.payments USING gin (metadata jsonb_path_ops) WHERE (metadata <> '{}'::jsonb);
CREATE INDEX payments_by_paid ON public.payments USING btree (merchant_id, paid_at DESC) WHERE (paid_at IS NOT NULL);
CREATE INDEX payments_coin_open ON public.payments USING btree (id) WHERE ((status = ANY (ARRAY['initiated'::text, 'pending'::text, 'confirming'::text])) AND (options @> '[{"token": "ETH"}]'::jsonb));
CREATE INDEX payments_coin_over ON public.payments USING btree ((((expires_at AT TIME ZONE 'UTC'::text) + ((late_window_ms)::double precision * '00:00:00.001'::interval)))) WHERE ((status = ANY (ARRAY['paid'::text, 'failed'::text, 'expired'::text])) AND (options @> '[{"token": "ETH"}]'::jsonb));
CREATE INDEX payments_collecting ON public.payments USING btree (id) WHERE ((status = 'confirming'::text) AND (source = 'subscription'::text));
CREATE INDEX payments_confirming ON public.payments USING btree (confirming_at) WHERE ((status = 'confirming'::text) AND (source <> 'subscription'::text));
CREATE INDEX payments_excepted ON public.payments USING btree (merchant_id, created_at DESC, id DESC) INCLUDE (exception) WHERE (exception IS NOT NULL);
CREATE INDEX payments_filtered ON public.payments USING btree (merchant_id, created_at DESC, id DESC) INCLUDE (amount_minor, currency, source, link_id, status, exception, booked_suspense);
CREATE INDEX payments_open ON public.payments USING btree (expires_at) WHERE (status = ANY (ARRAY['initiated'::text, 'pending'::text]));
CREATE INDEX payments_overdue ON public.payments USING btree (((jsonb_path_query_array(options, '$[*]."network"'::jsonpath) || jsonb_path_query_array(options, '$[*]."token"'::jsonpath))), expires_at) WHERE (status = ANY (ARRAY['initiated'::text, 'pending'::text]));
CREATE INDEX payments_prunable ON public.payments USING btree (id) WHERE ((source = 'link'::text) AND (status = 'expired'::text) AND (credit_count = 0));
CREATE INDEX payments_quoted ON public.payments USING btree (quoted_until) WHERE (status = ANY (ARRAY['initiated'::text, 'pending'::text]));
CREATE INDEX payments_waiting ON public.payments USING btree (merchant_id, created_at DESC, id DESC) WHERE ((booked_suspense > 0) AND (status = ANY (ARRAY['paid'::text, 'expired'::text, 'failed'::text])));
CREATE INDEX payments_with_a_place ON public.payments USING btree (link_id, status) WHERE ((link_id IS NOT NULL) AND (status = ANY (ARRAY['initiated'::text, 'pending'::text, 'confirming'::text, 'paid'::text])));
CREATE CONSTRAINT TRIGGER payment_adds_up AFTER UPDATE ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((((old.returned_micro + old.returned_wrong_micro) + new.returned_micro) + new.returned_wrong_micro) > 0)) EXECUTE FUNCTION check_payment_adds_up();
CREATE TRIGGER payment_asks BEFORE UPDATE ON public.payments FOR EACH ROW WHEN (((((new.merchant_id IS DISTINCT FROM old.merchant_id) OR (new.amount_minor IS DISTINCT FROM old.amount_minor)) OR (new.currency IS DISTINCT FROM old.currency)) OR (new.amount_micro IS DISTINCT FROM old.amount_micro))) EXECUTE FUNCTION refuse_rewrite('payment', 'what it asks');
CREATE TRIGGER payment_has_a_place BEFORE INSERT ON public.payments FOR EACH ROW WHEN (((new.link_id IS NOT NULL) AND (new.status = 'initiated'::text))) EXECUTE FUNCTION check_link_has_a_place();
CREATE TRIGGER payment_moves BEFORE UPDATE ON public.payments FOR EACH ROW WHEN (((new.status <> old.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['initiated>pending'::text, 'initiated>confirming'::text, 'initiated>paid'::text, 'initiated>expired'::text, 'pending>confirming'::text, 'pending>paid'::text, 'pending>expired'::text, 'confirming>paid'::text, 'confirming>pending'::text, 'confirming>failed'::text, 'expired>confirming'::text, 'expired>paid'::text])))) EXECUTE FUNCTION refuse_move('payment');
CREATE TRIGGER tally_added AFTER INSERT ON public.payments REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_payments();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.payments REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_payments();
CREATE TRIGGER tally_removed AFTER DELETE ON public.payments REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_payments();
CREATE TRIGGER text_changed AFTER UPDATE OF id, merchant_id, created_at, description, customer_email ON public.payments FOR EACH ROW EXECUTE FUNCTION note_payment_text();
CREATE TRIGGER text_forgotten AFTER DELETE ON public.payments FOR EACH ROW WHEN (((old.description IS NOT NULL) OR (old.customer_email IS NOT NULL))) EXECUTE FUNCTION note_payment_text();
CREATE TRIGGER text_noted AFTER INSERT ON public.payments FOR EACH ROW WHEN (((new.description IS NOT NULL) OR (new.customer_email IS NOT NULL))) EXECUTE FUNCTION note_payment_text();

create table payout_transfers (
  network text not null,
  tx_hash text not null,
  transfer_index integer not null,
  payout_id text not null,
  constraint payout_transfer_once PRIMARY KEY (network, tx_hash, transfer_index)
);
CREATE INDEX payout_transfers_by_payout ON public.payout_transfers USING btree (payout_id);

create table plans (
  id text not null,
  merchant_id text not null,
  name text not null,
  description text,
  amount_minor bigint not null,
  currency text not null,
  "interval" text not null,
  trial_days integer default 0 not null,
  token text not null,
  network text not null,
  active boolean default true not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint plans_amount_minor_check CHECK ((amount_minor > 0)),
  constraint plans_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'LKR'::text]))),
  constraint plans_id_check CHECK ((id ~~ 'plan\_%'::text)),
  constraint plans_interval_check CHECK (("interval" = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text, 'yearly'::text]))),
  constraint plans_token_check CHECK ((token = ANY (ARRAY['USDT'::text, 'USDC'::text]))),
  constraint plans_trial_days_check CHECK (((trial_days >= 0) AND (trial_days <= 730))),
  constraint plans_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint plans_pkey PRIMARY KEY (id)
);
CREATE INDEX plans_by_merchant ON public.plans USING btree (merchant_id, created_at DESC, id DESC);
CREATE TRIGGER tally_added AFTER INSERT ON public.plans REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_plans();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.plans REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_plans();
CREATE TRIGGER tally_removed AFTER DELETE ON public.plans REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_plans();

create table platform_settings (
  id integer default 1 not null,
  version integer default 1 not null,
  overrides jsonb default '{}'::jsonb not null,
  updated_at timestamp with time zone not null,
  constraint platform_settings_id_check CHECK ((id = 1)),
  constraint platform_settings_overrides_check CHECK ((jsonb_typeof(overrides) = 'object'::text)),
  constraint platform_settings_version_check CHECK ((version > 0)),
  constraint platform_settings_pkey PRIMARY KEY (id)
);

create table pruned_payments (
  payment_id text not null,
  merchant_id text not null,
  row_then jsonb not null,
  pruned_at timestamp with time zone not null,
  revived_at timestamp with time zone,
  constraint pruned_payments_pkey PRIMARY KEY (payment_id)
);
CREATE INDEX pruned_payments_by_merchant ON public.pruned_payments USING btree (merchant_id) WHERE (revived_at IS NULL);
CREATE TRIGGER pruned_payment_forgets BEFORE INSERT ON public.pruned_payments FOR EACH ROW EXECUTE FUNCTION forget_custom_fields();
CREATE TRIGGER pruned_payments_no_truncate BEFORE TRUNCATE ON public.pruned_payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER pruned_payments_stay BEFORE DELETE ON public.pruned_payments FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER tally_added AFTER INSERT ON public.pruned_payments REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_pruned_payments();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.pruned_payments REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_pruned_payments();
CREATE TRIGGER tally_removed AFTER DELETE ON public.pruned_payments REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_pruned_payments();

create table rates (
  base text not null,
  quote text not null,
  value_e8 bigint not null,
  source text not null,
  quoted_at timestamp with time zone not null,
  constraint rates_value_e8_check CHECK ((value_e8 > 0)),
  constraint rates_pkey PRIMARY KEY (base, quote)
);

create table reconcile_runs (
  scope text not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  alive_at timestamp with time zone,
  attempt smallint default 1 not null,
  constraint reconcile_runs_scope_check CHECK ((scope = ANY (ARRAY['ledger'::text, 'chains'::text]))),
  constraint reconcile_runs_pkey PRIMARY KEY (scope)
);

create table recovery_codes (
  holder_id text not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint recovery_codes_holder_id_fkey FOREIGN KEY (holder_id) REFERENCES second_factors(holder_id) ON DELETE CASCADE,
  constraint recovery_codes_pkey PRIMARY KEY (holder_id, code_hash)
);
CREATE TRIGGER recovery_code_works_once BEFORE UPDATE ON public.recovery_codes FOR EACH ROW EXECUTE FUNCTION recovery_code_works_once();

create table refresh_tokens (
  token_hash bytea not null,
  session_id text not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint refresh_tokens_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id),
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX refresh_tokens_by_session ON public.refresh_tokens USING btree (session_id);
CREATE UNIQUE INDEX refresh_tokens_live ON public.refresh_tokens USING btree (session_id) WHERE (used_at IS NULL);

create table refund_doubts (
  payment_id text not null,
  since timestamp with time zone not null,
  constraint refund_doubts_pkey PRIMARY KEY (payment_id)
);
CREATE INDEX refund_doubts_since ON public.refund_doubts USING btree (since);

create table refunds (
  id text not null,
  merchant_id text not null,
  payment_id text not null,
  status text not null,
  amount_minor bigint not null,
  currency text not null,
  from_suspense bigint not null,
  from_available bigint not null,
  counted boolean not null,
  token text not null,
  network text not null,
  decimals integer not null,
  units numeric(78,0) not null,
  reason text not null,
  claim_hash bytea,
  destination_address text,
  destination_by text,
  destination_proven boolean default false not null,
  destined_at timestamp with time zone,
  destined_chain_time timestamp with time zone,
  processed_by text,
  processing_at timestamp with time zone,
  finished_by text,
  finished_at timestamp with time zone,
  failure text,
  notes text,
  tx_hash text,
  tx_verified boolean,
  tx_block bigint,
  tx_block_hash text,
  final_at timestamp with time zone,
  reverts integer default 0 not null,
  event_sequence integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  tx_transfers integer[],
  offered boolean default false not null,
  fail_requested_by text,
  fail_requested_at timestamp with time zone,
  limited_at timestamp with time zone,
  tx_contract text,
  tx_decimals integer,
  begun_contract text,
  begun_decimals integer,
  constraint refunds_amount_minor_check CHECK ((amount_minor > 0)),
  constraint refunds_begun_in CHECK (((begun_contract IS NULL) = (begun_decimals IS NULL))),
  constraint refunds_check CHECK (((from_suspense + from_available) > 0)),
  constraint refunds_check1 CHECK (((status = 'completed'::text) = (tx_hash IS NOT NULL))),
  constraint refunds_check2 CHECK (((tx_hash IS NULL) = (tx_verified IS NULL))),
  constraint refunds_check3 CHECK (((status = ANY (ARRAY['completed'::text, 'cancelled'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  constraint refunds_check4 CHECK (((destination_address IS NULL) = (destination_by IS NULL))),
  constraint refunds_check5 CHECK (((destination_address IS NULL) = (destined_at IS NULL))),
  constraint refunds_check6 CHECK (((destination_by = 'payer'::text) OR (NOT destination_proven))),
  constraint refunds_check7 CHECK (((status <> ALL (ARRAY['pending'::text, 'processing'::text, 'completed'::text])) OR (destination_address IS NOT NULL))),
  constraint refunds_check8 CHECK (((status <> 'awaiting_claim'::text) OR (claim_hash IS NOT NULL))),
  constraint refunds_check9 CHECK (((tx_transfers IS NULL) OR (tx_hash IS NOT NULL))),
  constraint refunds_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'LKR'::text]))),
  constraint refunds_destination_by_check CHECK ((destination_by = ANY (ARRAY['merchant'::text, 'payer'::text]))),
  constraint refunds_fail_request CHECK (((fail_requested_by IS NULL) = (fail_requested_at IS NULL))),
  constraint refunds_final_is_placed CHECK (((final_at IS NULL) OR (tx_block IS NOT NULL))) NOT VALID,
  constraint refunds_from_available_check CHECK ((from_available >= 0)),
  constraint refunds_from_suspense_check CHECK ((from_suspense >= 0)),
  constraint refunds_id_check CHECK ((id ~~ 'rfd\_%'::text)),
  constraint refunds_paid_in CHECK ((((tx_contract IS NULL) = (tx_decimals IS NULL)) AND ((tx_contract IS NULL) OR (tx_hash IS NOT NULL)))),
  constraint refunds_place CHECK (((tx_block IS NULL) = (tx_block_hash IS NULL))) NOT VALID,
  constraint refunds_reverts_check CHECK ((reverts >= 0)),
  constraint refunds_shown_is_placed CHECK ((COALESCE(tx_verified, false) = (tx_block IS NOT NULL))) NOT VALID,
  constraint refunds_status_check CHECK ((status = ANY (ARRAY['awaiting_claim'::text, 'pending'::text, 'processing'::text, 'completed'::text, 'cancelled'::text, 'failed'::text]))),
  constraint refunds_units_check CHECK ((units > (0)::numeric)),
  constraint refunds_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint refunds_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  constraint refunds_pkey PRIMARY KEY (id),
  constraint refunds_claim_hash_key UNIQUE (claim_hash)
);
CREATE INDEX refunds_by_merchant ON public.refunds USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX refunds_by_merchant_status ON public.refunds USING btree (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX refunds_by_payment ON public.refunds USING btree (payment_id, id);
CREATE INDEX refunds_limited_sum ON public.refunds USING btree (merchant_id, limited_at) INCLUDE (from_suspense, from_available) WHERE ((limited_at IS NOT NULL) AND (status <> ALL (ARRAY['cancelled'::text, 'failed'::text])));
CREATE INDEX refunds_not_final ON public.refunds USING btree (network, tx_block) WHERE ((status = 'completed'::text) AND (final_at IS NULL));
CREATE UNIQUE INDEX refunds_offered_once ON public.refunds USING btree (payment_id) WHERE (offered AND (status = 'awaiting_claim'::text));
CREATE INDEX refunds_open ON public.refunds USING btree (created_at) WHERE (status = ANY (ARRAY['awaiting_claim'::text, 'pending'::text, 'processing'::text]));
CREATE INDEX refunds_to_pay ON public.refunds USING btree (created_at) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text]));
CREATE TRIGGER refund_asks BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN (((((((((((((new.merchant_id IS DISTINCT FROM old.merchant_id) OR (new.payment_id IS DISTINCT FROM old.payment_id)) OR (new.amount_minor IS DISTINCT FROM old.amount_minor)) OR (new.currency IS DISTINCT FROM old.currency)) OR (new.from_suspense IS DISTINCT FROM old.from_suspense)) OR (new.from_available IS DISTINCT FROM old.from_available)) OR (new.counted IS DISTINCT FROM old.counted)) OR (new.token IS DISTINCT FROM old.token)) OR (new.network IS DISTINCT FROM old.network)) OR (new.decimals IS DISTINCT FROM old.decimals)) OR (new.units IS DISTINCT FROM old.units)) OR (new.created_at IS DISTINCT FROM old.created_at))) EXECUTE FUNCTION refuse_rewrite('refund', 'what it gives back');
CREATE TRIGGER refund_counts_reverts BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN ((new.reverts <> (old.reverts + (((old.status = 'completed'::text) AND (new.status = 'processing'::text)))::integer))) EXECUTE FUNCTION refuse_rewrite('refund', 'how often it was taken back');
CREATE TRIGGER refund_goes_there BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN (((old.status <> ALL (ARRAY['awaiting_claim'::text, 'pending'::text])) AND (new.destination_address IS DISTINCT FROM old.destination_address))) EXECUTE FUNCTION refuse_rewrite('refund', 'where it goes');
CREATE CONSTRAINT TRIGGER refund_is_booked AFTER INSERT OR UPDATE OF status ON public.refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_refund_booked();
CREATE TRIGGER refund_may_revert BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN (((old.status = 'completed'::text) AND (new.status = 'processing'::text))) EXECUTE FUNCTION refund_may_revert();
CREATE TRIGGER refund_moves BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN (((new.status <> old.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['awaiting_claim>pending'::text, 'awaiting_claim>cancelled'::text, 'awaiting_claim>failed'::text, 'pending>processing'::text, 'pending>completed'::text, 'pending>cancelled'::text, 'pending>failed'::text, 'processing>completed'::text, 'processing>failed'::text, 'completed>processing'::text])))) EXECUTE FUNCTION refuse_move('refund');
CREATE TRIGGER refund_stays_begun_in BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN (((old.begun_contract IS NOT NULL) AND ((new.begun_contract IS DISTINCT FROM old.begun_contract) OR (new.begun_decimals IS DISTINCT FROM old.begun_decimals)))) EXECUTE FUNCTION refuse_rewrite('refund', 'what it was begun in');
CREATE TRIGGER refund_stays_paid_by BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN (((old.status = 'completed'::text) AND (new.status = 'completed'::text) AND (((new.tx_hash IS DISTINCT FROM old.tx_hash) OR (new.tx_transfers IS DISTINCT FROM old.tx_transfers)) OR (new.tx_verified IS DISTINCT FROM old.tx_verified)) AND (NOT ((new.tx_hash = old.tx_hash) AND (old.tx_transfers IS NULL) AND (COALESCE(cardinality(new.tx_transfers), 0) > 0))) AND (NOT ((new.tx_hash = old.tx_hash) AND new.tx_verified AND old.tx_verified AND is_placed_anew(new.id, old.tx_transfers, new.tx_transfers))))) EXECUTE FUNCTION refuse_rewrite('refund', 'what paid it');
CREATE TRIGGER refund_stays_paid_in BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN ((((new.tx_contract IS DISTINCT FROM old.tx_contract) OR (new.tx_decimals IS DISTINCT FROM old.tx_decimals)) AND (NOT (new.tx_hash IS DISTINCT FROM old.tx_hash)) AND (NOT ((old.tx_contract IS NULL) AND (old.tx_transfers IS NULL) AND (COALESCE(cardinality(new.tx_transfers), 0) > 0))))) EXECUTE FUNCTION refuse_rewrite('refund', 'what it was paid in');
CREATE TRIGGER refund_stays_proven BEFORE UPDATE ON public.refunds FOR EACH ROW WHEN ((old.destination_proven AND (NOT new.destination_proven))) EXECUTE FUNCTION refuse_rewrite('refund', 'where it goes, without the wallet that paid');
CREATE TRIGGER refund_takes_transfer AFTER UPDATE ON public.refunds FOR EACH ROW WHEN (((new.tx_hash IS DISTINCT FROM old.tx_hash) OR (new.tx_transfers IS DISTINCT FROM old.tx_transfers))) EXECUTE FUNCTION take_payout_transfer();
CREATE TRIGGER refunds_no_truncate BEFORE TRUNCATE ON public.refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refunds_stay BEFORE DELETE ON public.refunds FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER tally_added AFTER INSERT ON public.refunds REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_refunds();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.refunds REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_refunds();
CREATE TRIGGER tally_removed AFTER DELETE ON public.refunds REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_refunds();

create table relays (
  payment_id text not null,
  merchant_id text not null,
  network text not null,
  contract text not null,
  payer text not null,
  recipient text not null,
  units numeric(78,0) not null,
  valid_after bigint not null,
  valid_before bigint not null,
  nonce text not null,
  signature text not null,
  status text not null,
  reason text,
  sent_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  method text default 'erc3009'::text not null,
  permit_signature text,
  permit_deadline bigint,
  next_try_at timestamp with time zone,
  gas bigint,
  constraint relay_permit_is_for_permit2 CHECK (((permit_signature IS NULL) OR (method = 'permit2'::text))),
  constraint relay_permit_is_whole CHECK (((permit_signature IS NULL) = (permit_deadline IS NULL))),
  constraint relay_refused_for_a_reason CHECK (((status = 'refused'::text) = (reason IS NOT NULL))),
  constraint relay_sent_by_a_transaction CHECK (((status = ANY (ARRAY['sent'::text, 'done'::text, 'reverted'::text])) = (sent_by IS NOT NULL))),
  constraint relays_contract_check CHECK ((contract ~ '^0x[0-9a-f]{40}$'::text)),
  constraint relays_gas_check CHECK ((gas > 0)),
  constraint relays_method_check CHECK ((method = ANY (ARRAY['erc3009'::text, 'permit2'::text]))),
  constraint relays_nonce_check CHECK ((nonce ~ '^0x[0-9a-f]{64}$'::text)),
  constraint relays_payer_check CHECK ((payer ~ '^0x[0-9a-f]{40}$'::text)),
  constraint relays_permit_signature_check CHECK ((permit_signature ~ '^0x[0-9a-f]{130}$'::text)),
  constraint relays_reason_check CHECK ((reason = ANY (ARRAY['balance'::text, 'spent'::text, 'changed'::text, 'too_late'::text, 'token'::text, 'allowance'::text, 'wallet'::text]))),
  constraint relays_recipient_check CHECK ((recipient ~ '^0x[0-9a-f]{40}$'::text)),
  constraint relays_signature_check CHECK ((signature ~ '^0x[0-9a-f]{130}$'::text)),
  constraint relays_status_check CHECK ((status = ANY (ARRAY['signed'::text, 'sent'::text, 'done'::text, 'reverted'::text, 'refused'::text]))),
  constraint relays_units_check CHECK ((units > (0)::numeric)),
  constraint relays_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint relays_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id) ON DELETE CASCADE,
  constraint relays_pkey PRIMARY KEY (payment_id),
  constraint relays_sent_by_key UNIQUE (sent_by)
);
CREATE INDEX relays_of_merchant ON public.relays USING btree (merchant_id, created_at);
CREATE INDEX relays_of_payer ON public.relays USING btree (payer, created_at);
CREATE INDEX relays_waiting ON public.relays USING btree (network, created_at) WHERE (status = 'signed'::text);
CREATE TRIGGER relay_keeps_signed BEFORE UPDATE ON public.relays FOR EACH ROW EXECUTE FUNCTION check_relay_signed();
CREATE TRIGGER relay_moves BEFORE UPDATE ON public.relays FOR EACH ROW EXECUTE FUNCTION check_relay_move();
CREATE TRIGGER relay_pays_its_payment BEFORE INSERT OR UPDATE OF recipient, payment_id ON public.relays FOR EACH ROW EXECUTE FUNCTION check_relay_recipient();

create table rescans (
  id bigint generated always as identity not null,
  network text not null,
  from_height bigint not null,
  to_height bigint not null,
  watched text not null,
  next_height bigint not null,
  transfers bigint default 0 not null,
  credited bigint default 0 not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  unread jsonb default '[]'::jsonb not null,
  constraint rescans_check CHECK ((to_height >= from_height)),
  constraint rescans_check1 CHECK (((finished_at IS NULL) = (next_height <= to_height))),
  constraint rescans_credited_check CHECK ((credited >= 0)),
  constraint rescans_from_height_check CHECK ((from_height >= 0)),
  constraint rescans_transfers_check CHECK ((transfers >= 0)),
  constraint rescans_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX rescans_open ON public.rescans USING btree (network, from_height, to_height, watched) WHERE (finished_at IS NULL);

create table restores (
  id bigint generated always as identity not null,
  file_id text not null,
  taken_at timestamp with time zone not null,
  restored_at timestamp with time zone default clock_timestamp() not null,
  runs_since text not null,
  released_at timestamp with time zone,
  constraint restores_pkey PRIMARY KEY (id)
);

create table roles (
  id text not null,
  name text not null,
  description text not null,
  permissions text[] not null,
  is_super boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint roles_check CHECK (((NOT is_super) OR (permissions = '{}'::text[]))),
  constraint roles_id_check CHECK ((id ~~ 'role\_%'::text)),
  constraint roles_name_check CHECK ((name ~ '^[a-z][a-z0-9]*(_[a-z0-9]+)*$'::text)),
  constraint roles_permissions_check CHECK ((array_position(permissions, NULL::text) IS NULL)),
  constraint roles_pkey PRIMARY KEY (id),
  constraint roles_name_key UNIQUE (name)
);
CREATE UNIQUE INDEX roles_super ON public.roles USING btree (is_super) WHERE is_super;
CREATE TRIGGER super_role_stays BEFORE DELETE OR UPDATE ON public.roles FOR EACH ROW EXECUTE FUNCTION super_role_stays();

create table sandbox_clock (
  id integer default 1 not null,
  offset_ms bigint default 0 not null,
  constraint sandbox_clock_id_check CHECK ((id = 1)),
  constraint sandbox_clock_offset_ms_check CHECK ((offset_ms >= 0)),
  constraint sandbox_clock_pkey PRIMARY KEY (id)
);

create table sandbox_wallets (
  address text not null,
  private_key text not null,
  created_at timestamp with time zone not null,
  constraint sandbox_wallets_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text)),
  constraint sandbox_wallets_private_key_check CHECK ((private_key ~ '^0x[0-9a-f]{64}$'::text)),
  constraint sandbox_wallets_pkey PRIMARY KEY (address)
);

create table schema_compatibility (
  one boolean default true not null,
  runs_since text not null,
  set_at timestamp with time zone default clock_timestamp() not null,
  constraint schema_compatibility_one_check CHECK (one),
  constraint schema_compatibility_pkey PRIMARY KEY (one)
);

create table sealing_keys (
  worker text not null,
  key text not null,
  seen_at timestamp with time zone default clock_timestamp() not null,
  constraint sealing_keys_pkey PRIMARY KEY (worker, key)
);

create table second_factors (
  holder_id text not null,
  sealed_secret bytea not null,
  pending_until timestamp with time zone,
  enabled_at timestamp with time zone,
  last_step bigint,
  constraint second_factors_check CHECK (((pending_until IS NULL) = (enabled_at IS NOT NULL))),
  constraint second_factors_check1 CHECK (((enabled_at IS NULL) = (last_step IS NULL))),
  constraint second_factors_holder_id_check CHECK ((holder_id ~ '^(mer|adm)_'::text)),
  constraint second_factors_pkey PRIMARY KEY (holder_id)
);
CREATE TRIGGER second_factor_goes_forward BEFORE UPDATE ON public.second_factors FOR EACH ROW EXECUTE FUNCTION second_factor_goes_forward();

create table sessions (
  id text not null,
  principal_type text not null,
  principal_id text not null,
  ip_address text not null,
  user_agent text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  idle_expires_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_reason text,
  constraint sessions_check CHECK (((ended_at IS NULL) = (ended_reason IS NULL))),
  constraint sessions_ended_reason_check CHECK ((ended_reason = ANY (ARRAY['logout'::text, 'revoked'::text, 'reuse'::text, 'password_changed'::text, 'two_factor_changed'::text, 'terminated'::text, 'deactivated'::text]))),
  constraint sessions_id_check CHECK ((id ~~ 'ses\_%'::text)),
  constraint sessions_principal_type_check CHECK ((principal_type = ANY (ARRAY['merchant'::text, 'admin'::text]))),
  constraint sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX sessions_by_principal ON public.sessions USING btree (principal_id, created_at DESC, id DESC);

create table subscription_signals (
  subscription_id text not null,
  kind text not null,
  ref text default ''::text not null,
  created_at timestamp with time zone not null,
  constraint subscription_signals_kind_check CHECK ((kind = ANY (ARRAY['funds'::text, 'charge_moved'::text]))),
  constraint subscription_signals_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(id),
  constraint subscription_signals_pkey PRIMARY KEY (subscription_id, kind, ref)
);
CREATE INDEX subscription_signals_by_time ON public.subscription_signals USING btree (created_at);

create table subscriptions (
  id text not null,
  merchant_id text not null,
  plan_id text not null,
  customer_email text not null,
  customer_name text not null,
  wallet text not null,
  amount_minor bigint not null,
  currency text not null,
  "interval" text not null,
  token text not null,
  network text not null,
  status text not null,
  mandate_status text not null,
  mandate_id text,
  anchor_at timestamp with time zone not null,
  trial_end timestamp with time zone,
  trial_reminder_sent boolean not null,
  authorize_by timestamp with time zone,
  period_number integer not null,
  current_period_start timestamp with time zone not null,
  current_period_end timestamp with time zone not null,
  next_number integer not null,
  ever_charged boolean not null,
  charge text not null,
  first_failed_at timestamp with time zone,
  failures integer not null,
  last_failure text,
  paused_since timestamp with time zone,
  cancel_requested_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  cancel_reason text,
  next_action_at timestamp with time zone,
  event_sequence integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  recharge integer,
  subscribed_by text default 'merchant'::text not null,
  locale text,
  held_since timestamp with time zone,
  retries_anew_at timestamp with time zone,
  constraint subscription_by CHECK ((subscribed_by = ANY (ARRAY['merchant'::text, 'customer'::text]))) NOT VALID,
  constraint subscription_cancel_reason CHECK ((cancel_reason = ANY (ARRAY['requested'::text, 'customer_requested'::text, 'not_authorized'::text, 'payment_failed'::text, 'merchant_terminated'::text]))) NOT VALID,
  constraint subscription_recharge CHECK (((recharge > 0) AND (recharge < next_number))),
  constraint subscriptions_amount_minor_check CHECK ((amount_minor > 0)),
  constraint subscriptions_charge_check CHECK ((charge = ANY (ARRAY['none'::text, 'due'::text, 'in_flight'::text]))),
  constraint subscriptions_check CHECK ((current_period_end >= current_period_start)),
  constraint subscriptions_check1 CHECK (((status = ANY (ARRAY['cancelled'::text, 'expired'::text])) = (cancelled_at IS NOT NULL))),
  constraint subscriptions_check2 CHECK (((status <> ALL (ARRAY['cancelled'::text, 'expired'::text])) OR ((cancel_reason IS NOT NULL) AND (charge = 'none'::text)))),
  constraint subscriptions_check3 CHECK (((status = 'expired'::text) = (next_action_at IS NULL))),
  constraint subscriptions_check4 CHECK (((status <> 'trialing'::text) OR (trial_end IS NOT NULL))),
  constraint subscriptions_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'LKR'::text]))),
  constraint subscriptions_failures_check CHECK ((failures >= 0)),
  constraint subscriptions_id_check CHECK ((id ~~ 'sub\_%'::text)),
  constraint subscriptions_interval_check CHECK (("interval" = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text, 'yearly'::text]))),
  constraint subscriptions_locale CHECK ((locale ~ '^[a-z]{2}$'::text)),
  constraint subscriptions_mandate_status_check CHECK ((mandate_status = ANY (ARRAY['pending'::text, 'active'::text, 'revoked'::text, 'expired'::text]))),
  constraint subscriptions_next_number_check CHECK ((next_number > 0)),
  constraint subscriptions_period_number_check CHECK ((period_number >= 0)),
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['active'::text, 'trialing'::text, 'past_due'::text, 'cancelled'::text, 'expired'::text]))),
  constraint subscriptions_token_check CHECK ((token = ANY (ARRAY['USDT'::text, 'USDC'::text]))),
  constraint subscriptions_wallet_check CHECK ((wallet ~ '^0x[0-9a-f]{40}$'::text)),
  constraint subscriptions_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint subscriptions_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id),
  constraint subscriptions_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX subscription_once ON public.subscriptions USING btree (plan_id, wallet) WHERE (status = ANY (ARRAY['active'::text, 'trialing'::text, 'past_due'::text]));
CREATE INDEX subscriptions_by_merchant ON public.subscriptions USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX subscriptions_by_merchant_status ON public.subscriptions USING btree (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX subscriptions_by_plan ON public.subscriptions USING btree (plan_id, created_at DESC, id DESC);
CREATE INDEX subscriptions_by_wallet ON public.subscriptions USING btree (wallet, created_at DESC, id DESC);
CREATE INDEX subscriptions_charged ON public.subscriptions USING btree (network, token) WHERE ((status = ANY (ARRAY['active'::text, 'trialing'::text, 'past_due'::text])) AND (paused_since IS NULL));
CREATE INDEX subscriptions_due ON public.subscriptions USING btree (next_action_at, id) WHERE (next_action_at IS NOT NULL);
CREATE INDEX subscriptions_leaving ON public.subscriptions USING btree (merchant_id, created_at DESC, id DESC) WHERE ((status = 'cancelled'::text) OR (cancel_requested_at IS NOT NULL));
CREATE INDEX subscriptions_of_wallet ON public.subscriptions USING btree (wallet, (((mandate_status = 'active'::text) AND (cancelled_at IS NULL))) DESC, created_at DESC, id DESC) INCLUDE (network, merchant_id, mandate_status, cancelled_at);
CREATE INDEX subscriptions_paused ON public.subscriptions USING btree (merchant_id) WHERE (paused_since IS NOT NULL);
CREATE INDEX subscriptions_short ON public.subscriptions USING btree (wallet, network) WHERE (status = 'past_due'::text);
CREATE INDEX subscriptions_to_agree ON public.subscriptions USING btree (network) WHERE ((mandate_status = 'pending'::text) AND (cancelled_at IS NULL));
CREATE TRIGGER subscription_agreed BEFORE UPDATE ON public.subscriptions FOR EACH ROW WHEN (((((((((((new.id IS DISTINCT FROM old.id) OR (new.merchant_id IS DISTINCT FROM old.merchant_id)) OR (new.plan_id IS DISTINCT FROM old.plan_id)) OR (new.wallet IS DISTINCT FROM old.wallet)) OR (new.amount_minor IS DISTINCT FROM old.amount_minor)) OR (new.currency IS DISTINCT FROM old.currency)) OR (new."interval" IS DISTINCT FROM old."interval")) OR (new.token IS DISTINCT FROM old.token)) OR (new.network IS DISTINCT FROM old.network)) OR (new.created_at IS DISTINCT FROM old.created_at))) EXECUTE FUNCTION refuse_rewrite('subscription', 'what was agreed');
CREATE TRIGGER subscription_goes_on BEFORE UPDATE ON public.subscriptions FOR EACH ROW WHEN (((new.next_number < old.next_number) OR (new.period_number < old.period_number))) EXECUTE FUNCTION refuse_rewrite('subscription', 'to an earlier period');
CREATE TRIGGER subscription_moves BEFORE UPDATE ON public.subscriptions FOR EACH ROW WHEN (((new.status <> old.status) AND (((old.status || '>'::text) || new.status) <> ALL (ARRAY['trialing>active'::text, 'trialing>past_due'::text, 'trialing>cancelled'::text, 'active>past_due'::text, 'active>cancelled'::text, 'past_due>active'::text, 'past_due>cancelled'::text, 'cancelled>expired'::text])))) EXECUTE FUNCTION refuse_move('subscription');
CREATE TRIGGER subscription_origin BEFORE UPDATE ON public.subscriptions FOR EACH ROW WHEN ((new.subscribed_by IS DISTINCT FROM old.subscribed_by)) EXECUTE FUNCTION refuse_rewrite('subscription', 'who made it');
CREATE TRIGGER tally_added AFTER INSERT ON public.subscriptions REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_subscriptions();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.subscriptions REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_subscriptions();
CREATE TRIGGER tally_removed AFTER DELETE ON public.subscriptions REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_subscriptions();

create table sweep_items (
  sweep_id text not null,
  network text not null,
  contract text not null,
  address text not null,
  payment_id text not null,
  units numeric(78,0) not null,
  outcome text,
  constraint sweep_items_outcome_check CHECK ((outcome = ANY (ARRAY['moved'::text, 'refused'::text, 'unsent'::text]))),
  constraint sweep_items_units_check CHECK ((units > (0)::numeric)),
  constraint sweep_items_sweep_id_fkey FOREIGN KEY (sweep_id) REFERENCES sweeps(id),
  constraint sweep_items_pkey PRIMARY KEY (sweep_id, address)
);
CREATE UNIQUE INDEX sweep_items_open ON public.sweep_items USING btree (network, contract, address) WHERE (outcome IS NULL);
CREATE INDEX sweep_items_refused ON public.sweep_items USING btree (network, contract, address) WHERE (outcome = 'refused'::text);

create table sweeps (
  id text not null,
  network text not null,
  contract text not null,
  factory text not null,
  status text default 'open'::text not null,
  height bigint not null,
  gas_estimate bigint not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint sweeps_check CHECK (((status = 'open'::text) = (finished_at IS NULL))),
  constraint sweeps_gas_estimate_check CHECK ((gas_estimate > 0)),
  constraint sweeps_height_check CHECK ((height >= 0)),
  constraint sweeps_id_check CHECK ((id ~~ 'optx\_%'::text)),
  constraint sweeps_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text, 'reverted'::text, 'dropped'::text]))),
  constraint sweeps_pkey PRIMARY KEY (id)
);
CREATE INDEX sweeps_open ON public.sweeps USING btree (created_at) WHERE (status = 'open'::text);

create table tallies (
  list text not null,
  owner text not null,
  grain smallint not null,
  start date not null,
  slice text[] not null,
  count bigint not null,
  amount bigint not null,
  constraint tallies_check CHECK ((((grain = 0) = (start = '-infinity'::date)) AND ((grain <> 1) OR (EXTRACT(day FROM start) = (1)::numeric)))),
  constraint tallies_grain_check CHECK ((grain = ANY (ARRAY[0, 1, 2]))),
  constraint tallies_pkey PRIMARY KEY (list, owner, grain, start, slice)
);

create table tally_checks (
  one boolean default true not null,
  began_at timestamp with time zone,
  list text default ''::text not null,
  owner text default ''::text not null,
  start date default '-infinity'::date not null,
  constraint tally_checks_one_check CHECK (one),
  constraint tally_checks_pkey PRIMARY KEY (one)
);

create table tally_deltas (
  list text not null,
  owner text not null,
  slice text[] not null,
  day date,
  count bigint not null,
  amount bigint not null
);
CREATE INDEX tally_deltas_by_owner ON public.tally_deltas USING btree (list, owner);

create table treasury_balances (
  network text not null,
  contract text not null,
  treasury text not null,
  height bigint not null,
  units numeric(78,0) not null,
  constraint treasury_balances_units_check CHECK ((units >= (0)::numeric)),
  constraint treasury_balances_network_fkey FOREIGN KEY (network) REFERENCES treasury_cursors(network),
  constraint treasury_balances_pkey PRIMARY KEY (network, contract, treasury)
);

create table treasury_cursors (
  network text not null,
  watched text not null,
  first_height bigint not null,
  height bigint not null,
  rotated_to text default ''::text not null,
  constraint treasury_cursors_check CHECK ((height >= (first_height - 1))),
  constraint treasury_cursors_first_height_check CHECK ((first_height >= 0)),
  constraint treasury_cursors_pkey PRIMARY KEY (network)
);

create table treasury_transfers (
  network text not null,
  block_number bigint not null,
  block_hash text not null,
  place integer not null,
  treasury text not null,
  outgoing boolean not null,
  contract text not null,
  party text not null,
  swept boolean not null,
  units numeric(78,0) not null,
  tx_hash text not null,
  constraint treasury_transfers_check CHECK ((NOT (swept AND outgoing))),
  constraint treasury_transfers_place_check CHECK ((place >= 0)),
  constraint treasury_transfers_units_check CHECK ((units >= (0)::numeric)),
  constraint treasury_transfers_network_fkey FOREIGN KEY (network) REFERENCES treasury_cursors(network),
  constraint treasury_transfers_pkey PRIMARY KEY (network, block_number, place, treasury, outgoing)
);
CREATE INDEX treasury_transfers_by_transaction ON public.treasury_transfers USING btree (network, tx_hash) WHERE (NOT outgoing);
CREATE INDEX treasury_transfers_swept ON public.treasury_transfers USING btree (network, party, block_number) WHERE swept;

create table unexplained_holdings (
  network text not null,
  contract text not null,
  address text not null,
  expected_units numeric(78,0) not null,
  held_units numeric(78,0) not null,
  height bigint not null,
  found_at timestamp with time zone not null,
  constraint unexplained_holdings_check CHECK ((expected_units <> held_units)),
  constraint unexplained_holdings_held_units_check CHECK ((held_units >= (0)::numeric)),
  constraint unexplained_holdings_pkey PRIMARY KEY (network, contract, address)
);

create table unsealed_audit_entries (
  id bigint generated always as identity not null,
  entry_id text not null,
  body bytea,
  constraint unsealed_audit_entries_pkey PRIMARY KEY (id)
);

create table unsealed_events (
  id bigint generated always as identity not null,
  event_id text not null,
  constraint unsealed_events_pkey PRIMARY KEY (id)
);

create table wallet_challenges (
  id text not null,
  purpose text not null,
  wallet text not null,
  subject text,
  network text,
  message text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint wallet_challenges_check CHECK (((purpose = 'sign_in'::text) = (subject IS NULL))),
  constraint wallet_challenges_check1 CHECK (((purpose = 'sign_in'::text) = (network IS NULL))),
  constraint wallet_challenges_check2 CHECK ((expires_at > created_at)),
  constraint wallet_challenges_id_check CHECK ((id ~~ 'wch\_%'::text)),
  constraint wallet_challenges_message_check CHECK ((length(message) <= 4000)),
  constraint wallet_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['subscribe'::text, 'sign_in'::text, 'cancel'::text]))),
  constraint wallet_challenges_wallet_check CHECK ((wallet ~ '^0x[0-9a-f]{40}$'::text)),
  constraint wallet_challenges_pkey PRIMARY KEY (id)
);
CREATE INDEX wallet_challenges_by_end ON public.wallet_challenges USING btree (expires_at);

create table webhook_attempts (
  delivery_id text not null,
  attempt integer not null,
  url text not null,
  status_code integer,
  response_time_ms integer not null,
  failure text,
  response_excerpt text,
  started_at timestamp with time zone not null,
  constraint webhook_attempts_attempt_check CHECK ((attempt > 0)),
  constraint webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id),
  constraint webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt)
);

create table webhook_certifications (
  id text not null,
  merchant_id text not null,
  url text not null,
  status text default 'running'::text not null,
  verdict text,
  checks jsonb not null,
  plays integer default 0 not null,
  locked_by text,
  locked_until timestamp with time zone,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint webhook_certifications_check CHECK (((status = 'completed'::text) = (verdict IS NOT NULL))),
  constraint webhook_certifications_check1 CHECK (((status = 'running'::text) = (finished_at IS NULL))),
  constraint webhook_certifications_check2 CHECK (((locked_by IS NULL) = (locked_until IS NULL))),
  constraint webhook_certifications_check3 CHECK (((locked_by IS NULL) OR (status = 'running'::text))),
  constraint webhook_certifications_id_check CHECK ((id ~~ 'crt\_%'::text)),
  constraint webhook_certifications_plays_check CHECK ((plays >= 0)),
  constraint webhook_certifications_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'interrupted'::text]))),
  constraint webhook_certifications_verdict_check CHECK ((verdict = ANY (ARRAY['passed'::text, 'failed'::text]))),
  constraint webhook_certifications_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint webhook_certifications_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_certifications_by_merchant ON public.webhook_certifications USING btree (merchant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX webhook_certifications_running ON public.webhook_certifications USING btree (merchant_id) WHERE (status = 'running'::text);

create table webhook_deliveries (
  id text not null,
  event_id text not null,
  merchant_id text not null,
  event_type text not null,
  url text not null,
  status text default 'pending'::text not null,
  status_code integer,
  response_time_ms integer default 0 not null,
  attempts integer default 0 not null,
  failure text,
  redelivery_of text,
  is_test boolean default false not null,
  next_attempt_at timestamp with time zone,
  locked_by text,
  locked_until timestamp with time zone,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint webhook_deliveries_attempts_check CHECK ((attempts >= 0)),
  constraint webhook_deliveries_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_check1 CHECK (((status = 'pending'::text) = (finished_at IS NULL))),
  constraint webhook_deliveries_check2 CHECK (((locked_by IS NULL) = (locked_until IS NULL))),
  constraint webhook_deliveries_check3 CHECK (((locked_by IS NULL) OR (status = 'pending'::text))),
  constraint webhook_deliveries_id_check CHECK ((id ~~ 'whd\_%'::text)),
  constraint webhook_deliveries_response_time_ms_check CHECK ((response_time_ms >= 0)),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'failed'::text]))),
  constraint webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id),
  constraint webhook_deliveries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint webhook_deliveries_redelivery_of_fkey FOREIGN KEY (redelivery_of) REFERENCES webhook_deliveries(id),
  constraint webhook_deliveries_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_deliveries_by_event ON public.webhook_deliveries USING btree (event_id, created_at DESC);
CREATE INDEX webhook_deliveries_by_merchant ON public.webhook_deliveries USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_by_status ON public.webhook_deliveries USING btree (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (merchant_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_due_first ON public.webhook_deliveries USING btree (next_attempt_at) WHERE ((status = 'pending'::text) AND (NOT is_test));
CREATE INDEX webhook_deliveries_given_up ON public.webhook_deliveries USING btree (merchant_id, finished_at) WHERE (status = 'failed'::text);
CREATE INDEX webhook_deliveries_leased ON public.webhook_deliveries USING btree (merchant_id, locked_until) WHERE (locked_until IS NOT NULL);
CREATE INDEX webhook_deliveries_redelivered ON public.webhook_deliveries USING btree (redelivery_of) WHERE (redelivery_of IS NOT NULL);
CREATE TRIGGER in_slot BEFORE UPDATE OF locked_until ON public.webhook_deliveries FOR EACH ROW WHEN (((new.locked_until IS NOT NULL) AND (new.locked_until IS DISTINCT FROM old.locked_until))) EXECUTE FUNCTION pass_over_delivery_in_slot();
CREATE TRIGGER tally_added AFTER INSERT ON public.webhook_deliveries REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_webhook_deliveries();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.webhook_deliveries REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_webhook_deliveries();
CREATE TRIGGER tally_removed AFTER DELETE ON public.webhook_deliveries REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_webhook_deliveries();

create table webhook_endpoints (
  merchant_id text not null,
  url text not null,
  event_types text[],
  status text not null,
  disabled_reason text,
  failing_since timestamp with time zone,
  updated_at timestamp with time zone not null,
  constraint webhook_endpoint_reason CHECK ((disabled_reason = ANY (ARRAY['merchant'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoint_types CHECK ((cardinality(event_types) > 0)),
  constraint webhook_endpoints_check CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
  constraint webhook_endpoints_url_check CHECK ((length(url) <= 2048)),
  constraint webhook_endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint webhook_endpoints_pkey PRIMARY KEY (merchant_id)
);

create table webhook_keys (
  id text not null,
  merchant_id text not null,
  public_key bytea not null,
  sealed_seed bytea not null,
  created_at timestamp with time zone not null,
  retires_at timestamp with time zone,
  constraint webhook_keys_id_check CHECK ((id ~~ 'whk\_%'::text)),
  constraint webhook_keys_public_key_check CHECK ((length(public_key) = 32)),
  constraint webhook_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint webhook_keys_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX webhook_keys_active ON public.webhook_keys USING btree (merchant_id) WHERE (retires_at IS NULL);
CREATE INDEX webhook_keys_by_merchant ON public.webhook_keys USING btree (merchant_id, created_at DESC);

create table webhook_slots (
  merchant_id text not null,
  slot smallint not null,
  delivery_id text,
  attempt integer,
  worker text,
  ends_at timestamp with time zone,
  constraint webhook_slots_attempt_check CHECK ((attempt > 0)),
  constraint webhook_slots_check CHECK ((num_nulls(delivery_id, attempt, worker, ends_at) = ANY (ARRAY[0, 4]))),
  constraint webhook_slots_slot_check CHECK (((slot >= 1) AND (slot <= 10))),
  constraint webhook_slots_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint webhook_slots_pkey PRIMARY KEY (merchant_id, slot)
);

create table withdrawals (
  id text not null,
  merchant_id text not null,
  method text not null,
  status text not null,
  cancelled boolean default false not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  currency text not null,
  network text not null,
  destination_address text,
  sealed_bank_account bytea,
  bank_account_tail text,
  bank_name text,
  bank_branch text,
  reviewed_by text,
  reviewed_at timestamp with time zone,
  processing_at timestamp with time zone,
  finished_by text,
  finished_at timestamp with time zone,
  reason text,
  notes text,
  tx_hash text,
  tx_verified boolean,
  event_sequence integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  tx_block bigint,
  tx_block_hash text,
  final_at timestamp with time zone,
  reverts integer default 0 not null,
  approved_chain_time timestamp with time zone,
  tx_transfers integer[],
  processed_by text,
  fail_requested_by text,
  fail_requested_at timestamp with time zone,
  tx_contract text,
  tx_decimals integer,
  begun_contract text,
  begun_decimals integer,
  constraint withdrawals_amount_minor_check CHECK ((amount_minor > 0)),
  constraint withdrawals_bank_account_tail_check CHECK ((length(bank_account_tail) = 4)),
  constraint withdrawals_begun_in CHECK (((begun_contract IS NULL) = (begun_decimals IS NULL))),
  constraint withdrawals_check CHECK (((NOT cancelled) OR (status = 'rejected'::text))),
  constraint withdrawals_check1 CHECK (((fee_minor >= 0) AND (fee_minor < amount_minor))),
  constraint withdrawals_check10 CHECK ((((status = ANY (ARRAY['rejected'::text, 'failed'::text])) AND (NOT cancelled)) = (reason IS NOT NULL))),
  constraint withdrawals_check11 CHECK ((((status = 'pending'::text) OR cancelled) = (reviewed_by IS NULL))),
  constraint withdrawals_check12 CHECK (((reviewed_by IS NULL) = (reviewed_at IS NULL))),
  constraint withdrawals_check13 CHECK (((finished_by IS NULL) = ((finished_at IS NULL) OR cancelled))),
  constraint withdrawals_check14 CHECK (((tx_transfers IS NULL) OR (tx_hash IS NOT NULL))),
  constraint withdrawals_check2 CHECK (((destination_address IS NOT NULL) OR (method = 'bank'::text))),
  constraint withdrawals_check3 CHECK (((method = 'bank'::text) = (sealed_bank_account IS NOT NULL))),
  constraint withdrawals_check4 CHECK (((method = 'bank'::text) = (bank_account_tail IS NOT NULL))),
  constraint withdrawals_check5 CHECK (((method = 'bank'::text) = (bank_name IS NOT NULL))),
  constraint withdrawals_check6 CHECK (((method = 'bank'::text) = (bank_branch IS NOT NULL))),
  constraint withdrawals_check7 CHECK (((status = 'completed'::text) = (tx_hash IS NOT NULL))),
  constraint withdrawals_check8 CHECK (((status = 'completed'::text) = (tx_verified IS NOT NULL))),
  constraint withdrawals_check9 CHECK (((status = ANY (ARRAY['completed'::text, 'rejected'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
  constraint withdrawals_currency_check CHECK ((currency = ANY (ARRAY['USDT'::text, 'USDC'::text]))),
  constraint withdrawals_fail_request CHECK (((fail_requested_by IS NULL) = (fail_requested_at IS NULL))),
  constraint withdrawals_final_is_placed CHECK (((final_at IS NULL) OR (tx_block IS NOT NULL))),
  constraint withdrawals_id_check CHECK ((id ~~ 'wd\_%'::text)),
  constraint withdrawals_method_check CHECK ((method = ANY (ARRAY['bank'::text, 'crypto'::text]))),
  constraint withdrawals_paid_in CHECK ((((tx_contract IS NULL) = (tx_decimals IS NULL)) AND ((tx_contract IS NULL) OR (tx_hash IS NOT NULL)))),
  constraint withdrawals_place CHECK (((tx_block IS NULL) = (tx_block_hash IS NULL))),
  constraint withdrawals_place_is_shown CHECK (((tx_block IS NULL) OR ((status = 'completed'::text) AND tx_verified))),
  constraint withdrawals_reverts_check CHECK ((reverts >= 0)),
  constraint withdrawals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'processing'::text, 'completed'::text, 'rejected'::text, 'failed'::text]))),
  constraint withdrawals_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint withdrawals_pkey PRIMARY KEY (id)
);
CREATE INDEX withdrawals_by_merchant ON public.withdrawals USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX withdrawals_by_merchant_status ON public.withdrawals USING btree (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX withdrawals_by_status ON public.withdrawals USING btree (status, created_at DESC, id DESC);
CREATE INDEX withdrawals_by_time ON public.withdrawals USING btree (created_at DESC, id DESC);
CREATE INDEX withdrawals_not_final ON public.withdrawals USING btree (network, tx_block) WHERE ((status = 'completed'::text) AND (final_at IS NULL));
CREATE INDEX withdrawals_open ON public.withdrawals USING btree (merchant_id) WHERE (status = ANY (ARRAY['pending'::text, 'approved'::text, 'processing'::text]));
CREATE INDEX withdrawals_unplaced ON public.withdrawals USING btree (network, finished_at) WHERE ((status = 'completed'::text) AND tx_verified AND (final_at IS NULL) AND (tx_block IS NULL));
CREATE INDEX withdrawals_waiting ON public.withdrawals USING btree (created_at) WHERE (status = ANY (ARRAY['pending'::text, 'approved'::text, 'processing'::text]));
CREATE TRIGGER tally_added AFTER INSERT ON public.withdrawals REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_added_withdrawals();
CREATE TRIGGER tally_changed AFTER UPDATE ON public.withdrawals REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION tally_changed_withdrawals();
CREATE TRIGGER tally_removed AFTER DELETE ON public.withdrawals REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION tally_removed_withdrawals();
CREATE TRIGGER withdrawal_approval_stays BEFORE UPDATE ON public.withdrawals FOR EACH ROW WHEN (((old.status <> 'pending'::text) AND (new.approved_chain_time IS DISTINCT FROM old.approved_chain_time))) EXECUTE FUNCTION withdrawal_approval_stays();
CREATE CONSTRAINT TRIGGER withdrawal_is_booked AFTER INSERT OR UPDATE OF status ON public.withdrawals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_withdrawal_booked();
CREATE TRIGGER withdrawal_may_revert BEFORE UPDATE ON public.withdrawals FOR EACH ROW WHEN (((old.status = 'completed'::text) AND (new.status = 'processing'::text))) EXECUTE FUNCTION withdrawal_may_revert();
CREATE TRIGGER withdrawal_moves BEFORE UPDATE ON public.withdrawals FOR EACH ROW EXECUTE FUNCTION withdrawal_moves();
CREATE TRIGGER withdrawal_payer_stays BEFORE UPDATE ON public.withdrawals FOR EACH ROW WHEN (((old.processed_by IS NOT NULL) AND (new.processed_by IS DISTINCT FROM old.processed_by))) EXECUTE FUNCTION withdrawal_payer_stays();
CREATE TRIGGER withdrawal_stays_begun_in BEFORE UPDATE ON public.withdrawals FOR EACH ROW WHEN (((old.begun_contract IS NOT NULL) AND ((new.begun_contract IS DISTINCT FROM old.begun_contract) OR (new.begun_decimals IS DISTINCT FROM old.begun_decimals)))) EXECUTE FUNCTION refuse_rewrite('withdrawal', 'what it was begun in');
CREATE TRIGGER withdrawal_takes_transfer AFTER UPDATE ON public.withdrawals FOR EACH ROW WHEN (((new.tx_hash IS DISTINCT FROM old.tx_hash) OR (new.tx_transfers IS DISTINCT FROM old.tx_transfers))) EXECUTE FUNCTION take_payout_transfer();
CREATE TRIGGER withdrawals_no_truncate BEFORE TRUNCATE ON public.withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawals_stay BEFORE DELETE ON public.withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_change();

create view ledger_balances as
 SELECT id,
    owner_id,
    kind,
    currency,
    track,
    (balance + (COALESCE(( SELECT sum(d.amount) AS sum
           FROM account_deltas d
          WHERE (d.account_id = a.id)), (0)::numeric))::bigint) AS balance
   FROM ledger_accounts a;

create view ledger_month_sums as
 SELECT ledger_months.merchant_id,
    ledger_months.month,
    ledger_months.kind,
    ledger_months.account,
    ledger_months.amount,
    ledger_months.journals
   FROM ledger_months
UNION ALL
 SELECT month_deltas.merchant_id,
    month_deltas.month,
    month_deltas.kind,
    month_deltas.account,
    month_deltas.amount,
    month_deltas.journals
   FROM month_deltas;

create view tallied_rows as
 SELECT 'payments'::text AS list,
    payments.id,
    NULL::bigint AS number,
    payments.merchant_id AS owner,
    ARRAY[payments.status, payments.source, payments.currency, COALESCE(payments.exception, ''::text),
        CASE
            WHEN ((payments.booked_suspense > 0) AND (payments.status = ANY (ARRAY['paid'::text, 'expired'::text, 'failed'::text]))) THEN 'waiting'::text
            ELSE ''::text
        END] AS slice,
    payments.created_at AS at,
    GREATEST(payments.booked_available, (0)::bigint) AS amount
   FROM payments
UNION ALL
 SELECT 'pruned_payments'::text AS list,
    pruned_payments.payment_id AS id,
    NULL::bigint AS number,
    pruned_payments.merchant_id AS owner,
    '{}'::text[] AS slice,
    NULL::timestamp with time zone AS at,
    0 AS amount
   FROM pruned_payments
  WHERE (pruned_payments.revived_at IS NULL)
UNION ALL
 SELECT 'entries'::text AS list,
    NULL::text AS id,
    entries.id AS number,
    entries.account_id AS owner,
    '{}'::text[] AS slice,
    entries.created_at AS at,
    0 AS amount
   FROM entries
UNION ALL
 SELECT 'deliveries'::text AS list,
    webhook_deliveries.id,
    NULL::bigint AS number,
    webhook_deliveries.merchant_id AS owner,
    ARRAY[webhook_deliveries.status] AS slice,
    webhook_deliveries.created_at AS at,
    0 AS amount
   FROM webhook_deliveries
UNION ALL
 SELECT 'audit'::text AS list,
    audit_log.id,
    NULL::bigint AS number,
    ''::text AS owner,
    ARRAY[audit_log.actor_type, audit_log.resource_type, audit_log.action] AS slice,
    audit_log.created_at AS at,
    0 AS amount
   FROM audit_log
UNION ALL
 SELECT 'audit'::text AS list,
    audit_log.id,
    NULL::bigint AS number,
    audit_log.merchant_id AS owner,
    ARRAY[audit_log.actor_type, audit_log.resource_type, audit_log.action] AS slice,
    audit_log.created_at AS at,
    0 AS amount
   FROM audit_log
  WHERE (audit_log.merchant_id IS NOT NULL)
UNION ALL
 SELECT 'links'::text AS list,
    payment_links.id,
    NULL::bigint AS number,
    payment_links.merchant_id AS owner,
    ARRAY[
        CASE
            WHEN payment_links.disabled THEN 'disabled'::text
            ELSE ''::text
        END,
        CASE
            WHEN (payment_links.expiry_announced_at IS NULL) THEN ''::text
            ELSE 'announced'::text
        END] AS slice,
    payment_links.created_at AS at,
    0 AS amount
   FROM payment_links
  WHERE (payment_links.deleted_at IS NULL)
UNION ALL
 SELECT 'link_expiries'::text AS list,
    payment_links.id,
    NULL::bigint AS number,
    payment_links.merchant_id AS owner,
    '{}'::text[] AS slice,
    payment_links.expires_at AS at,
    0 AS amount
   FROM payment_links
  WHERE ((payment_links.deleted_at IS NULL) AND (NOT payment_links.disabled) AND (payment_links.expires_at IS NOT NULL))
UNION ALL
 SELECT 'link_payments'::text AS list,
    payment_link_totals.payment_id AS id,
    NULL::bigint AS number,
    payment_link_totals.link_id AS owner,
    '{}'::text[] AS slice,
    NULL::timestamp with time zone AS at,
    payment_link_totals.amount_minor AS amount
   FROM payment_link_totals
UNION ALL
 SELECT 'plans'::text AS list,
    plans.id,
    NULL::bigint AS number,
    plans.merchant_id AS owner,
    ARRAY[
        CASE
            WHEN plans.active THEN 'active'::text
            ELSE ''::text
        END] AS slice,
    plans.created_at AS at,
    0 AS amount
   FROM plans
UNION ALL
 SELECT 'subscriptions'::text AS list,
    subscriptions.id,
    NULL::bigint AS number,
    subscriptions.merchant_id AS owner,
    ARRAY[subscriptions.status,
        CASE
            WHEN (subscriptions.cancel_requested_at IS NULL) THEN ''::text
            ELSE 'leaving'::text
        END] AS slice,
    subscriptions.created_at AS at,
    0 AS amount
   FROM subscriptions
UNION ALL
 SELECT 'subscriptions'::text AS list,
    subscriptions.id,
    NULL::bigint AS number,
    subscriptions.plan_id AS owner,
    ARRAY[subscriptions.status,
        CASE
            WHEN (subscriptions.cancel_requested_at IS NULL) THEN ''::text
            ELSE 'leaving'::text
        END] AS slice,
    subscriptions.created_at AS at,
    0 AS amount
   FROM subscriptions
UNION ALL
 SELECT 'merchants'::text AS list,
    merchants.id,
    NULL::bigint AS number,
    ''::text AS owner,
    ARRAY[merchants.status] AS slice,
    merchants.created_at AS at,
    0 AS amount
   FROM merchants
UNION ALL
 SELECT 'withdrawals'::text AS list,
    withdrawals.id,
    NULL::bigint AS number,
    withdrawals.merchant_id AS owner,
    ARRAY[withdrawals.status] AS slice,
    withdrawals.created_at AS at,
    0 AS amount
   FROM withdrawals
UNION ALL
 SELECT 'withdrawals'::text AS list,
    withdrawals.id,
    NULL::bigint AS number,
    ''::text AS owner,
    ARRAY[withdrawals.status] AS slice,
    withdrawals.created_at AS at,
    0 AS amount
   FROM withdrawals
UNION ALL
 SELECT 'refunds'::text AS list,
    refunds.id,
    NULL::bigint AS number,
    refunds.merchant_id AS owner,
    ARRAY[refunds.status] AS slice,
    refunds.created_at AS at,
    0 AS amount
   FROM refunds
UNION ALL
 SELECT 'movements'::text AS list,
    journals.id,
    NULL::bigint AS number,
    journals.merchant_id AS owner,
    '{}'::text[] AS slice,
    journals.created_at AS at,
    0 AS amount
   FROM journals
  WHERE (journals.merchant_id IS NOT NULL);

CREATE OR REPLACE FUNCTION public.add_account_deltas(ids text[])
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  sums jsonb;
  taken integer;
begin
  with gone as (delete from account_deltas where account_id = any (ids) returning account_id, amount),
       totals as (select account_id, sum(amount)::bigint as total, count(*) as rows from gone group by account_id)
  select jsonb_object_agg(account_id, total), sum(rows) into sums, taken from totals;
  if taken > 0 then
    update ledger_accounts set balance = balance + (sums ->> id)::bigint
     where id = any (array(select jsonb_object_keys(sums)));
  end if;
  return coalesce(taken, 0);
end $function$;

CREATE OR REPLACE FUNCTION public.add_tallies(added tallies[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  emptied tallies[];
begin
  with kept as (
    insert into tallies as t select * from unnest(added) as a where a.count <> 0 or a.amount <> 0
    order by a.list, a.owner, a.grain, a.start, a.slice
    on conflict (list, owner, grain, start, slice)
    do update set count = t.count + excluded.count, amount = t.amount + excluded.amount
    returning t.*
  )
  select array_agg(k::tallies) into emptied from kept k where k.count = 0 and k.amount = 0;
  delete from tallies t using unnest(emptied) e
   where (t.list, t.owner, t.grain, t.start, t.slice) = (e.list, e.owner, e.grain, e.start, e.slice);
end $function$;

CREATE OR REPLACE FUNCTION public.admin_maker_stays()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  raise exception 'who made administrator % never changes', old.id using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.api_key_is_final()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
    raise exception 'api key % is revoked for good', old.id using errcode = 'check_violation';
  end if;
  if (new.merchant_id, new.api_key, new.permissions, new.created_at)
      is distinct from (old.merchant_id, old.api_key, old.permissions, old.created_at) then
    raise exception 'what api key % is and may do never changes', old.id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.apply_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  totals jsonb;
  taken text[];
  given text[];
begin
  select jsonb_object_agg(s.account_id, s.total),
         array_agg(s.account_id) filter (where s.total < 0 or a.kind not in ('pending', 'available', 'suspense')),
         array_agg(s.account_id) filter (where s.total > 0 and a.kind in ('pending', 'available', 'suspense'))
    into totals, taken, given
    from (select account_id, sum(amount)::bigint as total from added group by account_id) as s
   cross join lateral (select kind, track from ledger_accounts where id = s.account_id limit 1) a
   where a.track and s.total <> 0;
  if taken is not null then
    perform from ledger_accounts where id = any (taken) order by id for no key update;
    perform add_account_deltas(taken);
  end if;
  if given is not null then
    select array_agg(id) into given from (
      select id from ledger_accounts where id = any (given) order by id for no key update skip locked) as free;
  end if;
  -- With what waits, which no job adds in a release before.
  perform add_account_deltas(given);
  update ledger_accounts set balance = balance + (totals ->> id)::bigint where id = any (taken || given);
  insert into account_deltas (account_id, amount)
  select key, value::bigint from jsonb_each_text(totals) where key <> all (coalesce(taken || given, '{}'));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_entry_json(entry audit_log)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select jsonb_build_object(
    'id', entry.id, 'actorType', entry.actor_type, 'actorId', entry.actor_id, 'action', entry.action,
    'resourceType', entry.resource_type, 'resourceId', entry.resource_id, 'merchantId', entry.merchant_id,
    'ipAddress', entry.ip_address, 'userAgent', entry.user_agent, 'requestId', entry.request_id, 'metadata', entry.metadata,
    'timestamp', regexp_replace(to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z')
$function$;

CREATE OR REPLACE FUNCTION public.audit_hash(sequence bigint, previous bytea, body bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select sha256('audit-v1\000'::bytea || int8send(sequence) || previous || body)
$function$;

CREATE OR REPLACE FUNCTION public.check_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  bad text;
begin
  -- Each by its index, in these words: a join could be planned as a walk through the whole table.
  select journal_id into bad from (select distinct journal_id from added) as named
   where (select id from journals where id = journal_id) is null limit 1;
  if bad is not null then
    raise exception 'journal % does not exist', bad using errcode = 'foreign_key_violation';
  end if;
  select account_id into bad from (select distinct account_id from added) as named
   where (select id from ledger_accounts where id = account_id) is null limit 1;
  if bad is not null then
    raise exception 'account % does not exist', bad using errcode = 'foreign_key_violation';
  end if;
  -- No entry is zero, so there are at least two where they come to zero.
  select journal_id into bad from added join (
    select account_id, (select currency from ledger_accounts where id = account_id)
      from (select distinct account_id from added) as named) as accounts using (account_id)
   group by journal_id, currency having sum(amount) <> 0 limit 1;
  if bad is not null then
    raise exception 'journal % does not balance', bad using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_journal_has_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from entries where journal_id = new.id) then
    raise exception 'journal % has no entries', new.id using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_link_has_a_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  most integer;
begin
  select max_payments into most from payment_links where id = new.link_id;
  if most is null then
    return new;
  end if;
  perform from payment_links where id = new.link_id for no key update;
  if (select count(*) from payments where link_id = new.link_id
        and status in ('initiated', 'pending', 'confirming', 'paid')) >= most then
    raise exception 'payment link % has no place left', new.link_id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_mail_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if (old.status, new.status) not in (('queued', 'queued'), ('queued', 'pending'), ('queued', 'dropped'),
      ('queued', 'failed'), ('pending', 'pending'), ('pending', 'sent'), ('pending', 'failed'),
      ('sent', 'sent'), ('failed', 'failed'), ('dropped', 'dropped')) then
    raise exception 'mail % can not go from % to %', old.id, old.status, new.status
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_payment_adds_up()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  lies numeric;
  arrived numeric;
begin
  select booked_suspense + booked_pending + booked_available + returned_micro + returned_wrong_micro into lies
    from payments where id = new.id;
  select coalesce(sum(booked_micro), 0) into arrived from credits where payment_id = new.id;
  if lies <> arrived then
    raise exception 'payment % accounts for % of % that arrived', new.id, lies, arrived using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_refund_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  subject text;
  wanted text[];
  found text[];
begin
  if tg_table_name = 'journals' then
    subject := new.refund_id;
  else
    subject := new.id;
  end if;
  select array['refund.created']
      || array_fill('refund.completed'::text, array[reverts + case when status = 'completed' then 1 else 0 end])
      || array_fill('refund.reverted'::text, array[reverts])
      || case when status in ('cancelled', 'failed') then array['refund.released'] else '{}' end
    into wanted from refunds where id = subject;
  select array_agg(kind order by kind collate "C") into found from journals where refund_id = subject;
  select array_agg(kind order by kind collate "C") into wanted from unnest(wanted) as w (kind);
  if found is distinct from wanted then
    raise exception 'refund % is booked as %, its state asks for %', subject, found, wanted
      using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.check_relay_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if old.status not in ('signed', 'refused') and
     (old.network, old.contract, old.payer, old.recipient, old.units, old.valid_after, old.valid_before, old.nonce,
      old.signature) is distinct from
     (new.network, new.contract, new.payer, new.recipient, new.units, new.valid_after, new.valid_before, new.nonce,
      new.signature) then
    raise exception 'relay of % is on its way', old.payment_id using errcode = 'integrity_constraint_violation';
  end if;
  if (old.status, new.status) not in (('signed', 'signed'), ('signed', 'sent'), ('signed', 'refused'),
      ('refused', 'signed'), ('sent', 'signed'), ('sent', 'done'), ('sent', 'reverted'), ('done', 'sent'),
      ('reverted', 'sent'), ('done', 'signed'), ('reverted', 'signed')) then
    raise exception 'relay of % can not go from % to %', old.payment_id, old.status, new.status
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_relay_recipient()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from deposit_addresses
                  where kind = 'evm' and address = new.recipient and payment_id = new.payment_id) then
    raise exception 'relay of % pays another address', new.payment_id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_relay_signed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if old.status not in ('signed', 'refused') and
     (old.method, old.permit_signature, old.permit_deadline) is distinct from
     (new.method, new.permit_signature, new.permit_deadline) then
    raise exception 'relay of % is on its way', old.payment_id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_tally(checked text, of_owner text, of_day date)
 RETURNS SETOF tallies
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  month date := date_trunc('month', of_day::timestamp)::date;
  gone date;
begin
  perform pg_advisory_xact_lock(hashtextextended('kasi tallies', 0));
  return query select * from recount_tallies(checked, of_owner, of_day, of_day + 1);
  if of_day is null then
    return;
  end if;
  if tally_differs(checked, of_owner, 1::smallint, month) then
    return query select * from recount_tallies(checked, of_owner, month, (month + interval '1 month')::date);
    return query select * from sum_tallies(checked, of_owner, 1::smallint, month);
  end if;
  if tally_differs(checked, of_owner, 0::smallint, '-infinity') then
    for gone in
      select m::date from generate_series(
          (select date_trunc('month', at at time zone 'UTC') from tallied_rows
            where list = checked and owner = of_owner order by at limit 1),
          (select at at time zone 'UTC' from tallied_rows
            where list = checked and owner = of_owner order by at desc limit 1), interval '1 month') as m
       where not exists (select from tallies
         where list = checked and owner = of_owner and grain = 1 and start = m::date)
    loop
      return query select * from recount_tallies(checked, of_owner, gone, (gone + interval '1 month')::date);
      return query select * from sum_tallies(checked, of_owner, 1::smallint, gone);
    end loop;
    return query select * from sum_tallies(checked, of_owner, 0::smallint, '-infinity');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.check_withdrawal_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  subject text;
  wanted text[];
  found text[];
begin
  if tg_table_name = 'journals' then
    subject := new.withdrawal_id;
  else
    subject := new.id;
  end if;
  select array_fill('withdrawal.completed'::text, array[reverts + (status = 'completed')::integer])
      || 'withdrawal.created'::text
      || array_fill('withdrawal.released'::text, array[(status in ('rejected', 'failed'))::integer])
      || array_fill('withdrawal.reverted'::text, array[reverts])
    into wanted from withdrawals where id = subject;
  select coalesce(array_agg(kind order by kind collate "C"), '{}') into found from journals where withdrawal_id = subject;
  if found <> wanted then
    raise exception 'withdrawal % is booked as %, its state asks for %', subject, found, wanted using errcode = 'check_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.credits_have_transfers()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  networks text[];
  transactions text[];
  overdrawn record;
begin
  -- Nothing returns by most updates. The trigger of inserts has no such table.
  if tg_op = 'UPDATE' then
    if not exists (select from replaced where not canonical) then
      return null;
    end if;
  end if;
  select array_agg(distinct network), array_agg(distinct tx_hash) into networks, transactions
    from written where twins is not null and canonical;
  if networks is null then
    return null;
  end if;
  perform from chain_cursors where network = any (networks) order by network for update;
  select tx_hash, min(twins) as twins into overdrawn from (
    select network, tx_hash, contract, sender, recipient, amount_units, 1 as credited, null::integer as twins
      from credits where network = any (networks) and tx_hash = any (transactions) and canonical
    union all
    select network, tx_hash, contract, sender, recipient, amount_units, 0, twins
      from written where twins is not null and canonical) as transfers
   group by network, tx_hash, contract, sender, recipient, amount_units
  having sum(credited) > min(twins) limit 1;
  if found then
    raise exception 'transaction % contains % of these transfers, and all of them are credited',
      overdrawn.tx_hash, overdrawn.twins using errcode = 'unique_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.cursor_of_known_chain()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.deployment_is_final()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.deployment_network_is_final()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if (new.chain, new.kind, new.name, new.made_at) is distinct from (old.chain, old.kind, old.name, old.made_at)
     or (old.genesis_hash is not null and new.genesis_hash is distinct from old.genesis_hash) then
    raise exception 'what a network is does not change' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.deployment_token_is_final()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.fill_payment_texts()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  noted bigint;
begin
  insert into payment_texts (merchant_id, created_at, payment_id, text, rest)
  select p.merchant_id, p.created_at, p.id, left(t.text, 600),
       case when length(t.text) > 600 then substr(t.text, 201) end from payments p cross join lateral (values (lower(concat_ws(E'\x01', p.description, p.customer_email)))) as t (text) where (p.description is not null or p.customer_email is not null)
  on conflict do nothing;
  get diagnostics noted = row_count;
  return noted;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_custom_fields()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  new.row_then := new.row_then - 'custom_fields';
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_network(wanted text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.guarded_change_is_alone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtext('guarded_changes'));
  if exists (select from guarded_changes o
              where o.status in ('proposed', 'approved') and o.kind = new.kind and o.subject_id = new.subject_id
                and exists (select from jsonb_object_keys(o.fields) as k where new.fields ? k)) then
    raise exception 'another change of this waits already' using errcode = 'unique_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.guarded_change_moves()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not (old.status || '>' || new.status = any (array['proposed>approved', 'proposed>cancelled', 'proposed>expired',
    'approved>in_effect', 'approved>cancelled'])) then
    raise exception 'change % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if (new.id, new.kind, new.subject_id, new.fields, new.needs_approval, new.proposed_by, new.proposed_at, new.due_at,
      new.expires_at) is distinct from (old.id, old.kind, old.subject_id, old.fields, old.needs_approval,
      old.proposed_by, old.proposed_at, old.due_at, old.expires_at) then
    raise exception 'change % can not change what was proposed', old.id using errcode = 'check_violation';
  end if;
  if old.status = 'approved'
     and (new.approved_by, new.approved_at) is distinct from (old.approved_by, old.approved_at) then
    raise exception 'change % was approved already', old.id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.is_paid_in_token(payout text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select from withdrawals where id = payout and destination_address is not null)
      or exists (select from refunds where id = payout and token in ('USDT', 'USDC'));
$function$;

CREATE OR REPLACE FUNCTION public.is_placed_anew(payout text, before integer[], after integer[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce(current_setting('kasi.placed_anew', true) = payout and cardinality(before) > 0
    and cardinality(after) > 0 and 0 <= all (before) and 0 <= all (after), false);
$function$;

CREATE OR REPLACE FUNCTION public.keep_merchant_terms()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  new.terms := merchant_terms(new.id, new.business_name, new.email, new.phone);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_rejection()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  new.rejected_at := new.updated_at;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.lock_accounts(ids text[])
 RETURNS TABLE(id text, balance bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(key) from (
    select distinct money_lock(a.owner_id) as key from ledger_accounts a
     where a.id = any (ids) and a.owner_id is not null order by key) as merchants;
  perform from ledger_accounts a where a.id = any (ids) order by a.id for update;
  perform add_account_deltas(ids);
  return query select a.id, a.balance from ledger_accounts a where a.id = any (ids) order by a.id;
end $function$;

CREATE OR REPLACE FUNCTION public.merchant_moves()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'pending_verification>active', 'pending_verification>rejected', 'pending_verification>terminated',
    'rejected>pending_verification', 'rejected>terminated',
    'active>frozen', 'active>terminated', 'frozen>active', 'frozen>terminated'])) then
    raise exception 'merchant % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.merchant_search(said text)
 RETURNS tsquery
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return coalesce((select string_agg('''' || word || ''':*', ' & ')
    from unnest(merchant_words(regexp_replace(lower(said), '(^|\s)mer_', ' ', 'g'))) word), '')::tsquery;
end $function$;

CREATE OR REPLACE FUNCTION public.merchant_terms(id text, business_name text, email text, phone text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE COST 10000
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return array_to_tsvector(array(
    select substr(word, start)
      from unnest(merchant_words(concat_ws(' ', business_name, email, phone))) word, generate_series(1, length(word)) start
    union all select substr(id, 5)));
end $function$;

CREATE OR REPLACE FUNCTION public.merchant_words(said text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return array_remove(string_to_array(
    translate(lower(said), E'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\t\n\r', repeat(' ', 35)), ' '), '');
end $function$;

CREATE OR REPLACE FUNCTION public.money_lock(merchant text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select hashtextextended('kasi money of ' || merchant, 0)
$function$;

CREATE OR REPLACE FUNCTION public.month_lock(merchant text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select hashtextextended('kasi months of ' || merchant, 0)
$function$;

CREATE OR REPLACE FUNCTION public.network_is_proven(wanted text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (
    select 1 from deployment_networks n
     where n.chain = wanted and (
       n.genesis_hash is not null
       or exists (select 1 from chain_cursors where network = n.name)
       or exists (select 1 from payments
                   where options @> jsonb_build_array(jsonb_build_object('network', n.name)))))
$function$;

CREATE OR REPLACE FUNCTION public.note_payment_text()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from payment_texts
     where merchant_id = old.merchant_id and created_at = old.created_at and payment_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into payment_texts (merchant_id, created_at, payment_id, text, rest)
    select new.merchant_id, new.created_at, new.id, left(t.text, 600),
       case when length(t.text) > 600 then substr(t.text, 201) end from (values (lower(concat_ws(E'\x01', new.description, new.customer_email)))) as t (text) where (new.description is not null or new.customer_email is not null)
    on conflict do nothing;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.operator_account_moves()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.next_nonce < old.next_nonce and exists (
      select from operator_transactions
       where network = new.network and address = new.address and nonce >= new.next_nonce and status <> 'dropped') then
    raise exception 'nonce % of % on % is in use', new.next_nonce, new.address, new.network using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.operator_signature_follows()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  before operator_signatures;
begin
  if new.attempt = 1 then
    return new;
  end if;
  select * into before from operator_signatures where transaction_id = new.transaction_id and attempt = new.attempt - 1;
  if not found or new.max_fee * 8 < before.max_fee * 9 or new.max_priority_fee * 8 < before.max_priority_fee * 9 then
    raise exception 'signature % of operator transaction % does not pay an eighth more than the one before', new.attempt,
      new.transaction_id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.operator_transaction_moves()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- A reorg takes back what was mined; a chain that came back older than this database takes back even what was confirmed.
  -- What was confirmed in a block that the scan was walked back from is only mined again, until the chain was asked.
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'signed>sent', 'signed>mined', 'sent>mined', 'sent>dropped', 'mined>sent', 'mined>confirmed', 'confirmed>sent']))
    and not (old.status = 'confirmed' and new.status = 'mined'
      and new.block_number > (select confirmed_height from chain_cursors c where c.network = new.network)) then
    raise exception 'operator transaction % can not move from % to %', old.id, old.status, new.status
      using errcode = 'check_violation';
  end if;
  if new.status = old.status and old.finished_at is not null and new is distinct from old then
    raise exception 'operator transaction % is %, which does not change', old.id, old.status using errcode = 'check_violation';
  end if;
  if (new.id, new.network, new.address, new.nonce, new.purpose, new.subject, new.to_address, new.gas_limit, new.created_at)
      is distinct from (old.id, old.network, old.address, old.nonce, old.purpose, old.subject, old.to_address, old.gas_limit,
      old.created_at) then
    raise exception 'operator transaction % can not change what was asked', old.id using errcode = 'check_violation';
  end if;
  if new.attempt <> old.attempt and (new.attempt <> old.attempt + 1 or new.status <> 'sent' or old.status <> 'sent') then
    raise exception 'operator transaction % can only be replaced by its next attempt while it waits', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.pass_over_delivery_in_slot()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from webhook_slots
              where merchant_id = new.merchant_id and delivery_id = new.id and ends_at > clock_timestamp()) then
    return null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.proven_network_stays()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if network_is_proven(old.chain) then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION public.prune_payments(as_of timestamp with time zone, at_most integer, after_id text, before_id text, OUT pruned integer, OUT looked_at integer, OUT last_id text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  due text[];
  taken text[];
begin
  pruned := 0;
  looked_at := 0;
  if exists (select from deployment where mode = 'live') then
    as_of := least(as_of, clock_timestamp());
    if exists (select from kysely_migration where name = '0050-pruned-payments'
        and timestamp::timestamptz > clock_timestamp() - interval '7 days') then
      return;
    end if;
  end if;
  due := array(
    select p.id from payments p
     where p.source = 'link' and p.status = 'expired' and p.credit_count = 0
       and p.id > after_id and p.id < before_id
       and p.updated_at <= as_of - interval '30 days'
       and p.expires_at + p.late_window_ms * interval '1 millisecond' <= as_of
     order by p.id limit greatest(0, least(at_most, 1000)));
  looked_at := cardinality(due);
  last_id := due[looked_at];
  taken := array(
    select p.id from payments p
     where p.id = any (due) and p.source = 'link' and p.status = 'expired' and p.credit_count = 0
       and p.updated_at <= as_of - interval '30 days'
       and not exists (select from credits c where c.payment_id = p.id)
       and not exists (select from journals j where j.payment_id = p.id)
       and not exists (select from deposit_addresses a join unexplained_holdings h on h.address = a.address
         where a.payment_id = p.id)
       and not exists (select from incidents i where i.subject = p.id and i.resolved_at is null)
       and not exists (select from events e where e.resource_id = p.id
         and (not exists (select from event_feed f where f.event_id = e.id)
           or exists (select from webhook_deliveries d where d.event_id = e.id and d.status = 'pending')))
     order by p.id for update of p skip locked);
  perform from events where resource_id = any (taken) for update;
  perform from webhook_deliveries d join events e on e.id = d.event_id
    where e.resource_id = any (taken) for update of d;
  taken := array(
    select id from unnest(taken) as t (id)
     where not exists (select from credits c where c.payment_id = t.id)
       and not exists (select from events e join webhook_deliveries d on d.event_id = e.id
         where e.resource_id = t.id and d.status = 'pending'));
  insert into pruned_payments (payment_id, merchant_id, row_then, pruned_at)
    select p.id, p.merchant_id, kept.row_then, as_of from payments p cross join lateral (
      select jsonb_object_agg(key, value) as row_then from jsonb_each(to_jsonb(p) - 'customer_email')
       where value <> 'null') as kept
     where p.id = any (taken);
  delete from webhook_attempts a using webhook_deliveries d, events e
    where a.delivery_id = d.id and d.event_id = e.id and e.resource_id = any (taken);
  delete from webhook_deliveries d using events e where d.event_id = e.id and e.resource_id = any (taken);
  update events set body = '' where resource_id = any (taken);
  delete from payments where id = any (taken);
  pruned := cardinality(taken);
end $function$;

CREATE OR REPLACE FUNCTION public.queue_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.canonical_metadata is null then
    insert into unsealed_audit_entries (entry_id) values (new.id);
    return null;
  end if;
  if new.canonical_metadata::jsonb <> new.metadata then
    raise exception 'the canonical metadata of audit entry % say something else than its metadata', new.id
      using errcode = 'check_violation';
  end if;
  insert into unsealed_audit_entries (entry_id, body)
  select new.id, convert_to(row_to_json(b)::text, 'UTF8')
    from (select new.action, new.actor_id as "actorId", new.actor_type as "actorType", new.id,
                 new.ip_address as "ipAddress", new.merchant_id as "merchantId", new.canonical_metadata as metadata,
                 new.request_id as "requestId", new.resource_id as "resourceId", new.resource_type as "resourceType",
                 regexp_replace(to_char(new.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '')
                   || 'Z' as "timestamp",
                 new.user_agent as "userAgent") b;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into unsealed_events (event_id) select id from added;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.rebuild_tallies(checked text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  mended bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('kasi tallies', 0));
  with days as (
    select owner, slice, (at at time zone 'UTC')::date as day, count(*) as count, sum(amount) as amount
      from tallied_rows where list = checked group by owner, slice, day
    union all
    select owner, slice, day, -sum(count), -sum(amount) from tally_deltas where list = checked group by owner, slice, day
  )
  insert into tallies as t
  select checked, owner, grain, start, slice, sum(count)::bigint, sum(amount)::bigint from (
    select d.owner, g.grain, g.start, d.slice, d.count, d.amount from days d cross join lateral (values
  (0::smallint, '-infinity'::date), (1::smallint, date_trunc('month', d.day::timestamp)::date), (2::smallint, d.day)
) as g (grain, start)
     where g.start is not null
    union all
    select owner, grain, start, slice, -count, -amount from tallies where list = checked
  ) as lacking
  group by owner, grain, start, slice having sum(count) <> 0 or sum(amount) <> 0
  order by owner, grain, start, slice
  on conflict (list, owner, grain, start, slice)
  do update set count = t.count + excluded.count, amount = t.amount + excluded.amount;
  get diagnostics mended = row_count;
  delete from tallies where list = checked and count = 0 and amount = 0;
  return mended;
end $function$;

CREATE OR REPLACE FUNCTION public.recount_tallies(checked text, of_owner text, first_day date, next_day date)
 RETURNS SETOF tallies
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  since timestamptz := first_day::timestamp at time zone 'UTC';
  until timestamptz := next_day::timestamp at time zone 'UTC';
  of_grain smallint := case when first_day is null then 0 else 2 end;
  lacking tallies[];
begin
  select array_agg((checked, of_owner, of_grain, start, slice, count, amount)::tallies) into lacking
    from (
      select start, slice, sum(count)::bigint as count, sum(amount)::bigint as amount from (
        select (at at time zone 'UTC')::date as start, slice, 1 as count, amount from tallied_rows
         where list = checked and owner = of_owner and at >= since and at < until
        union all
        select '-infinity', slice, 1, amount from tallied_rows
         where first_day is null and list = checked and owner = of_owner
        union all
        select start, slice, -count, -amount from tallies
         where list = checked and owner = of_owner and grain = of_grain
           and (first_day is null or start >= first_day and start < next_day)
        union all
        select coalesce(day, '-infinity'), slice, -count, -amount from tally_deltas
         where list = checked and owner = of_owner and (first_day is null or day >= first_day and day < next_day)
      ) as counted group by start, slice
    ) as summed where count <> 0 or amount <> 0;
  perform add_tallies(lacking);
  return query select * from unnest(lacking);
end $function$;

CREATE OR REPLACE FUNCTION public.recovery_code_works_once()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if old.used_at is not null or new.holder_id <> old.holder_id or new.code_hash <> old.code_hash then
    raise exception 'a recovery code of % works once', old.holder_id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refund_may_revert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if old.tx_block is null or old.final_at is not null then
    raise exception 'the payout of refund % can not be taken back', old.id using errcode = 'check_violation';
  end if;
  -- The release before looks by the symbol, and writes nothing here. It may have looked for another contract.
  if old.tx_contract is not null and new.tx_contract is not null and exists (
      select from deployment_tokens t join deployment_networks n on n.chain = t.chain
       where n.name = old.network and t.symbol = old.token and t.contract <> old.tx_contract) then
    raise exception 'the payout of refund % was not looked for by the contract in which it was paid', old.id
      using errcode = 'check_violation';
  end if;
  insert into lost_payouts (refund_id, revert, network, tx_hash, transfers, contract, decimals, block, block_hash,
      lost_at, looked_at, absent_at)
    values (old.id, new.reverts, old.network, old.tx_hash, old.tx_transfers, old.tx_contract, old.tx_decimals,
      old.tx_block, old.tx_block_hash, new.updated_at, new.updated_at, new.updated_at);
  new.tx_contract := null;
  new.tx_decimals := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_assumption()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  raise exception 'what the request assumed does not hold' using errcode = 'KA001';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  raise exception '% % can not move from % to %', tg_argv[0], old.id, old.status, new.status using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_rewrite()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  raise exception '% % can not change %', tg_argv[0], old.id, tg_argv[1] using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.revive_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  stored jsonb;
  columns text;
begin
  perform from payments where id = new.payment_id for key share;
  if found then
    return new;
  end if;
  update pruned_payments set revived_at = new.seen_at
   where payment_id = new.payment_id and revived_at is null returning row_then into stored;
  if found then
    select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
     where attrelid = 'payments'::regclass and attnum > 0 and not attisdropped and stored ? attname::text;
    execute format('insert into payments (%1$s) select %1$s from jsonb_populate_record(null::payments, $1)', columns)
      using stored;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.roll_up_account(wanted text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from ledger_accounts where id = wanted for no key update;
  return add_account_deltas(array[wanted]);
end $function$;

CREATE OR REPLACE FUNCTION public.roll_up_months(merchant text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  taken integer;
begin
  perform pg_advisory_xact_lock(month_lock(merchant));
  with gone as (delete from month_deltas d where d.merchant_id = merchant returning d.*),
       added as (
         insert into ledger_months as m (merchant_id, month, kind, account, amount, journals)
         select merchant_id, month, kind, account, sum(amount)::bigint, sum(journals)::bigint from gone group by merchant_id, month, kind, account order by merchant_id, month, kind, account
         on conflict (merchant_id, month, kind, account)
         do update set amount = m.amount + excluded.amount, journals = m.journals + excluded.journals)
  select count(*) into taken from gone;
  return taken;
end $function$;

CREATE OR REPLACE FUNCTION public.roll_up_tallies(at_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  taken integer;
  sums tallies[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('kasi tallies', 0)) then
    return 0;
  end if;
  with gone as (
    delete from tally_deltas where ctid = any (array(select ctid from tally_deltas limit at_most)) returning *
  ), graded as (
    select d.list, d.owner, g.grain, g.start, d.slice, sum(d.count)::bigint, sum(d.amount)::bigint
      from gone d cross join lateral (values
  (0::smallint, '-infinity'::date), (1::smallint, date_trunc('month', d.day::timestamp)::date), (2::smallint, d.day)
) as g (grain, start) where g.start is not null
     group by d.list, d.owner, g.grain, g.start, d.slice
  )
  select (select count(*) from gone), (select array_agg(g::tallies) from graded g) into taken, sums;
  perform add_tallies(sums);
  return taken;
end $function$;

CREATE OR REPLACE FUNCTION public.seal_audit(waiting bigint[], bodies bytea[])
 RETURNS TABLE(sequence bigint, hash bytea)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  place bigint;
  current bytea;
  body bytea;
  before bigint;
  hashes bytea[] := '{}';
  wrong text;
begin
  perform pg_advisory_xact_lock(hashtext('seal_audit'), 0);
  select c.sequence, c.hash into place, current from audit_chain c order by c.sequence desc limit 1;
  if not found then
    place := 0;
    current := decode(repeat('00', 32), 'hex');
  end if;
  before := place;
  if cardinality(waiting) <> cardinality(bodies) then
    raise exception '% entries and % bodies', cardinality(waiting), cardinality(bodies);
  end if;
  select 'no audit entry waits as number ' || coalesce(w.id::text, 'null') into wrong
    from unnest(waiting) with ordinality as w (id, n)
   where not exists (select from unsealed_audit_entries u join audit_log a on a.id = u.entry_id where u.id = w.id)
   order by w.n limit 1;
  if wrong is null then
    select 'these are not the bytes of audit entry ' || a.id into wrong
      from unnest(waiting, bodies) with ordinality as w (id, body, n)
      join unsealed_audit_entries u on u.id = w.id join audit_log a on a.id = u.entry_id
     where convert_from(w.body, 'UTF8')::jsonb is distinct from audit_entry_json(a)
     order by w.n limit 1;
  end if;
  if wrong is not null then
    raise exception '%', wrong;
  end if;
  foreach body in array bodies loop
    place := place + 1;
    current := sha256('audit-v1\000'::bytea || int8send(place) || current || body);
    hashes := array_append(hashes, current);
  end loop;
  insert into audit_chain (sequence, entry_id, body, hash)
  select before + w.n, u.entry_id, w.body, w.hash
    from unnest(waiting, bodies, hashes) with ordinality as w (id, body, hash, n)
    join unsealed_audit_entries u on u.id = w.id order by w.n;
  delete from unsealed_audit_entries where id = any (waiting);
  return query select place, current;
end $function$;

CREATE OR REPLACE FUNCTION public.seal_audit_entries(waiting bigint[], metadatas json)
 RETURNS TABLE(sequence bigint, hash bytea)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  place bigint;
  current bytea;
  body bytea;
  before bigint;
  entries text[];
  bodies bytea[];
  hashes bytea[] := '{}';
  wrong text;
begin
  perform pg_advisory_xact_lock(hashtext('seal_audit'), 0);
  select c.sequence, c.hash into place, current from audit_chain c order by c.sequence desc limit 1;
  if not found then
    place := 0;
    current := decode(repeat('00', 32), 'hex');
  end if;
  before := place;
  if cardinality(waiting) <> json_array_length(metadatas) then
    raise exception '% entries and metadata of %', cardinality(waiting), json_array_length(metadatas);
  end if;
  select array_agg(e.id), array_agg(e.body),
         min('these are not the metadata of audit entry ' || e.id) filter (where e.differs)
    into entries, bodies, wrong
    from (
      select a.id, w.said::jsonb is distinct from a.metadata as differs,
             convert_to(row_to_json(b)::text, 'UTF8') as body
        from rows from (unnest(waiting), json_array_elements(metadatas)) with ordinality as w (id, said, n)
        join unsealed_audit_entries u on u.id = w.id
        join audit_log a on a.id = u.entry_id
       cross join lateral (
         select a.action, a.actor_id as "actorId", a.actor_type as "actorType", a.id, a.ip_address as "ipAddress",
                a.merchant_id as "merchantId", w.said as metadata, a.request_id as "requestId",
                a.resource_id as "resourceId", a.resource_type as "resourceType",
                regexp_replace(to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '')
                  || 'Z' as "timestamp",
                a.user_agent as "userAgent") b
       order by w.n) e;
  if cardinality(coalesce(entries, '{}')) <> cardinality(waiting) then
    select 'no audit entry waits as number ' || coalesce(w.id::text, 'null') into wrong
      from unnest(waiting) with ordinality as w (id, n)
     where not exists (select from unsealed_audit_entries u join audit_log a on a.id = u.entry_id where u.id = w.id)
     order by w.n limit 1;
  end if;
  if wrong is not null then
    raise exception '%', wrong;
  end if;
  foreach body in array coalesce(bodies, '{}') loop
    place := place + 1;
    current := sha256('audit-v1\000'::bytea || int8send(place) || current || body);
    hashes := array_append(hashes, current);
  end loop;
  insert into audit_chain (sequence, entry_id, body, hash)
  select before + w.n, w.entry, w.body, w.hash
    from unnest(entries, bodies, hashes) with ordinality as w (entry, body, hash, n);
  delete from unsealed_audit_entries where id = any (waiting);
  return query select place, current;
end $function$;

CREATE OR REPLACE FUNCTION public.seal_events(at_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  taken bigint[];
  event record;
  merchant text;
  place bigint;
  current bytea;
  merchants text[] := '{}';
  places bigint[] := '{}';
  sealed text[] := '{}';
  previous bytea[] := '{}';
  hashes bytea[] := '{}';
begin
  -- One at a time. The next begins after this one's commit, and so goes on from where it ended.
  if not pg_try_advisory_xact_lock(hashtext('seal_events'), 0) then
    return 0;
  end if;
  taken := array(select id from unsealed_events order by id limit at_most);
  for event in
    select e.id, e.merchant_id, e.body from unsealed_events u join events e on e.id = u.event_id
     where u.id = any (taken) order by e.merchant_id, u.id
  loop
    if event.merchant_id is distinct from merchant then
      merchant := event.merchant_id;
      select f.position, f.hash into place, current from event_feed f where f.merchant_id = merchant order by f.position desc limit 1;
      if not found then
        place := 0;
        current := decode(repeat('00', 32), 'hex');
      end if;
    end if;
    place := place + 1;
    previous := array_append(previous, current);
    current := sha256('event-v1\000'::bytea || int8send(place) || current || event.body);
    merchants := array_append(merchants, merchant);
    places := array_append(places, place);
    sealed := array_append(sealed, event.id);
    hashes := array_append(hashes, current);
  end loop;
  insert into event_feed (merchant_id, position, event_id, previous_hash, hash)
  select * from unnest(merchants, places, sealed, previous, hashes);
  delete from unsealed_events where id = any (taken);
  return cardinality(taken);
end $function$;

CREATE OR REPLACE FUNCTION public.seal_written_entries(at_most integer)
 RETURNS TABLE(sealed integer, sequence bigint, hash bytea)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  taken bigint[];
  entry record;
  before bigint;
  place bigint;
  current bytea;
  entries text[] := '{}';
  bodies bytea[] := '{}';
  hashes bytea[] := '{}';
begin
  -- One at a time. The next begins after this one's commit, and so goes on from where it ended.
  if not pg_try_advisory_xact_lock(hashtext('seal_audit'), 0) then
    return query select 0, null::bigint, null::bytea;
    return;
  end if;
  taken := array(select u.id from unsealed_audit_entries u order by u.id limit at_most);
  select c.sequence, c.hash into place, current from audit_chain c order by c.sequence desc limit 1;
  if not found then
    place := 0;
    current := decode(repeat('00', 32), 'hex');
  end if;
  before := place;
  for entry in
    select u.entry_id, u.body from unsealed_audit_entries u where u.id = any (taken) order by u.id
  loop
    if entry.body is null then
      return query select null::integer, null::bigint, null::bytea;
      return;
    end if;
    place := place + 1;
    current := sha256('audit-v1\000'::bytea || int8send(place) || current || entry.body);
    entries := array_append(entries, entry.entry_id);
    bodies := array_append(bodies, entry.body);
    hashes := array_append(hashes, current);
  end loop;
  insert into audit_chain (sequence, entry_id, body, hash)
  select before + w.n, w.entry_id, w.body, w.hash
    from unnest(entries, bodies, hashes) with ordinality as w (entry_id, body, hash, n);
  delete from unsealed_audit_entries where id = any (taken);
  return query select cardinality(taken), place, current;
end $function$;

CREATE OR REPLACE FUNCTION public.second_factor_goes_forward()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.holder_id <> old.holder_id then
    raise exception 'a second factor stays with %', old.holder_id using errcode = 'check_violation';
  end if;
  if old.enabled_at is not null
      and (new.enabled_at is distinct from old.enabled_at or new.last_step is null or new.last_step < old.last_step) then
    raise exception 'the second factor of % can not go back', old.holder_id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.share_accounts(merchants text[])
 RETURNS TABLE(id text, balance bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  debts text[] := array(select merchant || ':debt' from unnest(merchants) merchant);
  owing text[] := array(select a.owner_id from ledger_accounts a where a.id = any (debts) and a.balance <> 0);
begin
  perform case when merchant = any (owing) then pg_advisory_xact_lock(key) else pg_advisory_xact_lock_shared(key) end
     from (select merchant, money_lock(merchant) as key from unnest(merchants) merchant order by key) as locks;
  if exists (select from ledger_accounts a
              where a.id = any (debts) and a.balance <> 0 and not a.owner_id = any (owing)) then
    raise exception 'a merchant has come to owe meanwhile' using errcode = 'serialization_failure';
  end if;
  if owing <> '{}' then
    return query select * from lock_accounts(array(
      select merchant || kind from unnest(owing) merchant, unnest(array[':available', ':debt']) kind));
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.sum_month()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  sums ledger_months[];
  busy text[];
begin
  select array_agg((merchant_id, month, kind, account, amount, journals)::ledger_months order by merchant_id, month, kind, account) into sums from (
    select merchant_id, month, kind, account, sum(amount)::bigint as amount, count(*) filter (where line = 1) as journals
      from (
        select coalesce(a.owner_id, j.merchant_id) as merchant_id, j.kind, a.kind as account, e.amount,
               date_trunc('month', e.created_at at time zone 'UTC')::date as month,
               row_number() over (partition by e.journal_id order by e.account_id) as line
          from added e
          join (select named.journal_id, j.kind, j.merchant_id from (select distinct journal_id from added) as named
                 cross join lateral (select kind, merchant_id from journals where id = named.journal_id limit 1) j) j
         using (journal_id)
          join (select named.account_id, a.kind, a.owner_id from (select distinct account_id from added) as named
                 cross join lateral (select kind, owner_id from ledger_accounts where id = named.account_id limit 1) a) a
         using (account_id)
         where (a.owner_id is not null or a.kind = 'fees' and j.merchant_id is not null)) as lines
     group by merchant_id, month, kind, account) as summed;
  if sums is null then
    return null;
  end if;
  busy := array(
    select merchant_id from (select distinct merchant_id from unnest(sums) order by merchant_id) as named
     where not pg_try_advisory_xact_lock(month_lock(merchant_id)));
  insert into month_deltas (merchant_id, month, kind, account, amount, journals)
  select merchant_id, month, kind, account, amount, journals from unnest(sums) where merchant_id = any (busy);
  with gone as (
    delete from month_deltas
     where merchant_id = any (array(select merchant_id from unnest(sums) where merchant_id <> all (busy)))
    returning *)
  insert into ledger_months as m (merchant_id, month, kind, account, amount, journals)
  select merchant_id, month, kind, account, sum(amount)::bigint, sum(journals)::bigint from (
    select merchant_id, month, kind, account, amount, journals from unnest(sums) where merchant_id <> all (busy)
    union all select merchant_id, month, kind, account, amount, journals from gone) as added_now
   group by merchant_id, month, kind, account order by merchant_id, month, kind, account
  on conflict (merchant_id, month, kind, account) do update set amount = m.amount + excluded.amount, journals = m.journals + excluded.journals;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.sum_tallies(checked text, of_owner text, of_grain smallint, first_day date)
 RETURNS SETOF tallies
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  lacking tallies[];
begin
  select array_agg((checked, of_owner, of_grain, first_day, slice, count, amount)::tallies) into lacking
    from (
      select slice, sum(case when grain = of_grain then -count else count end)::bigint as count,
             sum(case when grain = of_grain then -amount else amount end)::bigint as amount
        from tallies
       where list = checked and owner = of_owner
         and (grain = of_grain and start = first_day
           or grain = of_grain + 1
             and (of_grain = 0 or start >= first_day and start < (first_day + interval '1 month')::date))
       group by slice
    ) as summed where count <> 0 or amount <> 0;
  perform add_tallies(lacking);
  return query select * from unnest(lacking);
end $function$;

CREATE OR REPLACE FUNCTION public.super_role_stays()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if old.is_super then
    raise exception 'the role % stays as it is', old.name using errcode = 'integrity_constraint_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION public.take_idempotency_key(wanted bytea, lock bigint, at timestamp with time zone, OUT taken boolean, OUT fingerprint bytea, OUT status smallint, OUT body bytea)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  taken := pg_try_advisory_xact_lock(lock);
  if taken then
    select k.fingerprint, k.status, k.body into fingerprint, status, body
      from idempotency_keys k where k.id = wanted and k.expires_at > at;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.take_payout_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  wanted integer[] := coalesce(new.tx_transfers, array[-1]);
  -- Of the coin, and of that what no receipt can show.
  is_coin boolean := -1 > all (wanted);
  is_unseen boolean := -2 > all (wanted);
begin
  delete from payout_transfers where payout_id = new.id;
  if new.tx_hash is null then
    return null;
  end if;
  -- Processes that take something of one transaction wait for each other: all of it and a part of it exclude each other.
  perform pg_advisory_xact_lock(hashtextextended('payout ' || new.network || ' ' || new.tx_hash, 0));
  if exists (select from payout_transfers t
              where t.network = new.network and t.tx_hash = new.tx_hash
                and (t.transfer_index = -1
                       and not is_unseen
                       and not (is_coin and is_paid_in_token(t.payout_id))
                       and not (new.tx_verified and exists (
                         select from withdrawals w where w.id = t.payout_id and w.destination_address is null))
                     or wanted = array[-1]
                       and not (t.transfer_index < -1 and is_paid_in_token(new.id)))) then
    raise exception 'transaction % has paid another payout', new.tx_hash
      using errcode = 'unique_violation', constraint = 'payout_transfer_once';
  end if;
  if exists (select from payout_transfers
              where network = new.network and tx_hash = new.tx_hash and transfer_index >= 1073741824)
     and exists (select from unnest(wanted) as w (index) where index between 0 and 1073741823) then
    raise exception 'a newer release has taken transfers of %, which this one does not know', new.tx_hash
      using errcode = 'check_violation';
  end if;
  insert into payout_transfers (network, tx_hash, transfer_index, payout_id)
    select new.network, new.tx_hash, index, new.id from unnest(wanted) as w (index);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_audit_log()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (
      select 'audit', '', array[actor_type, resource_type, action], (created_at at time zone 'UTC')::date, 0::bigint from written
      union all
      select 'audit', merchant_id, array[actor_type, resource_type, action], (created_at at time zone 'UTC')::date, 0::bigint from written where merchant_id is not null) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (select 'entries', account_id, '{}'::text[], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_journals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount)
  select 'movements', merchant_id, '{}', (created_at at time zone 'UTC')::date, count(*), 0 from written
   where merchant_id is not null group by 2, 4;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_merchants()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (select 'merchants', '', array[status], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_payment_link_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (select 'link_payments', link_id, '{}'::text[], null::date, amount_minor from written) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_payment_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (
      select 'links', merchant_id, array[case when disabled then 'disabled' else '' end,
             case when expiry_announced_at is null then '' else 'announced' end], (created_at at time zone 'UTC')::date, 0::bigint
        from written where deleted_at is null
      union all
      select 'link_expiries', merchant_id, '{}'::text[], (expires_at at time zone 'UTC')::date, 0
        from written where deleted_at is null and not disabled and expires_at is not null) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_payments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (
      select 'payments', merchant_id,
             array[status, source, currency, coalesce(exception, ''),
                   case when booked_suspense > 0 and status in ('paid', 'expired', 'failed') then 'waiting' else '' end],
             (created_at at time zone 'UTC')::date, greatest(booked_available, 0) from written) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_plans()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (
      select 'plans', merchant_id, array[case when active then 'active' else '' end], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_pruned_payments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (
      select 'pruned_payments', merchant_id, '{}'::text[], null::date, 0::bigint from written where revived_at is null) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_refunds()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (select 'refunds', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_subscriptions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (
      select 'subscriptions', merchant_id,
  array[status, case when cancel_requested_at is null then '' else 'leaving' end], (created_at at time zone 'UTC')::date, 0::bigint from written
      union all
      select 'subscriptions', plan_id,
  array[status, case when cancel_requested_at is null then '' else 'leaving' end], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_webhook_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (select 'deliveries', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_added_withdrawals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, count(*), sum(amount) from (
      select 'withdrawals', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from written
      union all
      select 'withdrawals', '', array[status], (created_at at time zone 'UTC')::date, 0 from written) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_merchants()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (select 'merchants', '', array[status], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (select 'merchants', '', array[status], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_payment_link_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (select 'link_payments', link_id, '{}'::text[], null::date, amount_minor from written) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (select 'link_payments', link_id, '{}'::text[], null::date, amount_minor from replaced) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_payment_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (
      select 'links', merchant_id, array[case when disabled then 'disabled' else '' end,
             case when expiry_announced_at is null then '' else 'announced' end], (created_at at time zone 'UTC')::date, 0::bigint
        from written where deleted_at is null
      union all
      select 'link_expiries', merchant_id, '{}'::text[], (expires_at at time zone 'UTC')::date, 0
        from written where deleted_at is null and not disabled and expires_at is not null) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (
      select 'links', merchant_id, array[case when disabled then 'disabled' else '' end,
             case when expiry_announced_at is null then '' else 'announced' end], (created_at at time zone 'UTC')::date, 0::bigint
        from replaced where deleted_at is null
      union all
      select 'link_expiries', merchant_id, '{}'::text[], (expires_at at time zone 'UTC')::date, 0
        from replaced where deleted_at is null and not disabled and expires_at is not null) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_payments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (
      select 'payments', merchant_id,
             array[status, source, currency, coalesce(exception, ''),
                   case when booked_suspense > 0 and status in ('paid', 'expired', 'failed') then 'waiting' else '' end],
             (created_at at time zone 'UTC')::date, greatest(booked_available, 0) from written) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (
      select 'payments', merchant_id,
             array[status, source, currency, coalesce(exception, ''),
                   case when booked_suspense > 0 and status in ('paid', 'expired', 'failed') then 'waiting' else '' end],
             (created_at at time zone 'UTC')::date, greatest(booked_available, 0) from replaced) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_plans()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (
      select 'plans', merchant_id, array[case when active then 'active' else '' end], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (
      select 'plans', merchant_id, array[case when active then 'active' else '' end], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_pruned_payments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (
      select 'pruned_payments', merchant_id, '{}'::text[], null::date, 0::bigint from written where revived_at is null) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (
      select 'pruned_payments', merchant_id, '{}'::text[], null::date, 0::bigint from replaced where revived_at is null) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_refunds()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (select 'refunds', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (select 'refunds', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_subscriptions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (
      select 'subscriptions', merchant_id,
  array[status, case when cancel_requested_at is null then '' else 'leaving' end], (created_at at time zone 'UTC')::date, 0::bigint from written
      union all
      select 'subscriptions', plan_id,
  array[status, case when cancel_requested_at is null then '' else 'leaving' end], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (
      select 'subscriptions', merchant_id,
  array[status, case when cancel_requested_at is null then '' else 'leaving' end], (created_at at time zone 'UTC')::date, 0::bigint from replaced
      union all
      select 'subscriptions', plan_id,
  array[status, case when cancel_requested_at is null then '' else 'leaving' end], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_webhook_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (select 'deliveries', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from written) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (select 'deliveries', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_changed_withdrawals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, sum(count), sum(amount) from (
    select r.*, 1 as count from (
      select 'withdrawals', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from written
      union all
      select 'withdrawals', '', array[status], (created_at at time zone 'UTC')::date, 0 from written) as r (list, owner, slice, day, amount)
    union all
    select list, owner, slice, day, -amount, -1 from (
      select 'withdrawals', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from replaced
      union all
      select 'withdrawals', '', array[status], (created_at at time zone 'UTC')::date, 0 from replaced) as r (list, owner, slice, day, amount)
  ) as c (list, owner, slice, day, amount, count)
  group by list, owner, slice, day having sum(count) <> 0 or sum(amount) <> 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_differs(checked text, of_owner text, of_grain smallint, first_day date)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (
    select from tallies
     where list = checked and owner = of_owner
       and (grain = of_grain and start = first_day
         or grain = of_grain + 1
           and (of_grain = 0 or start >= first_day and start < (first_day + interval '1 month')::date))
     group by slice
    having sum(case when grain = of_grain then -count else count end) <> 0
        or sum(case when grain = of_grain then -amount else amount end) <> 0)
$function$;

CREATE OR REPLACE FUNCTION public.tally_removed_merchants()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (select 'merchants', '', array[status], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_payment_link_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (select 'link_payments', link_id, '{}'::text[], null::date, amount_minor from replaced) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_payment_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (
      select 'links', merchant_id, array[case when disabled then 'disabled' else '' end,
             case when expiry_announced_at is null then '' else 'announced' end], (created_at at time zone 'UTC')::date, 0::bigint
        from replaced where deleted_at is null
      union all
      select 'link_expiries', merchant_id, '{}'::text[], (expires_at at time zone 'UTC')::date, 0
        from replaced where deleted_at is null and not disabled and expires_at is not null) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_payments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (
      select 'payments', merchant_id,
             array[status, source, currency, coalesce(exception, ''),
                   case when booked_suspense > 0 and status in ('paid', 'expired', 'failed') then 'waiting' else '' end],
             (created_at at time zone 'UTC')::date, greatest(booked_available, 0) from replaced) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_plans()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (
      select 'plans', merchant_id, array[case when active then 'active' else '' end], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_pruned_payments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (
      select 'pruned_payments', merchant_id, '{}'::text[], null::date, 0::bigint from replaced where revived_at is null) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_refunds()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (select 'refunds', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_subscriptions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (
      select 'subscriptions', merchant_id,
  array[status, case when cancel_requested_at is null then '' else 'leaving' end], (created_at at time zone 'UTC')::date, 0::bigint from replaced
      union all
      select 'subscriptions', plan_id,
  array[status, case when cancel_requested_at is null then '' else 'leaving' end], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_webhook_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (select 'deliveries', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from replaced) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_removed_withdrawals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tally_deltas (list, owner, slice, day, count, amount) 
  select list, owner, slice, day, -count(*), -sum(amount) from (
      select 'withdrawals', merchant_id, array[status], (created_at at time zone 'UTC')::date, 0::bigint from replaced
      union all
      select 'withdrawals', '', array[status], (created_at at time zone 'UTC')::date, 0 from replaced) as r (list, owner, slice, day, amount)
   group by list, owner, slice, day;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.withdrawal_approval_stays()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  raise exception 'withdrawal % was approved already', old.id using errcode = 'check_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.withdrawal_may_revert()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if old.tx_block is null or old.final_at is not null then
    raise exception 'the payout of withdrawal % can not be taken back', old.id using errcode = 'check_violation';
  end if;
  -- The release before looks by the symbol, and writes nothing here. It may have looked for another contract.
  if old.tx_contract is not null and new.tx_contract is not null and exists (
      select from deployment_tokens t join deployment_networks n on n.chain = t.chain
       where n.name = old.network and t.symbol = old.currency and t.contract <> old.tx_contract) then
    raise exception 'the payout of withdrawal % was not looked for by the contract in which it was paid', old.id
      using errcode = 'check_violation';
  end if;
  insert into lost_payouts (withdrawal_id, revert, network, tx_hash, transfers, contract, decimals, block, block_hash,
      lost_at, looked_at, absent_at)
    values (old.id, new.reverts, old.network, old.tx_hash, old.tx_transfers, old.tx_contract, old.tx_decimals,
      old.tx_block, old.tx_block_hash, new.updated_at, new.updated_at, new.updated_at);
  new.tx_contract := null;
  new.tx_decimals := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.withdrawal_moves()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  changeable text[] := array['sealed_bank_account', 'final_at', 'tx_block', 'tx_block_hash'];
begin
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'pending>approved', 'pending>rejected', 'approved>processing', 'approved>completed', 'approved>failed',
    'processing>completed', 'processing>failed', 'completed>processing'])) then
    raise exception 'withdrawal % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  -- All that its transaction did becomes a part of it, once, as the chain has shown.
  if old.status = 'completed' and old.tx_transfers is null and cardinality(new.tx_transfers) > 0 then
    changeable := changeable || array['tx_transfers', 'tx_verified', 'tx_contract', 'tx_decimals'];
  end if;
  -- One endpoint gave it transfers that are others', and it is given those that the chain shows instead.
  if old.status = 'completed' and old.tx_verified and is_placed_anew(new.id, old.tx_transfers, new.tx_transfers) then
    changeable := changeable || 'tx_transfers'::text;
  end if;
  if new.status = old.status and old.finished_at is not null
     and to_jsonb(new) - changeable <> to_jsonb(old) - changeable then
    raise exception 'withdrawal % is %, which is for good', old.id, old.status using errcode = 'check_violation';
  end if;
  if new.reverts <> old.reverts + (old.status = 'completed' and new.status = 'processing')::integer then
    raise exception 'withdrawal % was not taken back so often', old.id using errcode = 'check_violation';
  end if;
  if (new.id, new.merchant_id, new.method, new.amount_minor, new.fee_minor, new.currency, new.network, new.bank_account_tail,
      new.bank_name, new.bank_branch, new.created_at)
      is distinct from (old.id, old.merchant_id, old.method, old.amount_minor, old.fee_minor, old.currency, old.network,
      old.bank_account_tail, old.bank_name, old.bank_branch, old.created_at) then
    raise exception 'withdrawal % can not change what was asked', old.id using errcode = 'check_violation';
  end if;
  -- The address is the merchant's, or the platform's own as it was when somebody approved.
  if new.destination_address is distinct from old.destination_address
     and (old.method = 'crypto' or old.status <> 'pending') then
    raise exception 'withdrawal % can not go anywhere else', old.id using errcode = 'check_violation';
  end if;
  if old.status <> 'pending'
     and (new.reviewed_by, new.reviewed_at) is distinct from (old.reviewed_by, old.reviewed_at) then
    raise exception 'withdrawal % was reviewed already', old.id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.withdrawal_payer_stays()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  raise exception 'who began to pay withdrawal % never changes', old.id using errcode = 'check_violation';
end $function$;
