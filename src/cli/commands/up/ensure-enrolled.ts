import { ManagementApi } from '../../core/api/management-api.js';
import { isLoopbackHost } from '../../core/api/relay-address.js';
import { classifyAgentFailure } from '../node/agent-failure.js';

interface Enrolment {
  readonly directory: string;
  /** The relay listens here on this computer. */
  readonly localUrl: string;
  /** The relay's public URL: a node's signature covers its host unless it is loopback. */
  readonly publicUrl: string;
  readonly token: string;
  readonly clusterId: string;
}

/**
 * Makes this computer a node of the relay, unless it is one already: the stored identity may belong to another relay, or be revoked.
 * @returns its node id
 */
export async function ensureEnrolled(enrolment: Enrolment): Promise<string> {
  const { directory, localUrl, publicUrl, token, clusterId } = enrolment;
  const { joinCluster, readIdentity } = await import('../../../agent/preparation.js');
  const api = new ManagementApi({ baseUrl: localUrl, token });
  const identity = await readIdentity(directory);
  if (identity !== undefined) {
    const nodes = await api.list('/api/nodes');
    const known = nodes.some(({ node_id, status }) => node_id === identity.node_id && status === 'active');
    const { hostname, host } = new URL(publicUrl);
    const signsForIt = isLoopbackHost(hostname) || (identity.relay_host === host && identity.relay_url === localUrl);
    if (known && signsForIt) return identity.node_id;
    if (known) await api.delete('/api/nodes/{nodeId}', { path: { nodeId: identity.node_id } });
  }
  const { join_token: joinToken } = await api.post('/api/join-tokens', {
    body: {
      cluster_id: clusterId,
    },
  });
  const joined = await joinCluster({
    relayUrl: localUrl,
    joinToken,
    dataDirectory: directory,
    replace: true,
    allowInsecure: true,
  }).catch(async (error: unknown) => {
    throw classifyAgentFailure(await import('../../../agent/main.js'), error);
  });
  return joined.nodeId;
}
