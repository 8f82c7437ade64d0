/**
 * Many nodes of one account in one process, with real handshakes, real link sessions, and the agent's real connection manager with its
 * back-off. They have no engines, locks or folders. Started by `Crowd`, which sends commands and awaits replies.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NEVER, of } from 'rxjs';
import type WebSocket from 'ws';
import { builtProgram } from '../../../bench/built-program.js';
import type * as dialling from '../../../src/agent/connection/dial-relay.js';
import type * as keeping from '../../../src/agent/connection/connection-manager.js';
import type * as opening from '../../../src/agent/connection/open-link.js';
import type * as policies from '../../../src/agent/connection/reconnect-policy.js';
import type * as timing from '../../../src/agent/connection/timers.js';
import type * as authorizing from '../../../src/agent/enrolment/link-authorization.js';
import type * as nodeKeys from '../../../src/agent/enrolment/node-key.js';
import type * as clocks from '../../../src/kernel/clock.js';
import type { NodeId } from '../../../src/kernel/ids.js';
import type * as linkLimits from '../../../src/link/link-limits.js';
import type * as databases from '../../../src/relay/platform/database/open-database.js';

export type CrowdOrder =
  /** Inserts nodes into the embedded database of a stopped relay, because enrolling as many with join tokens would take an hour. */
  | { readonly kind: 'enrol'; readonly dataDirectory: string; readonly count: number }
  | { readonly kind: 'connect'; readonly relayUrl: string }
  /** Breaks every connection at the same time. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'count' };

export interface CrowdCount {
  readonly connected: number;
  /** Connection attempts of all nodes since the start. */
  readonly dials: number;
  readonly refusals: number;
  /** Number of failures by HTTP status or network error. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Nodes that make no more attempts and would never return. */
  readonly stopped: number;
}

const DIAL_TIMEOUT_MS = 30_000;
const DATABASE = { queryTimeoutMs: 60_000, connectTimeoutMs: 10_000, poolSize: 1 };

const { dialRelay, DialError } = await builtProgram<typeof dialling>('agent/connection/dial-relay.js');
const { ConnectionManager } = await builtProgram<typeof keeping>('agent/connection/connection-manager.js');
const { openLink } = await builtProgram<typeof opening>('agent/connection/open-link.js');
const { ReconnectPolicy } = await builtProgram<typeof policies>('agent/connection/reconnect-policy.js');
const { systemTimers: timers } = await builtProgram<typeof timing>('agent/connection/timers.js');
const { linkAuthorization } = await builtProgram<typeof authorizing>('agent/enrolment/link-authorization.js');
const { createNodeKey } = await builtProgram<typeof nodeKeys>('agent/enrolment/node-key.js');
const { systemClock: clock } = await builtProgram<typeof clocks>('kernel/clock.js');
const { defaultLinkLimits: limits } = await builtProgram<typeof linkLimits>('link/link-limits.js');
const { openDatabase } = await builtProgram<typeof databases>('relay/platform/database/open-database.js');

/** All nodes share one key, which does not change the cost of verifying a signature. */
const key = createNodeKey();
const ids: NodeId[] = [];
const sockets = new Set<WebSocket>();
const keepers: keeping.ConnectionManager[] = [];
const reasons: Record<string, number> = {};
let [dials, refusals, stopped] = [0, 0, 0];

