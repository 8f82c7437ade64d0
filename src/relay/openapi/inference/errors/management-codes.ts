import type { ErrorCode } from '../../../../kernel/errors/error-catalogue.js';

/** Codes of routes that the contract does not have. */
export const extensionCodes: readonly ErrorCode[] = ['not_implemented'];

/** Codes of the management API only. */
export const managementCodes: readonly ErrorCode[] = [
  'insufficient_role',
  'wrong_email_or_password',
  'recent_sign_in_needed',
  'cross_site_request',
  'sign_in_refused',
  'sign_up_closed',
  'not_found',
  'conflict',
  'link_used',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  'idempotency_key_reused',
  'idempotency_conflict',
  'operation_conflict',
  'too_many_operations',
  'node_offline',
  'catalog_unavailable',
];
