/** A real engine, and a node that has found it by itself, on an account of the shared relay. */
import { eventually } from '../support/clock/eventually.js';
import type { Tenant } from '../support/process/tenant.js';
import { inventoryOf, TestNode } from '../support/process/test-node.js';
import type { RealEngine, RunningEngine } from './real-engine.js';
import { responseOf, type ReceivedResponse, type Route } from './responses.js';
import { bodyOf, pathOf, type Question } from './questions.js';

const SEARCH_MS = '500';
const SETTLED_MS = 30_000;

export interface NodeModel {
  /** Of the node: that of the engine and the model's. */
  readonly key: string;
  /** The engine's name of it. */
  readonly name: string;
  readonly state: string;
  readonly reason: string | null;
  readonly health: string;
  readonly context_length: number | null;
}

interface NodeRecord {
  readonly node_id: string;
  readonly engines: readonly { readonly name: string; readonly kind: string; readonly version: string | null }[];
  readonly models: readonly NodeModel[];
}

type Listed<Part> = Omit<Part, 'name'> & { readonly engine: string };

interface Operation {
  readonly id: string;
  readonly state: string;
  readonly failure: { readonly code: string; readonly message: string } | null;
}

export class RealDeployment {
  private publicName = '';

  private constructor(
    readonly relay: Tenant,
    readonly running: RunningEngine,
    private readonly node: TestNode,
  ) {}

  static async begin(relay: Tenant, engine: RealEngine): Promise<RealDeployment> {
    const running = await engine.begin();
    try {
      const env = {
        FERRY_DISCOVERY: 'on',
        FERRY_DISCOVERY_PORTS: new URL(running.url).port,
        FERRY_DISCOVERY_INTERVAL_MS: SEARCH_MS,
      };
      const deployment = new RealDeployment(relay, running, await TestNode.start(relay, { engines: [], env }));
      await deployment.residentWhen(({ state }) => state === 'loaded');
      deployment.publicName = await eventually('it is public', async () => {
        const loaded = (await inventoryOf(relay)).filter((model) => model.loaded === true);
        return loaded.length === 1 ? loaded[0]?.id : undefined;
      });
      return deployment;
    } catch (error) {
      await running.stop();
      throw error;
    }
  }

  async end(): Promise<void> {
    try {
      await this.node.stop();
    } finally {
      await this.running.stop();
    }
  }

  async record(): Promise<NodeRecord> {
    type Own = Omit<NodeRecord, 'models'> & { readonly models: readonly Listed<NodeModel>[] };
    const { data } = await this.relay.manage<{ data: readonly Own[] }>('GET', '/nodes');
    const id = await this.node.id();
    const own = data.find(({ node_id }) => node_id === id);
    if (own === undefined) throw new Error('the node is not in the list');
    const models = own.models.map((model) => ({ ...model, name: model.key.slice(model.engine.length + 1) }));
    return { ...own, models };
  }

  /** Waits until the model that was resident at the start is so. */
  residentWhen(is: (model: NodeModel) => boolean): Promise<NodeModel> {
    return eventually(
      `${this.running.resident} is so`,
      async () => {
        const { models } = await this.record();
        const model = models.find(({ name }) => name === this.running.resident);
        if (model === undefined || !is(model)) throw new Error(JSON.stringify(models));
        return model;
      },
      SETTLED_MS,
    );
  }

  /** Of the model that was resident at the start. */
  ask(route: Route, body: object, init: RequestInit = {}): Promise<Response> {
    return this.post(this.relay.baseUrl, route, { model: this.publicName, ...body }, init, {
      authorization: `Bearer ${this.relay.apiKey}`,
    });
  }

  /** Around Ferry. */
  askDirectly(route: Route, body: object, init: RequestInit = {}): Promise<Response> {
    return this.post(this.running.url, route, { model: this.running.resident, ...body }, init);
  }

  async respond(route: Route, question: Question): Promise<ReceivedResponse> {
    return read(route, question, await this.ask(route, bodyOf(route, question)));
  }

  /** What the engine says: of a chat, whatever the route through Ferry is, unless that is completions. */
  async ownAnswer(route: Route, question: Question): Promise<ReceivedResponse> {
    const there = route === 'completions' ? route : 'chat';
    return read(there, question, await this.askDirectly(there, bodyOf(there, question)));
  }

  /** An operation on the model that was resident at the start, to its end. @returns the code of its failure, or its state */
  async operate(kind: 'load' | 'unload'): Promise<string> {
    const { key: model } = await this.residentWhen(() => true);
    const input = { kind, model, node_id: await this.node.id() };
    const { id } = await this.relay.manage<Operation>('POST', '/operations', input);
    const ended = await eventually(
      `${kind} ends`,
      async () => {
        const operation = await this.relay.manage<Operation>('GET', `/operations/${id}`);
        return operation.state === 'succeeded' || operation.state === 'failed' ? operation : undefined;
      },
      60_000,
    );
    return ended.failure?.code ?? ended.state;
  }

  private post(
    url: string,
    route: Route,
    body: object,
    init: RequestInit,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return fetch(url + pathOf[route], {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
      ...init,
    });
  }
}

async function read(route: Route, { stream = false }: Question, response: Response): Promise<ReceivedResponse> {
  const text = await response.text();
  const reason = response.headers.get('x-ferry-reason') ?? '';
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${reason} ${text}`);
  return responseOf(route, text, stream);
}
