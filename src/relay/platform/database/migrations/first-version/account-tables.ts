/** Accounts, their clusters and people, and what proves who a person is. */
export const accountTables = `
  CREATE TABLE account (
    id text NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT account_pk PRIMARY KEY (id)
  );

  CREATE TABLE cluster (
    account_id text NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT cluster_pk PRIMARY KEY (account_id, id),
    CONSTRAINT cluster_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX cluster_name_key ON cluster (account_id, name);

  CREATE TABLE "user" (
    account_id text NOT NULL,
    id text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password_hash text,
    password_expires_at timestamptz,
    oidc_issuer text,
    oidc_subject text,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_sign_in_at timestamptz,
    disabled_at timestamptz,
    CONSTRAINT user_pk PRIMARY KEY (account_id, id),
    CONSTRAINT user_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT user_email_check CHECK (email = lower(email)),
    CONSTRAINT user_role_check CHECK (role IN ('member', 'admin', 'owner'))
  );
  CREATE UNIQUE INDEX user_email_key ON "user" (email);
  CREATE UNIQUE INDEX user_oidc_key ON "user" (oidc_issuer, oidc_subject);

  CREATE TABLE session (
    account_id text NOT NULL,
    id text NOT NULL,
    user_id text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_seen_at timestamptz NOT NULL DEFAULT now(),
    ip text,
    user_agent text,
    CONSTRAINT session_pk PRIMARY KEY (account_id, id),
    CONSTRAINT session_user_fk FOREIGN KEY (account_id, user_id) REFERENCES "user" (account_id, id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX session_id_key ON session (id);
  CREATE INDEX session_by_user ON session (account_id, user_id);

  CREATE TABLE invite (
    account_id text NOT NULL,
    id text NOT NULL,
    digest bytea NOT NULL,
    role text NOT NULL,
    created_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    CONSTRAINT invite_pk PRIMARY KEY (account_id, id),
    CONSTRAINT invite_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT invite_role_check CHECK (role IN ('member', 'admin', 'owner'))
  );
  CREATE UNIQUE INDEX invite_id_key ON invite (id);

  CREATE TABLE removed_person (
    account_id text NOT NULL,
    digest bytea NOT NULL,
    removed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT removed_person_pk PRIMARY KEY (account_id, digest),
    CONSTRAINT removed_person_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
  );

  CREATE TABLE sign_in_failure (
    key bytea NOT NULL,
    failures integer NOT NULL,
    first_failed_at timestamptz NOT NULL,
    last_failed_at timestamptz NOT NULL,
    CONSTRAINT sign_in_failure_pk PRIMARY KEY (key)
  );
  CREATE INDEX sign_in_failure_last ON sign_in_failure (last_failed_at);`;
