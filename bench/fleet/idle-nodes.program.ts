/**
 * Many idle nodes in one process, with a real handshake, real link sessions, an inventory, pings and the list of open streams. They have
 * no engine, no lock and no folder.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { NEVER, of } from 'rxjs';
import type * as dialling from '../../src/agent/connection/dial-relay.js';
import type { Link } from '../../src/agent/connection/link.js';
import type * as opening from '../../src/agent/connection/open-link.js';
import type * as timing from '../../src/agent/connection/timers.js';
import type * as authorizing from '../../src/agent/enrolment/link-authorization.js';
import type * as nodeKeys from '../../src/agent/enrolment/node-key.js';
import type * as clocks from '../../src/kernel/clock.js';
import type { NodeId } from '../../src/kernel/ids.js';
import type * as linkLimits from '../../src/link/link-limits.js';
import type { ModelReport } from '../../src/link/messages.js';
import { builtProgram } from '../built-program.js';

export type IdleNodesCommand =
  | {
      readonly kind: 'connect';
      readonly relayUrl: string;
      readonly privateKey: string;
      readonly ids: readonly string[];
      readonly modelsEach: number;
      /** True: every node has its own models. False: all have the same. */
      readonly distinctModels: boolean;
    }
  /** Disconnects all but this many. */
  | { readonly kind: 'keep'; readonly count: number };

const AT_ONCE = 32;
const ATTEMPTS = 5;
const DIAL_TIMEOUT_MS = 30_000;
const ENGINE = 'idle';

const dialRelay = (await builtProgram<typeof dialling>('agent/connection/dial-relay.js')).dialRelay;
const openLink = (await builtProgram<typeof opening>('agent/connection/open-link.js')).openLink;
const timers = (await builtProgram<typeof timing>('agent/connection/timers.js')).systemTimers;
const { linkAuthorization } = await builtProgram<typeof authorizing>('agent/enrolment/link-authorization.js');
const { importNodeKey } = await builtProgram<typeof nodeKeys>('agent/enrolment/node-key.js');
const clock = (await builtProgram<typeof clocks>('kernel/clock.js')).systemClock;
const limits = (await builtProgram<typeof linkLimits>('link/link-limits.js')).defaultLinkLimits;

const links: Link[] = [];
/** By node. A further link without it would count as one of a newer process, and end those before it. */
const epochs = new Map<string, number>();
let leaving = false;

const modelReport = (name: string): ModelReport => ({
  key: `${ENGINE}/${name}`,
  engine: ENGINE,
  engine_model: name,
  display_name: name,
  canonical_name: name,
  digest: null,
  quantization: 'Q4_K_M',
  size_bytes: 4_000_000_000,
  context_length: 32_768,
  state: 'loaded',
  dialects: ['chat'],
  inputs: ['text'],
  tools: true,
  reasoning: false,
  embedding: false,
});

const status = () => ({
  engines: [{ name: ENGINE, slots_total: 1, slots_used: 0, queue_depth: 0 }],
  paused: false,
  draining: false,
  memory_free_bytes: null,
});

async function connectOne(command: Extract<IdleNodesCommand, { kind: 'connect' }>, nodeId: NodeId): Promise<void> {
  const relay = new URL(command.relayUrl);
  const key = importNodeKey(command.privateKey);
  const socket = await dialRelay({
    relay,
    authorize: (nonce) => linkAuthorization({ nodeId, nonce, host: relay.host, key }),
    links: { linkedReplicas: [], epoch: epochs.get(nodeId) },
    timeoutMs: DIAL_TIMEOUT_MS,
    userAgent: 'ferry-bench',
    signal: new AbortController().signal,
  });
  const owner = command.distinctModels ? nodeId.slice(-8) : 'common';
  const models = Array.from({ length: command.modelsEach }, (_unused, index) => modelReport(`idle-${owner}-${index}`));
  await new Promise<void>((ready, failed) => {
    const link = openLink(
      socket,
      {
        onReady: ({ epoch }) => {
          epochs.set(nodeId, epoch);
          ready();
        },
        onGoAway: () => undefined,
        onReplicas: () => undefined,
        onClosed: (_ending, detail) => {
          failed(new Error(detail));
          // After READY nothing awaits that promise any more, and lost nodes would make the rest look cheap.
          if (!leaving) process.stderr.write(`an idle node lost its link: ${detail}\n`);
        },
      },
      {
        clock,
        limits,
        hello: () => ({
          protocol_versions: [1],
          agent_version: '0.0.0',
          process_id: nodeId,
          node_name: nodeId.slice(-8),
          platform: 'linux-x64',
          engines: [{ name: ENGINE, kind: 'openai-compatible', version: null }],
          features: [],
        }),
        serve: () => {
          throw new Error('an idle node got a request');
        },
        operations: { take: () => undefined, attach: () => undefined, detach: () => undefined },
        onRelayVersion: () => undefined,
        reports: {
          models$: of(models),
          status,
          hasSeveralLinks: () => false,
          statusChanged$: NEVER,
          clock,
          timers,
          onUnsendable: () => undefined,
        },
        onUnexpected: (error) => {
          process.stderr.write(`${String(error)}\n`);
        },
      },
    );
    link.start();
    links.push(link);
  });
}

/** Like real nodes, retries after a pause when the relay is too busy to accept the link. */
async function persistently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await delay(500 * attempt);
    }
  }
}

async function connect(command: Extract<IdleNodesCommand, { kind: 'connect' }>): Promise<number> {
  const waiting = command.ids.values();
  const before = links.length;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const id of waiting) await persistently(() => connectOne(command, id as NodeId));
    }),
  );
  // Spread over the second, like the ticks of nodes that start at different times.
  links.slice(before).forEach((link, index) => {
    setTimeout(() => setInterval(() => link.tick(), 1_000), (index % 100) * 10);
  });
  return links.length;
}

function keep(count: number): number {
  leaving = true;
  for (const link of links.splice(count)) link.close();
  return links.length;
}

process.on('message', (command: IdleNodesCommand) => {
  Promise.resolve(command.kind === 'connect' ? connect(command) : keep(command.count)).then(
    (reply) => process.send?.({ reply }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
