import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeysNodesAudit1763600110000 implements MigrationInterface {
  name = 'KeysNodesAudit1763600110000';

  async up(runner: QueryRunner): Promise<void> {
    await createAuditTrail(runner);
    await runner.query(`
      ALTER TABLE api_key
        ADD COLUMN requests_per_minute integer,
        ADD COLUMN tokens_per_minute integer,
        ADD COLUMN concurrency integer,
        ADD COLUMN created_by text`);
    await runner.query(`
      ALTER TABLE node
        ADD COLUMN paused boolean NOT NULL DEFAULT false,
        ADD COLUMN confirmation_tries integer NOT NULL DEFAULT 0`);
    await createDeviceCodes(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_code');
    await runner.query('ALTER TABLE node DROP COLUMN paused, DROP COLUMN confirmation_tries');
    await runner.query(
      'ALTER TABLE api_key DROP COLUMN requests_per_minute, DROP COLUMN tokens_per_minute, DROP COLUMN concurrency, DROP COLUMN created_by',
    );
    await runner.query('DROP TABLE audit_event');
    await runner.query('DROP FUNCTION audit_event_is_append_only');
  }
}

async function createAuditTrail(runner: QueryRunner): Promise<void> {
  await runner.query(`
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
    )`);
  await runner.query('CREATE INDEX audit_event_created ON audit_event (account_id, created_at, position)');
  await runner.query('CREATE INDEX audit_event_retention ON audit_event (created_at)');
  // What has happened cannot be made not to have happened, not even by a mistake in the relay; only retention may forget it.
  await runner.query(`
    CREATE FUNCTION audit_event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' AND current_setting('ferry.audit_retention', true) = 'on' THEN
        RETURN OLD;
      END IF;
      RAISE EXCEPTION 'the audit trail is append-only';
    END $$`);
  await runner.query(`
    CREATE TRIGGER audit_event_rows BEFORE UPDATE OR DELETE ON audit_event
    FOR EACH ROW EXECUTE FUNCTION audit_event_is_append_only()`);
  await runner.query(`
    CREATE TRIGGER audit_event_table BEFORE TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_append_only()`);
}

async function createDeviceCodes(runner: QueryRunner): Promise<void> {
  await runner.query(`
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
    )`);
  await runner.query('CREATE UNIQUE INDEX device_code_user_code_key ON device_code (user_code)');
  await runner.query('CREATE INDEX device_code_expires_at ON device_code (expires_at)');
}
