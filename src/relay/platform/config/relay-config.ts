import { createReplicaId, type ReplicaId } from '../../../kernel/ids.js';
import type { PrimaryLink } from '../workers/primary-link.js';
import type { RelaySettings } from './relay-settings.js';
import { readFileSync } from 'node:fs';

/** Injection token of `RelayConfig`. */
export const RELAY_CONFIG = Symbol('RELAY_CONFIG');

/** Configuration of a running relay; frozen. */
export interface RelayConfig {
  readonly settings: RelaySettings;
  /** Absolute; the relay's own folder inside the data directory. */
  readonly dataDirectory: string;
  /** Display name. */
  readonly serviceName: string;
  /** `owned_by` in the inventory (docs/reference/public-api.md#model-record): the service name in lower case. */
  readonly ownedBy: string;
  /** The version of the package. */
  readonly version: string;
  /** Tells this process from the other replicas of the relay. */
  readonly replicaId: ReplicaId;
  /** Of a worker process; null where the relay is one process. */
  readonly primary: PrimaryLink | null;
  /** Other processes serve the same relay: on this host or elsewhere, connected by a bus. */
  readonly replicated: boolean;
  /** Signs nonces and response hints. */
  readonly secret: string;
  /** Public address without a trailing slash or `/v1`. Without `FERRY_BASE_URL` it is known once the relay listens; it throws before. */
  readonly baseUrl: string;
}

export interface RelayConfigParts {
  readonly settings: RelaySettings;
  readonly dataDirectory: string;
  readonly version: string;
  readonly secret: string;
  readonly primary?: PrimaryLink | null;
}

export interface PendingRelayConfig {
  readonly config: RelayConfig;
  /** Call it once, when the relay listens. `FERRY_BASE_URL` wins over it. */
  readonly listensAt: (address: string) => void;
}

export function createRelayConfig({
  settings,
  dataDirectory,
  version,
  secret,
  primary = null,
}: RelayConfigParts): PendingRelayConfig {
  let baseUrl = settings.baseUrl?.replace(/\/+$/, '').replace(/\/v1$/, '');
  const config: RelayConfig = {
    settings,
    dataDirectory,
    version,
    replicaId: createReplicaId(),
    secret,
    primary,
    replicated: settings.natsUrl !== undefined || primary !== null,
    serviceName: settings.serviceName,
    ownedBy: settings.serviceName.toLowerCase(),
    get baseUrl() {
      if (baseUrl === undefined) throw new Error('the address of the relay is known only after it listens');
      return baseUrl;
    },
  };
  return {
    config: Object.freeze(config),
    listensAt: (address) => {
      baseUrl ??= address;
    },
  };
}

/** Read rather than imported: `package.json` lies outside of what the build compiles, at the same distance from `src` and `dist`. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
