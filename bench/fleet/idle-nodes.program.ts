/**
 * Many idle nodes in one process, with a real handshake, real link sessions, an inventory, pings and the list of open streams. They have
 * no engine, no lock and no folder.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { NEVER, of } from 'rxjs';
import type * as dialling from '../../src/agent/connection/dial-relay.js';
import type { Link, LinkEvents } from '../../src/agent/connection/link.js';
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
  | { readonly kind: 'keep'; readonly count: number }
  /** Bytes of the heap and of buffers outside it, after a collection of all garbage. Needs `--expose-gc`. */
  | { readonly kind: 'memory' };

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

/** Each link ticks once a second, spread over it, like those of nodes that start at different times. */
const TICKS_PER_SECOND = 100;

const links: Link[] = [];
const nodes = new Map<NodeId, IdleNode>();
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

/** What all links of a node have in common. */
class IdleNode {
  readonly session: opening.OpenLinkOptions;
  private readonly key: ReturnType<typeof importNodeKey>;
  /** Of its first link. A further link without it would count as one of a newer process, and end those before it. */
  private epoch: number | undefined;

  constructor(
    private readonly nodeId: NodeId,
    { privateKey, modelsEach, distinctModels }: Extract<IdleNodesCommand, { kind: 'connect' }>,
  ) {
    this.key = importNodeKey(privateKey);
    const owner = distinctModels ? nodeId.slice(-8) : 'common';
    const models = Array.from({ length: modelsEach }, (_unused, index) => modelReport(`idle-${owner}-${index}`));
    this.session = {
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
      onAdmitted: () => undefined,
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
    };
  }

  async connect(relay: URL): Promise<void> {
    const { nodeId, key } = this;
    const socket = await dialRelay({
      relay,
      authorize: (nonce) => linkAuthorization({ nodeId, nonce, host: relay.host, key }),
      links: { linkedReplicas: [], epoch: this.epoch },
      timeoutMs: DIAL_TIMEOUT_MS,
      userAgent: 'ferry-bench',
      signal: new AbortController().signal,
    });
    await new Promise<void>((ready, failed) => {
      const link = openLink(socket, new IdleLinkEvents(this, ready, failed), this.session);
      link.start();
      links.push(link);
    });
  }

  admitted(epoch: number): void {
    this.epoch = epoch;
  }
}

/** A class: the loader of this program gives each function of an object a name, which takes 250 bytes that no node needs. */
class IdleLinkEvents implements LinkEvents {
  constructor(
    private readonly node: IdleNode,
    private readonly ready: () => void,
    private readonly failed: (error: Error) => void,
  ) {}

  onReady({ epoch }: Parameters<LinkEvents['onReady']>[0]): void {
    this.node.admitted(epoch);
    this.ready();
  }

  onGoAway(): void {
    return;
  }

  onReplicas(): void {
    return;
  }

  onClosed(_ending: unknown, detail: string): void {
    this.failed(new Error(detail));
    // After READY nothing awaits that promise any more, and lost nodes would make the rest look cheap.
    if (!leaving) process.stderr.write(`an idle node lost its link: ${detail}\n`);
  }
}

function nodeOf(command: Extract<IdleNodesCommand, { kind: 'connect' }>, nodeId: NodeId): IdleNode {
  const node = nodes.get(nodeId) ?? new IdleNode(nodeId, command);
  nodes.set(nodeId, node);
  return node;
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
  const relay = new URL(command.relayUrl);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const id of waiting) await persistently(() => nodeOf(command, id as NodeId).connect(relay));
    }),
  );
  return links.length;
}

let turn = 0;
setInterval(() => {
  turn = (turn + 1) % TICKS_PER_SECOND;
  for (let at = turn; at < links.length; at += TICKS_PER_SECOND) links[at]?.tick();
}, 1_000 / TICKS_PER_SECOND);

function keep(count: number): number {
  leaving = true;
  for (const link of links.splice(count)) link.close();
  return links.length;
}

async function memory(): Promise<number> {
  await globalThis.gc?.({ type: 'major', execution: 'async' });
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function response(command: IdleNodesCommand): number | Promise<number> {
  switch (command.kind) {
    case 'connect':
      return connect(command);
    case 'keep':
      return keep(command.count);
    case 'memory':
      return memory();
    default:
      return command satisfies never;
  }
}

process.on('message', (command: IdleNodesCommand) => {
  Promise.resolve(response(command)).then(
    (reply) => process.send?.({ reply }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
