/**
 * Every migration, oldest first. Each feature adds its own file `<timestamp>-<name>.ts` and its line here: no globs, because
 * they differ between source and build.
 */
import type { MigrationInterface } from 'typeorm';
import { Accounts1763600000000 } from './1763600000000-accounts.js';
import { Nodes1763600001000 } from './1763600001000-nodes.js';
import { Operations1763600002000 } from './1763600002000-operations.js';
import { People1763600100000 } from './1763600100000-people.js';
import { KeysNodesAudit1763600110000 } from './1763600110000-keys-nodes-audit.js';
import { Usage1763600120000 } from './1763600120000-usage.js';
import { Idempotency1763600130000 } from './1763600130000-idempotency.js';
import { ModelIndex1763600150000 } from './1763600150000-model-index.js';
import { LoadAfterInstall1763600160000 } from './1763600160000-load-after-install.js';
import { KeyDescription1763600170000 } from './1763600170000-key-description.js';
import { WebsiteAccess1763600180000 } from './1763600180000-website-access.js';
import { FailedRequests1763600190000 } from './1763600190000-failed-requests.js';
import { LearnedRates1763600210000 } from './1763600210000-learned-rates.js';
import { CheaperRequestLog1763600220000 } from './1763600220000-cheaper-request-log.js';
import { CredentialOwners1763600230000 } from './1763600230000-credential-owners.js';
import { ErasableAddresses1763600240000 } from './1763600240000-erasable-addresses.js';
import { OperationVersions1763600200000 } from './1763600200000-operation-versions.js';

type MigrationClass = new () => MigrationInterface;

export const migrations: MigrationClass[] = [
  Accounts1763600000000,
  Nodes1763600001000,
  Operations1763600002000,
  People1763600100000,
  KeysNodesAudit1763600110000,
  Usage1763600120000,
  Idempotency1763600130000,
  ModelIndex1763600150000,
  LoadAfterInstall1763600160000,
  KeyDescription1763600170000,
  WebsiteAccess1763600180000,
  FailedRequests1763600190000,
  OperationVersions1763600200000,
  LearnedRates1763600210000,
  CheaperRequestLog1763600220000,
  CredentialOwners1763600230000,
  ErasableAddresses1763600240000,
];
