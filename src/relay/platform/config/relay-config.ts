import type { RelaySettings } from './relay-settings.js';

/** Injection token of `RelayConfig`. */
export const RELAY_CONFIG = Symbol('RELAY_CONFIG');

/** Everything the relay was told and worked out at start; one frozen object. */
export interface RelayConfig {
  readonly settings: RelaySettings;
  /** Absolute; the relay's own folder inside the data directory. */
  readonly dataDirectory: string;
  /** As shown to people. */
  readonly serviceName: string;
  /** `owned_by` in the inventory (spec §2.1): the service name in lower case. */
  readonly ownedBy: string;
  /** Of the package. */
  readonly version: string;
  /** Signs nonces and response hints. */
  readonly secret: string;
  /** Public address without a trailing slash or `/v1`. With port 0 and no `FERRY_BASE_URL` it is known once the relay listens; it throws before. */
  readonly baseUrl: string;
}
