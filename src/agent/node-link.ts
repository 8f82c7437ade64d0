/** Assembles a link: dialling and authentication, HELLO and status, and the handlers of requests and operations. */
import { randomUUID } from 'node:crypto';
import { merge } from 'rxjs';
import type { Clock } from '../kernel/clock.js';
import type { HelloMessage, ModelReport, StatusMessage } from '../link/messages.js';
import type { AgentSettings } from './agent-settings.js';
import { agentVersion } from './agent-version.js';
import { dialRelay, DialError } from './connection/dial-relay.js';
import type { FailedAttempt, ConnectionManagerOptions } from './connection/connection-manager.js';
import { openLink, type LinkOperations, type OpenLinkOptions } from './connection/open-link.js';
import { isLoopback, parseRelayAddress } from './connection/relay-address.js';
import type { LinkMeter } from './connection/socket-transport.js';
import type { RelayNetwork } from './connection/relay-network.js';
import type { Timers } from './connection/timers.js';
import type { EngineCatalogue } from './engines/engine-catalogue.js';
import { linkAuthorization } from './enrolment/link-authorization.js';
import type { NodeIdentity } from './enrolment/node-identity.js';
import { importNodeKey } from './enrolment/node-key.js';
import type { HostMonitor } from './host/host-monitor.js';
import { ownSupervisor } from './host/supervisor.js';
import type { RequestServer } from './inference/request-server.js';

interface NodeLinkOptions {
  readonly settings: AgentSettings;
  readonly identity: NodeIdentity;
  /** The agent dials this address, and its host is the one that the signature covers. */
  readonly relay: URL;
  readonly relayHost: string;
  readonly network?: RelayNetwork | undefined;
  readonly nodeName: string;
  readonly catalogue: EngineCatalogue;
  readonly requests: RequestServer;
  readonly operations: LinkOperations;
  readonly host: Pick<HostMonitor, 'report' | 'changed$'>;
  /** Whether there are links to other replicas of the relay. */
  readonly hasSeveralLinks: () => boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onUnsendable: (model: ModelReport) => void;
  readonly onAdmitted: OpenLinkOptions['onAdmitted'];
  readonly onUnexpected: (error: unknown) => void;
  readonly meter: LinkMeter | undefined;
}

/** The `open` function that the connection manager calls for every connection. */
export function linkOpener(options: NodeLinkOptions): ConnectionManagerOptions['open'] {
  const { relay, relayHost, network, identity, settings } = options;
  const key = importNodeKey(identity.private_key);
  const sessionOptions = describeSession(options);
  return async (events, target, signal) => {
    try {
      const listed = target.address === null ? undefined : listedAddress(relay, target.address);
      const host = listed !== undefined && isLoopback(listed.hostname) ? listed.host : relayHost;
      const socket = await dialRelay({
        relay: listed ?? relay,
        network,
        links: target,
        authorize: (nonce) => linkAuthorization({ nodeId: identity.node_id, nonce, host, key }),
        timeoutMs: settings.dialTimeoutMs,
        userAgent: `ferry-node/${agentVersion}`,
        signal,
      });
      return openLink(socket, events, sessionOptions);
    } catch (error) {
      return failedAttempt(error);
    }
  };
}

/** An address that the relay listed; undefined: not one to dial, such as one without encryption where the relay's own has it. */
export function listedAddress(relay: URL, text: string): URL | undefined {
  try {
    return parseRelayAddress(text, { allowInsecure: relay.protocol === 'http:' });
  } catch {
    return undefined;
  }
}

function describeSession(options: NodeLinkOptions): OpenLinkOptions {
  const { settings, catalogue, requests, operations, host, clock, timers, nodeName, onUnsendable } = options;
  const { hasSeveralLinks, onAdmitted, onUnexpected, meter } = options;
  const processId = randomUUID();
  const supervisor = ownSupervisor();
  const hello = (): HelloMessage => ({
    protocol_versions: [1],
    agent_version: agentVersion,
    process_id: processId,
    node_name: nodeName,
    platform: `${process.platform}-${process.arch}`,
    engines: catalogue.facts(),
    ...(supervisor !== undefined && { supervisor }),
    features: [],
  });
  const status = (replica: string): StatusMessage => ({
    engines: hasSeveralLinks() ? catalogue.slots(replica) : catalogue.slots(),
    paused: false,
    draining: requests.closed,
    ...host.report(),
  });
  return {
    clock,
    limits: {
      handshakeTimeoutMs: settings.dialTimeoutMs,
      pingIntervalMs: settings.linkPingIntervalMs,
      deadAfterMs: settings.linkDeadAfterMs,
      backpressureTimeoutMs: settings.linkBackpressureTimeoutMs,
      streamsIntervalMs: settings.linkStreamsIntervalMs,
    },
    hello,
    serve: requests.serve,
    operations,
    reports: {
      models$: catalogue.models$,
      status,
      hasSeveralLinks,
      statusChanged$: merge(catalogue.slotsChanged$, requests.closed$, host.changed$),
      clock,
      timers,
      onUnsendable,
    },
    onAdmitted,
    onUnexpected,
    meter,
  };
}

function failedAttempt(error: unknown): FailedAttempt {
  if (!(error instanceof DialError)) return { outcome: { kind: 'lost' }, detail: String(error) };
  const { status, retryAfterMs, message } = error;
  if (status === 401 || status === 403) return { outcome: { kind: 'unauthorized' }, detail: message };
  if (status === 409) return { outcome: { kind: 'superseded' }, detail: message };
  if (status === 421) return { outcome: { kind: 'duplicate_home' }, detail: message };
  if (status === 426) return { outcome: { kind: 'incompatible' }, detail: message };
  return { outcome: { kind: 'lost', retryAfterMs }, detail: message };
}
