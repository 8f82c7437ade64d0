/** A table with rows of accounts, and what an export shows of them. */
export interface AccountTable {
  readonly name: string;
  /** The column with the id of the account. */
  readonly owner: 'id' | 'account_id';
  readonly exported: readonly string[];
  /** Digests of credentials, codes that open something, and encrypted answers: of no use to a person, and of some use to a thief. */
  readonly withheld: readonly string[];
}

const table = (name: string, exported: string, withheld = ''): AccountTable => ({
  name,
  owner: 'account_id',
  exported: ['account_id', ...words(exported)],
  withheld: words(withheld),
});

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** A table whose rows name no account: they are neither exported nor deleted with one. Each says why they need not be. */
interface SharedTable {
  readonly name: string;
  readonly owner: null;
}

/**
 * Every table of the relay, referenced tables before the ones that refer to them: rows are restored in this order, and deleted in the
 * opposite one. A spec compares tables and columns with the migrated schema, so that a new one needs a decision here. Named, because a
 * schema may hold tables of other programs.
 */
const tables: readonly (AccountTable | SharedTable)[] = [
  { name: 'account', owner: 'id', exported: ['id', 'name', 'extensions', 'created_at'], withheld: [] },
  table('cluster', 'id name created_at'),
  table(
    'user',
    'id email name role password_expires_at oidc_issuer oidc_subject created_at last_sign_in_at disabled_at',
    'password_hash',
  ),
  table(
    'api_key',
    `id name description last4 scopes cluster_ids requests_per_minute tokens_per_minute concurrency created_by created_at expires_at
     rolled_at revoked_at last_used_at`,
    'digest',
  ),
  table('cli_token', 'id user_id bootstrap role name last4 created_at expires_at revoked_at', 'digest'),
  table('join_token', 'id cluster_id created_by created_at expires_at used_at node_id', 'hash'),
  table(
    'node',
    'id cluster_id name public_key state paused note tags confirmation_tries epoch platform agent_version last_seen_at stopped_at created_at',
  ),
  // Digests of random numbers, deleted when they have expired.
  { name: 'used_nonce', owner: null },
  table('model', 'selector first_seen'),
  table('node_model', 'node_id selector display_name canonical_name'),
  table(
    'operation',
    `id node_id node_name kind subject engine model_key model source context_tokens load_after state phase completed_bytes total_bytes
     failure_code failure_message cancel_requested created_by created_at updated_at finished_at dismissed_at version changed_at`,
  ),
  table('session', 'id user_id ip user_agent created_at last_seen_at', 'digest'),
  table('invite', 'id role created_by created_at expires_at used_at', 'digest'),
  // Counters under digests of e-mail address and network, deleted a day after the last failure.
  { name: 'sign_in_failure', owner: null },
  table(
    'device_login',
    'id state client_name client_address failed_tries created_at expires_at asked_at user_id role',
    'digest user_code',
  ),
  table(
    'audit_event',
    `id created_at position actor_kind actor_user_id actor_credential_id actor_name action object_kind object_id detail ip
     user_agent`,
  ),
  table('device_code', 'public_key node_name platform agent_version ip expires_at tries node_id', 'hash user_code'),
  table(
    'request_log',
    `id started_at key_id node_id cluster_id model model_name requested_model dialect stream outcome code message attempts
     retried input_tokens cached_tokens output_tokens reasoning_tokens source queue_ms ttft_ms duration_ms`,
  ),
  table(
    'usage_hour',
    `hour key_id node_id cluster_id model dialect requests completed failed cancelled timed_out rejected input_tokens cached_tokens
     output_tokens reasoning_tokens estimated_requests`,
  ),
  table('usage_name', 'kind id name seen_at'),
  table('idempotent_request', 'created_at status', 'key_digest parameters_digest answer'),
  table('console_link', 'id token_id created_at expires_at used_at', 'digest'),
  table('removed_person', 'removed_at', 'digest'),
  table('learned_rate', 'node_id model_key rates observed_at'),
  table('request_explanation', 'id ended_at record'),
  table(
    'node_sample',
    'node_id at slots_used slots_total memory_used_bytes memory_total_bytes gpu_used_bytes gpu_total_bytes',
  ),
];

/** In the order of a restore. */
export const backupTables: readonly string[] = tables.map(({ name }) => name);

/** In the order of a restore. */
export const accountTables: readonly AccountTable[] = tables.filter((found) => found.owner !== null);
