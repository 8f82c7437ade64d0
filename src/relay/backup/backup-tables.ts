/**
 * Tables of a backup: referenced tables before the ones that refer to them, which is the order of a restore. A spec compares the list
 * with the migrated schema, so that a new table cannot be left out. Named, because a schema may hold tables of other programs.
 */
export const backupTables: readonly string[] = [
  'account',
  'cluster',
  'user',
  'api_key',
  'cli_token',
  'join_token',
  'node',
  'used_nonce',
  'model',
  'node_model',
  'operation',
  'session',
  'invite',
  'sign_in_failure',
  'device_login',
  'audit_event',
  'device_code',
  'request_log',
  'usage_hour',
  'usage_name',
  'idempotent_request',
  'console_link',
  'removed_person',
  'learned_rate',
];
