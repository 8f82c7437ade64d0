/**
 * Requests, their sums by the hour, and the responses to requests with an Idempotency-Key. `request_log` gets a row per request, so each
 * check and each index of it counts: metering looks up the account once per batch, and an account is deleted only while no relay runs.
 * Retention finds old rows by account, in `request_log_started`.
 */
export const usageTables = `
  CREATE TABLE request_log (
    account_id text NOT NULL,
    id text NOT NULL,
    started_at timestamptz NOT NULL,
    key_id text NOT NULL,
    node_id text,
    cluster_id text,
    model text,
    model_name text,
    dialect text NOT NULL,
    stream boolean NOT NULL,
    outcome text NOT NULL,
    code text,
    attempts integer NOT NULL,
    retried boolean NOT NULL,
    input_tokens integer NOT NULL,
    cached_tokens integer NOT NULL,
    output_tokens integer NOT NULL,
    reasoning_tokens integer NOT NULL,
    source text,
    queue_ms integer NOT NULL,
    ttft_ms integer,
    duration_ms integer NOT NULL,
    CONSTRAINT request_log_pk PRIMARY KEY (account_id, id)
  );
  CREATE INDEX request_log_started ON request_log (account_id, started_at, id);
  -- For the usage page, which counts errors by code: few of the requests in its range have failed.
  CREATE INDEX request_log_failed ON request_log (account_id, started_at, code) WHERE code IS NOT NULL;

  CREATE TABLE usage_hour (
    account_id text NOT NULL,
    hour timestamptz NOT NULL,
    key_id text NOT NULL,
    node_id text NOT NULL,
    cluster_id text NOT NULL,
    model text NOT NULL,
    dialect text NOT NULL,
    requests bigint NOT NULL DEFAULT 0,
    completed bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    cancelled bigint NOT NULL DEFAULT 0,
    timed_out bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0,
    input_tokens bigint NOT NULL DEFAULT 0,
    cached_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    reasoning_tokens bigint NOT NULL DEFAULT 0,
    estimated_requests bigint NOT NULL DEFAULT 0,
    CONSTRAINT usage_hour_pk PRIMARY KEY (account_id, hour, key_id, node_id, cluster_id, model, dialect),
    CONSTRAINT usage_hour_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
  );
  CREATE INDEX usage_hour_retention ON usage_hour (hour);

  CREATE TABLE usage_name (
    account_id text NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    seen_at timestamptz NOT NULL,
    CONSTRAINT usage_name_pk PRIMARY KEY (account_id, kind, id),
    CONSTRAINT usage_name_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
  );
  CREATE INDEX usage_name_retention ON usage_name (seen_at);

  CREATE TABLE idempotent_request (
    account_id text NOT NULL,
    key_digest bytea NOT NULL,
    parameters_digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    status integer,
    answer bytea,
    CONSTRAINT idempotent_request_pk PRIMARY KEY (account_id, key_digest),
    CONSTRAINT idempotent_request_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
  );
  CREATE INDEX idempotent_request_retention ON idempotent_request (created_at);`;
