/** The checks of `ferry doctor URL`: the path from this computer to a relay. Needs no sign-in and no node. */
import { systemClock } from '../../kernel/clock.js';
import { loadAgentSettings } from '../load-agent-settings.js';
import { agentVersion } from '../agent-version.js';
import { addressText, isLoopback } from '../connection/relay-address.js';
import { relayNetwork } from '../connection/relay-network.js';
import type { NodeIdentity } from '../enrolment/node-identity.js';
import { checkLink } from './check-link.js';
import { checkRelay } from './check-relay.js';
import { checkStream } from './check-stream.js';
import { checkWebSocket } from './check-websocket.js';
import { problem, type Finding } from './finding.js';

export const userAgent = `ferry-node/${agentVersion}`;

interface DiagnoseRelayOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly relay: URL;
}

/** @throws SettingsError */
export async function diagnoseRelay({ env, relay }: DiagnoseRelayOptions): Promise<readonly Finding[]> {
  const { values: settings } = loadAgentSettings(env);
  return [
    ...encryption(relay),
    ...(await pathFindings({ relay, caFile: settings.caFile, identity: undefined, forClients: true })),
  ];
}

const encryption = ({ protocol, hostname }: URL): readonly Finding[] =>
  protocol === 'https:' || isLoopback(hostname)
    ? []
    : [
        problem(
          'warn',
          'relay_tls',
          'the connection is not encrypted: prompts, answers and keys can be read on the network between',
          'outside of a trusted network, put TLS in front of the relay: docs/operate/deployment.md',
        ),
      ];

interface PathOptions {
  readonly relay: URL;
  readonly caFile: string | undefined;
  /** The identity of a node that is not connected: with it, a finding says whether the relay would admit the node. */
  readonly identity: NodeIdentity | undefined;
  /** Checks streamed responses, too, which nodes do not need. */
  readonly forClients: boolean;
}

/** The steps to the relay; behind the first one that fails, nothing can be said. */
export async function pathFindings({ relay, caFile, identity, forClients }: PathOptions): Promise<Finding[]> {
  try {
    const network = await relayNetwork(relay, caFile);
    const { dispatcher, socket, proxyHost } = network;
    try {
      const findings = await checkRelay({ relay, dispatcher, ca: socket.ca, proxyHost, userAgent, clock: systemClock });
      if (findings.some(({ verdict }) => verdict === 'fail')) return findings;
      const checks: Promise<Finding>[] = [];
      if (identity !== undefined) {
        const relayHost = addressText(relay) === identity.relay_url ? identity.relay_host : relay.host;
        checks.push(checkLink({ relay, relayHost, identity, network, userAgent }));
      }
      if (forClients) {
        checks.push(checkWebSocket({ relay, network, userAgent }));
        checks.push(checkStream({ relay, dispatcher, userAgent, clock: systemClock }));
      }
      return [...findings, ...(await Promise.all(checks))];
    } finally {
      await dispatcher.destroy();
    }
  } catch (error) {
    // The proxy or the certificate file that was configured; their messages say what to do.
    return [problem('fail', 'relay_tcp', (error as Error).message, 'correct the proxy or FERRY_CA_FILE')];
  }
}
