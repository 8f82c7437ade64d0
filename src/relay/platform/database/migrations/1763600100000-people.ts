import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROLES = `('member', 'admin', 'owner')`;

/** People, and everything that proves who somebody is. Tokens made before it belong to nobody and keep doing everything. */
export class People1763600100000 implements MigrationInterface {
  name = 'People1763600100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
        CONSTRAINT user_role_check CHECK (role IN ${ROLES})
      )`);
    await runner.query('CREATE UNIQUE INDEX user_email_key ON "user" (email)');
    await runner.query('CREATE UNIQUE INDEX user_oidc_key ON "user" (oidc_issuer, oidc_subject)');
    await runner.query(`
      CREATE TABLE session (
        account_id text NOT NULL,
        id text NOT NULL,
        user_id text NOT NULL,
        digest bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_seen_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT session_pk PRIMARY KEY (account_id, id),
        CONSTRAINT session_user_fk FOREIGN KEY (account_id, user_id) REFERENCES "user" (account_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX session_id_key ON session (id)');
    await runner.query('CREATE INDEX session_by_user ON session (account_id, user_id)');
    await runner.query(`
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
        CONSTRAINT invite_role_check CHECK (role IN ${ROLES})
      )`);
    await runner.query('CREATE UNIQUE INDEX invite_id_key ON invite (id)');
    await runner.query(`
      CREATE TABLE sign_in_failure (
        key bytea NOT NULL,
        failures integer NOT NULL,
        first_failed_at timestamptz NOT NULL,
        last_failed_at timestamptz NOT NULL,
        CONSTRAINT sign_in_failure_pk PRIMARY KEY (key)
      )`);
    await runner.query('CREATE INDEX sign_in_failure_last ON sign_in_failure (last_failed_at)');
    await runner.query(`
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
        CONSTRAINT device_login_user_fk FOREIGN KEY (account_id, user_id)
          REFERENCES "user" (account_id, id) ON DELETE CASCADE,
        CONSTRAINT device_login_state_check CHECK (state IN ('pending', 'approved', 'denied'))
      )`);
    await runner.query('CREATE UNIQUE INDEX device_login_code_key ON device_login (user_code)');
    await runner.query('CREATE INDEX device_login_expires ON device_login (expires_at)');
    await runner.query(`
      ALTER TABLE cli_token
        ADD COLUMN user_id text,
        ADD COLUMN role text NOT NULL DEFAULT 'owner',
        ADD CONSTRAINT cli_token_role_check CHECK (role IN ${ROLES}),
        ADD CONSTRAINT cli_token_user_fk FOREIGN KEY (account_id, user_id)
          REFERENCES "user" (account_id, id) ON DELETE CASCADE`);
    await runner.query('CREATE INDEX cli_token_by_user ON cli_token (account_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    // Without their user these would open everything.
    await runner.query('DELETE FROM cli_token WHERE user_id IS NOT NULL');
    await runner.query('ALTER TABLE cli_token DROP COLUMN user_id, DROP COLUMN role');
    for (const table of ['device_login', 'sign_in_failure', 'invite', 'session', '"user"']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
