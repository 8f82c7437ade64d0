/**
 * The audit trail. What has happened cannot be made not to have happened, not even by a mistake in the relay: only retention may forget it.
 * Of a removed person, names and e-mail addresses may be replaced; who did what to what, when and from where stays as it is.
 */
export const auditTables = `
  CREATE TABLE audit_event (
    account_id text NOT NULL,
    id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    position bigserial NOT NULL,
    actor_kind text NOT NULL,
    actor_user_id text,
    actor_credential_id text,
    actor_name text,
    action text NOT NULL,
    object_kind text NOT NULL,
    object_id text NOT NULL,
    detail jsonb NOT NULL,
    ip text,
    user_agent text,
    CONSTRAINT audit_event_pk PRIMARY KEY (account_id, id)
  );
  CREATE INDEX audit_event_created ON audit_event (account_id, created_at, position);
  CREATE INDEX audit_event_retention ON audit_event (created_at);

  CREATE FUNCTION audit_event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_setting('ferry.audit_retention', true) = 'on' THEN
      RETURN OLD;
    END IF;
    IF TG_OP = 'UPDATE' AND current_setting('ferry.audit_erasure', true) = 'on'
      AND to_jsonb(NEW) - 'actor_name' - 'detail' = to_jsonb(OLD) - 'actor_name' - 'detail' THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit trail is append-only';
  END $$;
  CREATE TRIGGER audit_event_rows BEFORE UPDATE OR DELETE ON audit_event
    FOR EACH ROW EXECUTE FUNCTION audit_event_is_append_only();
  CREATE TRIGGER audit_event_table BEFORE TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_append_only();`;
