/** Nodes, their models, what is done on them and what is learned of them. */
export const nodeTables = `
  CREATE TABLE node (
    account_id text NOT NULL,
    id text NOT NULL,
    cluster_id text NOT NULL,
    name text NOT NULL,
    public_key bytea NOT NULL,
    state text NOT NULL,
    epoch bigint NOT NULL DEFAULT 0,
    platform text NOT NULL,
    agent_version text NOT NULL,
    last_seen_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    paused boolean NOT NULL DEFAULT false,
    confirmation_tries integer NOT NULL DEFAULT 0,
    CONSTRAINT node_pk PRIMARY KEY (account_id, id),
    CONSTRAINT node_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT node_cluster_fk FOREIGN KEY (account_id, cluster_id) REFERENCES cluster (account_id, id),
    CONSTRAINT node_state_check CHECK (state IN ('pending', 'active', 'revoked'))
  );
  CREATE UNIQUE INDEX node_id_key ON node (id);

  CREATE TABLE used_nonce (
    hash bytea NOT NULL,
    used_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT used_nonce_pk PRIMARY KEY (hash)
  );
  CREATE INDEX used_nonce_used_at ON used_nonce (used_at);

  CREATE TABLE model (
    account_id text NOT NULL,
    selector text NOT NULL,
    first_seen timestamptz NOT NULL,
    CONSTRAINT model_pk PRIMARY KEY (account_id, selector),
    CONSTRAINT model_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
  );

  CREATE TABLE node_model (
    account_id text NOT NULL,
    node_id text NOT NULL,
    selector text NOT NULL,
    display_name text NOT NULL,
    canonical_name text NOT NULL,
    CONSTRAINT node_model_pk PRIMARY KEY (account_id, node_id, selector),
    CONSTRAINT node_model_node_fk FOREIGN KEY (account_id, node_id) REFERENCES node (account_id, id) ON DELETE CASCADE,
    CONSTRAINT node_model_model_fk FOREIGN KEY (account_id, selector) REFERENCES model (account_id, selector)
  );
  -- Which nodes have a model is asked by the foreign key whenever a model goes.
  CREATE INDEX node_model_selector ON node_model (account_id, selector);

  CREATE TABLE operation (
    account_id text NOT NULL,
    id text NOT NULL,
    node_id text NOT NULL,
    node_name text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    engine text,
    model_key text,
    model text,
    source text,
    context_tokens integer,
    state text NOT NULL,
    phase text,
    completed_bytes bigint,
    total_bytes bigint,
    failure_code text,
    failure_message text,
    cancel_requested boolean NOT NULL DEFAULT false,
    created_by text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    finished_at timestamptz,
    load_after boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT operation_pk PRIMARY KEY (account_id, id),
    CONSTRAINT operation_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT operation_node_fk FOREIGN KEY (account_id, node_id) REFERENCES node (account_id, id) ON DELETE CASCADE,
    CONSTRAINT operation_kind_check CHECK (kind IN ('install', 'load', 'unload', 'remove')),
    CONSTRAINT operation_state_check CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled'))
  );
  CREATE UNIQUE INDEX operation_live_key ON operation (account_id, node_id, subject) WHERE state IN ('queued', 'running');
  CREATE INDEX operation_created ON operation (account_id, created_at, id);
  CREATE INDEX operation_changed ON operation (changed_at);

  CREATE TABLE learned_rate (
    account_id text NOT NULL,
    node_id text NOT NULL,
    model_key text NOT NULL,
    rates jsonb NOT NULL,
    observed_at timestamptz NOT NULL,
    CONSTRAINT learned_rate_pk PRIMARY KEY (account_id, node_id, model_key),
    CONSTRAINT learned_rate_node_fk FOREIGN KEY (account_id, node_id) REFERENCES node (account_id, id) ON DELETE CASCADE
  );
  CREATE INDEX learned_rate_observed ON learned_rate (observed_at);`;
