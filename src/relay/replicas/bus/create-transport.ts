import type { RelayConfig } from '../../platform/config/relay-config.js';
import type { BusRejections } from './bus-rejections.js';
import type { BusTransport } from './bus-transport.js';
import { LocalTransport } from './local-transport.js';
import { MessageSignature } from './message-signature.js';
import { NatsTransport } from './nats-transport.js';
import { SignedTransport } from './signed-transport.js';

/**
 * A connection to the bus, whose messages are signed; without NATS that of a relay alone.
 * @param purpose names it in the monitoring of the server
 * @throws Error for a `NATS_URL` that is none
 */
export function createTransport(
  { settings, replicaId, secret }: RelayConfig,
  purpose: 'control' | 'hop',
  pendingLimitBytes: number,
  rejections: BusRejections,
): BusTransport {
  const { natsUrl: address, natsSubjectPrefix, natsPingIntervalMs, natsConnectTimeoutMs } = settings;
  if (address === undefined) return new LocalTransport(replicaId);
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
