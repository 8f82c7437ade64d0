import type { RelayConfig } from '../../platform/config/relay-config.js';
import type { BusRejections } from './bus-rejections.js';
import type { BusTransport } from './bus-transport.js';
import { HostTransport } from './host-transport.js';
import { LocalTransport } from './local-transport.js';
import { MessageSignature } from './message-signature.js';
import { NatsTransport } from './nats-transport.js';
import { SignedTransport } from './signed-transport.js';

/**
 * A connection to the bus. On NATS, which others may reach, messages are signed; without NATS it is that of the workers of this host, or of a relay
 * alone.
 * @param purpose names it in the monitoring of the server
 * @throws Error for a `NATS_URL` that is none
 */
export function createTransport(
  { settings, replicaId, secret, primary }: RelayConfig,
  purpose: 'control' | 'hop',
  pendingLimitBytes: number,
  rejections: BusRejections,
): BusTransport {
  const { natsUrl: address, natsSubjectPrefix, natsPingIntervalMs, natsConnectTimeoutMs } = settings;
  if (address === undefined) {
    return primary === null
      ? new LocalTransport(replicaId)
      : new HostTransport({ replicaId, link: primary, channel: purpose, pendingLimitBytes });
  }
  const nats = new NatsTransport({
    replicaId,
    address,
    purpose,
    subjectPrefix: natsSubjectPrefix,
    pingIntervalMs: natsPingIntervalMs,
    connectTimeoutMs: natsConnectTimeoutMs,
    pendingLimitBytes,
  });
  return new SignedTransport(nats, replicaId, new MessageSignature(secret), rejections);
}
