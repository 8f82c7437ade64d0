/** A real node: joined with a join token, running as a separate process, with the engines that a test specifies. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { joinCluster } from '../../../src/agent/enrolment/join-cluster.js';
import { loadAgentSettings } from '../../../src/agent/load-agent-settings.js';
import { eventually } from '../clock/eventually.js';
import { removeLater } from './at-exit.js';
import { FerryProcess } from './ferry-process.js';
import type { RelayClient } from './relay-client.js';

export type EngineEntry = Readonly<Record<string, unknown>> & {
  readonly kind: 'llamacpp' | 'llama-server' | 'ollama' | 'openai-compatible' | 'vllm';
};

export interface NodeOptions {
  readonly name?: string;
  readonly clusterId?: string;
  /** Absent: the built-in engine with `tiny` loaded. */
  readonly engines?: readonly EngineEntry[];
  readonly env?: Readonly<Record<string, string>>;
  /** It ends with the process that started it. */
  readonly supervised?: boolean;
}

interface InventoryRecord {
  readonly id: string;
  readonly selector: string;
  readonly loaded?: boolean;
  readonly display_name?: string;
}

export class TestNode {
  process!: FerryProcess;
  private nodeId = '';

  private constructor(
    readonly relay: RelayClient,
    readonly dataDirectory: string,
    private readonly extraEnv: Readonly<Record<string, string>>,
    private readonly supervised: boolean,
  ) {}

  /** Resolves when the node's first model is in the inventory. */
  static async start(relay: RelayClient, options: NodeOptions = {}): Promise<TestNode> {
    const dataDirectory = await mkdtemp(path.join(tmpdir(), 'ferry-node-'));
    const node = new TestNode(relay, dataDirectory, options.env ?? {}, options.supervised ?? false);
    if (options.engines !== undefined) {
      await mkdir(path.join(dataDirectory, 'node'), { recursive: true });
      await writeFile(path.join(dataDirectory, 'node/engines.json'), JSON.stringify({ engines: options.engines }));
    }
    const { join_token: token } = await relay.manage<{ join_token: string }>('POST', '/join-tokens', {
      ...(options.clusterId === undefined ? {} : { cluster_id: options.clusterId }),
    });
    // What `ferry node join` calls, without a process that loads it first: specs about joining start the command.
    const joined = await joinCluster({
      joinToken: token,
      relayUrl: relay.baseUrl,
      name: options.name ?? path.basename(dataDirectory),
      dataDirectory,
      caFile: loadAgentSettings(node.env).values.caFile,
    });
    node.nodeId = joined.nodeId;
    try {
      await node.run();
    } catch (error) {
      // Without models it would try again for as long as the computer runs.
      await node.stop();
      throw error;
    }
    return node;
  }

  get env(): Record<string, string> {
    return {
      FERRY_DATA_DIR: this.dataDirectory,
      FERRY_CONFIG_DIR: path.join(this.dataDirectory, 'config'),
      ...this.extraEnv,
    };
  }

  /** Starts the process (again) and waits until the relay reports it online with its models. */
  async run(): Promise<void> {
    const words = ['node', 'run'];
    this.process = this.supervised ? FerryProcess.supervised(words, this.env) : FerryProcess.start(words, this.env);
    // Before its first line of output it is only loading: asking the relay would take processor time from it.
    await this.process.said();
    await eventually(
      'the node is online with its models',
      async () => {
        if (!this.process.running) throw new Error(`the node ended: ${this.process.ending}`);
        return (await this.status()).online;
      },
      30_000,
    );
  }

  /** The node in the relay's management API. It counts as online once its models are known and none is loading. */
  async status(): Promise<{ node_id: string; online: boolean; models: readonly { state: string }[] }> {
    const nodeId = await this.id();
    const list = await this.relay.manage<{
      data: readonly { node_id: string; online: boolean; models: readonly { state: string }[] }[];
    }>('GET', '/nodes');
    const own = list.data.find((node) => node.node_id === nodeId);
    if (own === undefined) throw new Error(`node ${nodeId} is not in the list`);
    const settled = own.models.length > 0 && own.models.every((model) => model.state !== 'loading');
    return { ...own, online: own.online && settled };
  }

  /** The id that the relay gave it when it joined, which `ferry node status` shows as well. */
  id(): Promise<string> {
    return Promise.resolve(this.nodeId);
  }

  /** What is possible while this process ends. How a node ends is what other spec files look at. */
  endAtExit(): void {
    this.process.child.kill('SIGKILL');
    removeLater(this.dataDirectory);
  }

  async stop(): Promise<void> {
    try {
      if (this.process.running) await this.process.stop();
    } finally {
      await rm(this.dataDirectory, { recursive: true, force: true });
    }
  }
}

export const inventoryOf = async (
  relay: RelayClient,
  headers: Record<string, string> = {},
): Promise<InventoryRecord[]> => {
  const response = await relay.fetch('/v1/models', { headers });
  return ((await response.json()) as { data: InventoryRecord[] }).data;
};
