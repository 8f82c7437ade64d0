/** Tables of credentials, and of whatever becomes one. */
export const credentialTables = `
  CREATE TABLE api_key (
    account_id text NOT NULL,
    id text NOT NULL,
    digest bytea NOT NULL,
    name text NOT NULL,
    last4 text NOT NULL,
    scopes text[] NOT NULL,
    cluster_ids text[],
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    requests_per_minute integer,
    tokens_per_minute integer,
    concurrency integer,
    created_by text,
    description text,
    CONSTRAINT api_key_pk PRIMARY KEY (account_id, id),
    CONSTRAINT api_key_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX api_key_id_key ON api_key (id);
  CREATE UNIQUE INDEX api_key_digest_key ON api_key (digest);
  CREATE UNIQUE INDEX api_key_name_key ON api_key (account_id, name) WHERE revoked_at IS NULL;

  -- Every token belongs to a person or to the relay (docs/reference/security.md#when-credentials-end).
  CREATE TABLE cli_token (
    account_id text NOT NULL,
    id text NOT NULL,
    digest bytea NOT NULL,
    name text NOT NULL,
    last4 text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    user_id text,
    role text NOT NULL DEFAULT 'owner',
    bootstrap boolean NOT NULL DEFAULT false,
    CONSTRAINT cli_token_pk PRIMARY KEY (account_id, id),
    CONSTRAINT cli_token_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT cli_token_user_fk FOREIGN KEY (account_id, user_id) REFERENCES "user" (account_id, id) ON DELETE CASCADE,
    CONSTRAINT cli_token_owner_check CHECK ((user_id IS NULL) = bootstrap),
    CONSTRAINT cli_token_role_check CHECK (role IN ('member', 'admin', 'owner'))
  );
  CREATE UNIQUE INDEX cli_token_id_key ON cli_token (id);
  CREATE UNIQUE INDEX cli_token_digest_key ON cli_token (digest);
  CREATE INDEX cli_token_by_user ON cli_token (account_id, user_id);

  CREATE TABLE join_token (
    account_id text NOT NULL,
    id text NOT NULL,
    cluster_id text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    node_id text,
    created_by text,
    CONSTRAINT join_token_pk PRIMARY KEY (account_id, id),
    CONSTRAINT join_token_cluster_fk FOREIGN KEY (account_id, cluster_id) REFERENCES cluster (account_id, id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX join_token_hash_key ON join_token (hash);

  CREATE TABLE console_link (
    account_id text NOT NULL,
    id text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    token_id text NOT NULL,
    CONSTRAINT console_link_pk PRIMARY KEY (account_id, id),
    CONSTRAINT console_link_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT console_link_token_fk FOREIGN KEY (account_id, token_id) REFERENCES cli_token (account_id, id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX console_link_id_key ON console_link (id);

  CREATE TABLE device_login (
    id text NOT NULL,
    digest bytea NOT NULL,
    user_code text NOT NULL,
    state text NOT NULL,
    client_name text NOT NULL,
    client_address text,
    failed_tries integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    asked_at timestamptz,
    account_id text,
    user_id text,
    role text,
    CONSTRAINT device_login_pk PRIMARY KEY (id),
    CONSTRAINT device_login_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT device_login_user_fk FOREIGN KEY (account_id, user_id) REFERENCES "user" (account_id, id) ON DELETE CASCADE,
    CONSTRAINT device_login_state_check CHECK (state IN ('pending', 'approved', 'denied'))
  );
  CREATE UNIQUE INDEX device_login_code_key ON device_login (user_code);
  CREATE INDEX device_login_expires ON device_login (expires_at);

  CREATE TABLE device_code (
    hash bytea NOT NULL,
    user_code text NOT NULL,
    public_key bytea NOT NULL,
    node_name text NOT NULL,
    platform text NOT NULL,
    agent_version text NOT NULL,
    ip text NOT NULL,
    expires_at timestamptz NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    account_id text,
    node_id text,
    CONSTRAINT device_code_pk PRIMARY KEY (hash)
  );
  CREATE UNIQUE INDEX device_code_user_code_key ON device_code (user_code);
  CREATE INDEX device_code_expires_at ON device_code (expires_at);`;
