import type { CommandMessage, OpenMessage, ReadyMessage, ReplicasMessage } from '../../../src/link/messages.js';
import type { RelaySessionHandlers } from '../../../src/link/session/relay-session.js';
import type { RelayLinkStream } from '../../../src/link/stream/relay-stream.js';
import type { LinkSession } from '../../../src/relay/nodes/registry/node-connection.js';

/** A session that records calls and ends like the real one. */
export class FakeLinkSession implements LinkSession {
  readonly calls: string[] = [];
  openStreams = 0;
  freeStreams = 1_024;
  readonly roundTripMs = 12;
  bufferedBytes = 0;
  readyWith: ReadyMessage | undefined;
  private state: 'new' | 'ready' | 'leaving' | 'closed' = 'new';

  constructor(private readonly handlers: RelaySessionHandlers) {}

  get available(): boolean {
    return this.state === 'ready';
  }
  ready(message: ReadyMessage): void {
    this.state = 'ready';
    this.readyWith = message;
    this.calls.push('ready');
  }
  open({ request_id }: OpenMessage): RelayLinkStream {
    this.calls.push(`open ${request_id}`);
    return { id: 1, consumed: () => undefined, reset: () => false };
  }
  sendCommand({ verb }: CommandMessage): boolean {
    if (this.state !== 'ready') return false;
    this.calls.push(`command ${verb}`);
    return true;
  }
  sendReplicas({ live }: ReplicasMessage): void {
    if (this.state === 'ready') this.calls.push(`replicas ${live}`);
  }
  goAway({ reason }: { reason: string }): void {
    if (this.state === 'closed') return;
    this.state = 'leaving';
    this.calls.push(`goaway ${reason}`);
  }
  close(code: number, reason: string): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.calls.push(`close ${code} ${reason}`);
    this.handlers.onClosed('closed_here', reason);
  }
  tick(): void {
    this.calls.push('tick');
  }
}
