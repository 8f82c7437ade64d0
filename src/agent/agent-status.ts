import type { EngineFact, StatusMessage } from '../link/messages.js';
import type { OperationView } from './operations/operation-manager.js';

/** Output of `ferry node status --json`. */
export interface AgentStatus {
  readonly pid: number;
  readonly node_id: string;
  readonly node_name: string;
  readonly relay_url: string;
  readonly connected: boolean;
  /** When the connection was made or lost, ISO 8601. */
  readonly since: string;
  readonly draining: boolean;
  readonly agent_version: string;
  /** Reported by the relay's last READY; null before. */
  readonly relay_version: string | null;
  /** The update command when this node is older than its relay or shares no link version with it; null otherwise. */
  readonly update: string | null;
  readonly engines: readonly EngineFact[];
  readonly models: readonly {
    readonly key: string;
    readonly display_name: string;
    readonly state: string;
    /** Why it cannot be loaded now: `engine_unreachable`; null otherwise. */
    readonly reason: string | null;
  }[];
  readonly slots: StatusMessage['engines'];
  /** Queued and running. */
  readonly operations: readonly OperationView[];
}
