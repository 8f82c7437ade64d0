import type { QueryRunner } from 'typeorm';

/** What no export may show, in every column of that kind. */
export const SECRET = 'c0ffee5ec2e7';

/**
 * One row at least of an account in every table that has rows of accounts. Ids and names end in `suffix`, so that a row can be told from
 * that of another account.
 */
export async function insertAccountRows(runner: QueryRunner, suffix: string): Promise<string> {
  const account = `acc_${suffix}`;
  const statements: readonly string[] = [
    `account (id, name) VALUES ('${account}', 'name ${suffix}')`,
    `cluster (account_id, id, name) VALUES ('${account}', 'cl_${suffix}', 'home')`,
    `"user" (account_id, id, email, name, role, password_hash, oidc_issuer, oidc_subject)
       VALUES ('${account}', 'usr_${suffix}', '${suffix}@example.com', 'person', 'owner', '${SECRET}', 'https://id', '${suffix}')`,
    `api_key (account_id, id, digest, name, last4, scopes)
       VALUES ('${account}', 'key_${suffix}', '${secretOf(suffix)}', 'laptop', 'abcd', '{inference}')`,
    `cli_token (account_id, id, digest, name, last4, user_id)
       VALUES ('${account}', 'cli_${suffix}', '${secretOf(suffix)}', 'laptop', 'abcd', 'usr_${suffix}')`,
    `join_token (account_id, id, cluster_id, hash, expires_at)
       VALUES ('${account}', 'join_${suffix}', 'cl_${suffix}', '${secretOf(suffix)}', now())`,
    `node (account_id, id, cluster_id, name, public_key, state, platform, agent_version)
       VALUES ('${account}', 'nd_${suffix}', 'cl_${suffix}', 'desk', '\\x0a', 'active', 'linux', '1')`,
    `model (account_id, selector, first_seen) VALUES ('${account}', 'mdl_1', now())`,
    `node_model (account_id, node_id, selector, display_name, canonical_name)
       VALUES ('${account}', 'nd_${suffix}', 'mdl_1', 'tiny', 'tiny')`,
    `operation (account_id, id, node_id, node_name, kind, subject, state, created_at, updated_at)
       VALUES ('${account}', 'op_${suffix}', 'nd_${suffix}', 'desk', 'load', 'tiny', 'succeeded', now(), now())`,
    `session (account_id, id, user_id, digest, ip)
       VALUES ('${account}', 'ses_${suffix}', 'usr_${suffix}', '${secretOf(suffix)}', '192.0.2.1')`,
    `invite (account_id, id, digest, role, expires_at)
       VALUES ('${account}', 'inv_${suffix}', '${secretOf(suffix)}', 'member', now())`,
    `device_login (id, digest, user_code, state, client_name, expires_at, account_id, user_id, role)
       VALUES ('dl_${suffix}', '${secretOf(suffix)}', '${SECRET}${suffix}', 'approved', 'laptop', now(), '${account}',
         'usr_${suffix}', 'owner')`,
    `audit_event (account_id, id, actor_kind, actor_user_id, action, object_kind, object_id, detail)
       VALUES ('${account}', 'evt_${suffix}', 'session', 'usr_${suffix}', 'key.create', 'key', 'key_${suffix}', '{"n": 1}')`,
    `device_code (hash, user_code, public_key, node_name, platform, agent_version, ip, expires_at, account_id, node_id)
       VALUES ('${secretOf(suffix)}', '${SECRET}${suffix}', '\\x0a', 'desk', 'linux', '1', '192.0.2.1', now(), '${account}',
         'nd_${suffix}')`,
    `request_log (account_id, id, started_at, key_id, dialect, stream, outcome, attempts, retried, input_tokens, cached_tokens,
         output_tokens, reasoning_tokens, queue_ms, duration_ms)
       VALUES ('${account}', 'req_${suffix}', '2026-01-02 03:04:05Z', 'key_${suffix}', 'chat', true, 'completed', 1, false, 1, 0, 1,
         0, 0, 5)`,
    `usage_hour (account_id, hour, key_id, node_id, cluster_id, model, dialect)
       VALUES ('${account}', '2026-01-02 03:00Z', 'key_${suffix}', 'nd_${suffix}', 'cl_${suffix}', 'mdl_1', 'chat')`,
    `usage_name (account_id, kind, id, name, seen_at) VALUES ('${account}', 'key', 'key_${suffix}', 'laptop', now())`,
    `idempotent_request (account_id, key_digest, parameters_digest, status, answer)
       VALUES ('${account}', '${secretOf(suffix)}', '${secretOf(suffix)}', 200, '${secretOf(suffix)}')`,
    `console_link (account_id, id, token_id, digest, expires_at)
       VALUES ('${account}', 'lnk_${suffix}', 'cli_${suffix}', '${secretOf(suffix)}', now())`,
    `removed_person (account_id, digest) VALUES ('${account}', '${secretOf(suffix)}')`,
    `learned_rate (account_id, node_id, model_key, rates, observed_at)
       VALUES ('${account}', 'nd_${suffix}', 'tiny', '{}', now())`,
    `request_explanation (account_id, id, ended_at, record) VALUES ('${account}', 'req_${suffix}', now(), '{"id": "req_${suffix}"}')`,
    `node_sample (account_id, node_id, at, slots_used, slots_total) VALUES ('${account}', 'nd_${suffix}', now(), 0, 4)`,
  ];
  for (const statement of statements) await runner.query(`INSERT INTO ${statement}`);
  return account;
}

/** As `bytea`, different for each account: digests are unique. */
const secretOf = (suffix: string): string => `\\x${SECRET}${Buffer.from(suffix).toString('hex')}`;