async function enrol(dataDirectory: string, count: number): Promise<void> {
  Logger.overrideLogger(false);
  for (let index = 0; index < count; index += 1) ids.push(`nd_${randomBytes(16).toString('hex')}` as NodeId);
  const database = await openDatabase({ embedded: { dataDir: path.join(dataDirectory, 'relay/pgdata') } }, DATABASE);
  const source = await new DataSource(database.options).initialize();
  const [account, cluster] = [`acc_${randomBytes(16).toString('hex')}`, `cl_${randomBytes(16).toString('hex')}`];
  await source.query('INSERT INTO account (id, name) VALUES ($1, $2)', [account, 'crowd']);
  await source.query('INSERT INTO cluster (account_id, id, name) VALUES ($1, $2, $3)', [account, cluster, 'crowd']);
  await source.query(
    `INSERT INTO node (account_id, id, cluster_id, name, public_key, state, platform, agent_version)
     SELECT $1, nodes.id, $2, 'crowd-' || place, $3, 'active', 'linux-x64', '0.0.0'
     FROM unnest($4::text[]) WITH ORDINALITY AS nodes (id, place)`,
    [account, cluster, Buffer.from(key.publicKey, 'base64url'), ids],
  );
  await source.destroy();
  await database.close();
}

const hello = (nodeId: NodeId) => ({
  protocol_versions: [1],
  agent_version: '0.0.0',
  process_id: nodeId,
  node_name: nodeId.slice(-8),
  platform: 'linux-x64',
  engines: [],
  features: [],
});

function keep(relay: URL, nodeId: NodeId): keeping.ConnectionManager {
  const open: keeping.ConnectionManagerOptions['open'] = async (events, _target, signal) => {
    dials += 1;
    try {
      const socket = await dialRelay({
        relay,
        authorize: (nonce) => linkAuthorization({ nodeId, nonce, host: relay.host, key }),
        timeoutMs: DIAL_TIMEOUT_MS,
        userAgent: 'ferry-crowd',
        signal,
      });
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return openLink(socket, events, {
        clock,
        limits,
        hello: () => hello(nodeId),
        serve: () => {
          throw new Error('a node without models got a request');
        },
        operations: { take: () => undefined, attach: () => undefined, detach: () => undefined },
        onAdmitted: () => undefined,
        reports: {
          models$: of([]),
          status: () => ({ engines: [], paused: false, draining: false, memory_free_bytes: null }),
          statusChanged$: NEVER,
          hasSeveralLinks: () => false,
          clock,
          timers,
          onUnsendable: () => undefined,
        },
        onUnexpected: (error) => process.stderr.write(`${String(error)}\n`),
      });
    } catch (error) {
      refusals += 1;
      const reason = /\(([^()]*)\)$/.exec(error instanceof Error ? error.message : '')?.[1] ?? 'other';
      reasons[reason] = (reasons[reason] ?? 0) + 1;
      const retryAfterMs = error instanceof DialError ? error.retryAfterMs : undefined;
      return { outcome: { kind: 'lost', retryAfterMs }, detail: String(error) };
    }
  };
  return new ConnectionManager({
    open,
    policy: new ReconnectPolicy(clock, Math.random),
    mayDial: () => false,
    random: Math.random,
    timers,
    onConnected: () => undefined,
    onDisconnected: () => undefined,
    onFurtherLinkFailed: () => undefined,
    onRefused: () => (stopped += 1),
  });
}

function connect(relayUrl: string): void {
  for (const id of ids) keepers.push(keep(new URL(relayUrl), id));
  for (const connection of keepers) connection.start();
  keepers.forEach((connection, index) => {
    setTimeout(() => setInterval(() => connection.tick(), 1_000), (index % 100) * 10);
  });
}

const count = (): CrowdCount => ({
  connected: keepers.filter(({ connected }) => connected).length,
  dials,
  refusals,
  reasons,
  stopped,
});

async function obey(order: CrowdOrder): Promise<CrowdCount> {
  switch (order.kind) {
    case 'enrol':
      await enrol(order.dataDirectory, order.count);
      break;
    case 'connect':
      connect(order.relayUrl);
      break;
    case 'drop':
      for (const socket of sockets) socket.terminate();
      break;
    case 'count':
      break;
    default:
      order satisfies never;
  }
  return count();
}

process.on('message', (order: CrowdOrder) => {
  obey(order).then(
    (reply) => process.send?.({ reply }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
