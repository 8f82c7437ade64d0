/** Operations through a whole node: its link, its catalogue, its data directory. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import { eventually } from '../../test/support/clock/eventually.js';
import { FakeRelay, type FakeRelayLink } from '../../test/support/agent/fake-relay.js';
import { report } from '../../test/support/link/link-pair.js';
import { operationId } from '../../test/support/agent/operations.harness.js';
import { testAgent } from '../../test/support/agent/test-agent.js';
import type { CommandMessage } from '../link/messages.js';
import type { Agent } from './agent.js';
import { nothingConfigured } from './engines/configured-capabilities.js';
import type { OperationContext } from './engines/engine-management.js';
import type { Engine, EngineModel } from './engines/engine.js';

/** One model, which is loaded when the test says so. */
class LoadingEngine implements Engine {
  readonly name = 'fake';
  readonly kind = 'fake';
  readonly slots = 1;
  readonly condition = { is: 'answering' } as const;
  readonly models$ = new BehaviorSubject<readonly EngineModel[]>([this.model('installed')]);
  readonly loads: OperationContext[] = [];
  finish: () => void = () => undefined;
  readonly management = {
    load: async (_model: string, _options: object, context: OperationContext): Promise<void> => {
      this.loads.push(context);
      this.models$.next([this.model('loading')]);
      await new Promise<void>((resolve, reject) => {
        this.finish = resolve;
        context.signal.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      });
      this.models$.next([this.model('loaded')]);
    },
  };

  facts(): { name: string; kind: string; version: null } {
    return { name: this.name, kind: this.kind, version: null };
  }

  async start(): Promise<void> {
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    return Promise.resolve();
  }

  async run(): Promise<never> {
    return Promise.reject(new Error('no inference was expected'));
  }

  private model(state: EngineModel['state']): EngineModel {
    return { ...report('tiny'), state };
  }
}

const load: CommandMessage = {
  verb: 'load',
  operation_id: operationId(1),
  model_key: 'fake/tiny',
  context_tokens: null,
};
const succeeded = { operation_id: operationId(1), outcome: 'succeeded', failure: null, model_key: 'fake/tiny' };

let dataDirectory: string;
let relay: FakeRelay;
const agents: Agent[] = [];

beforeEach(async () => {
  dataDirectory = await mkdtemp(path.join(os.tmpdir(), 'ferry-operations-'));
  relay = await FakeRelay.start();
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop();
  await relay.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

const start = async (engine: Engine): Promise<Agent> => {
  const agent = testAgent({
    relayUrl: relay.url,
    dataDirectory,
    engines: [{ engine, configured: nothingConfigured }],
  });
  agents.push(agent);
  await agent.start();
  return agent;
};

const expectReceived = async (link: FakeRelayLink, expected: object): Promise<void> => {
  await eventually('the report has come', () =>
    link.operationReports.some((message) => expect.objectContaining(expected).asymmetricMatch(message)),
  );
};

it('a load continues while the relay is unreachable, and its result is sent on reconnect', async () => {
  const engine = new LoadingEngine();
  const agent = await start(engine);
  const link = await relay.link(0);
  expect(link.session.sendCommand(load)).toBe(true);
  await expectReceived(link, { operation_id: operationId(1), state: 'running' });
  await eventually('the model is being loaded', () => link.models.get('fake/tiny')?.state === 'loading');
  expect(agent.status().operations).toMatchObject([{ id: operationId(1), kind: 'load', subject: 'fake/tiny' }]);

  const { port } = relay;
  await relay.stop();
  engine.finish();
  relay = await FakeRelay.start(port);
  const next = await relay.link(0);
  await expectReceived(next, succeeded);
  expect(next.models.get('fake/tiny')?.state).toBe('loaded');
  expect(engine.loads).toHaveLength(1);
  expect(agent.status().operations).toEqual([]);
});

it('a load interrupted by a restart of the node is started again by the next process', async () => {
  const engine = new LoadingEngine();
  const agent = await start(engine);
  const link = await relay.link(0);
  link.session.sendCommand(load);
  await eventually('it runs', () => engine.loads.length === 1);
  await agent.stop();
  expect(engine.loads[0]?.signal.aborted).toBe(true);

  const again = new LoadingEngine();
  await start(again);
  const next = await relay.link(1);
  await expectReceived(next, { operation_id: operationId(1), state: 'running' });
  again.finish();
  await expectReceived(next, succeeded);
  expect(again.loads).toHaveLength(1);
});
