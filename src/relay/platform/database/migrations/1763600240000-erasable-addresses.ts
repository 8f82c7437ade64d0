import type { MigrationInterface, QueryRunner } from 'typeorm';

const functionThat = (allows: string): string => `
  CREATE OR REPLACE FUNCTION audit_event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_setting('ferry.audit_retention', true) = 'on' THEN
      RETURN OLD;
    END IF;
    ${allows}
    RAISE EXCEPTION 'the audit trail is append-only';
  END $$`;

/** Of a removed person, names and e-mail addresses may be replaced. Who did what to what, when and from where stays as it is. */
const ERASURE = `
    IF TG_OP = 'UPDATE' AND current_setting('ferry.audit_erasure', true) = 'on'
      AND to_jsonb(NEW) - 'actor_name' - 'detail' = to_jsonb(OLD) - 'actor_name' - 'detail' THEN
      RETURN NEW;
    END IF;`;

export class ErasableAddresses1763600240000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(functionThat(ERASURE));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(functionThat(''));
  }
}
