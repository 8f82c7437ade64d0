import type { NodeId } from '../../../kernel/ids.js';
import { FixedWindow } from '../../platform/limits/fixed-window.js';
import { addressBlock } from '../../platform/http/client-origin.js';

export interface HandshakeRates {
  readonly linkUpgradesPerMinute: number;
  readonly linkFailedAuthenticationsPerMinute: number;
}

const ENROLMENTS_PER_MINUTE = 60;
const CHECKS_PER_MINUTE = 30;

const perMinute = (limit: number): FixedWindow => new FixedWindow({ limit, windowSeconds: 60 });

/**
 * Counts connections per node, enrolments, checks and failures per address (docs/reference/security.md#nodes). Each method returns the seconds
 * to wait, or undefined.
 */
export class HandshakeLimits {
  private readonly upgrades: FixedWindow;
  private readonly failures: FixedWindow;
  private readonly enrolments = perMinute(ENROLMENTS_PER_MINUTE);
  private readonly checks = perMinute(CHECKS_PER_MINUTE);

  constructor({ linkUpgradesPerMinute, linkFailedAuthenticationsPerMinute }: HandshakeRates) {
    this.upgrades = perMinute(linkUpgradesPerMinute);
    this.failures = perMinute(linkFailedAuthenticationsPerMinute);
  }

  upgrade(nodeId: NodeId): number | undefined {
    return this.upgrades.take(nodeId);
  }

  enrolment(address: string): number | undefined {
    return this.enrolments.take(addressBlock(address));
  }

  check(address: string): number | undefined {
    return this.checks.take(addressBlock(address));
  }

  failed(address: string): void {
    this.failures.take(addressBlock(address));
  }

  /** Whether the address has used up its failures. Counts nothing. */
  blocked(address: string): number | undefined {
    return this.failures.peek(addressBlock(address));
  }
}
