/** The node's operations behind real link sessions of both sides, with links that come and go. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { settled } from '../../../test/support/clock/settled.js';
import { LinkPair } from '../../../test/support/link/link-pair.js';
import { cancelOf, loadOf, OperationsHarness } from '../../../test/support/agent/operations.harness.js';
import type { CommandMessage, ProgressMessage, ResultMessage } from '../../link/messages.js';
import type { OperationManager } from './operation-manager.js';

/** One connection between the manager and a relay. */
class Link {
  readonly progress: ProgressMessage[] = [];
  readonly results: ResultMessage[] = [];
  readonly pair: LinkPair;

  constructor(operations: OperationManager, replica = '') {
    const pair: LinkPair = new LinkPair({
      node: {
        // While READY is being handled the pair is still under construction.
        onReady: () => {
          queueMicrotask(() => {
            operations.attach(pair.node, replica);
          });
        },
        onCommand: (message) => {
          operations.take(message, replica);
        },
        onClosed: () => {
          operations.detach(pair.node);
        },
      },
      relay: {
        onProgress: (message) => this.progress.push(message),
        onResult: (message) => this.results.push(message),
      },
    });
    this.pair = pair;
  }

  async send(command: CommandMessage): Promise<boolean> {
    const sent = this.pair.relay.sendCommand(command);
    await this.settle();
    return sent;
  }

  async settle(): Promise<void> {
    this.pair.settle();
    await settled();
    this.pair.settle();
  }

  drop(): void {
    this.pair.node.closed();
    this.pair.relay.closed();
  }

  get phases(): string[] {
    return this.progress.map(({ phase }) => phase);
  }
}

let harness: OperationsHarness;
const connect = async (replica?: string): Promise<Link> => {
  const link = new Link(harness.operations, replica);
  await settled();
  await link.settle();
  return link;
};

beforeEach(async () => {
  harness = await OperationsHarness.running();
});

describe('a load commanded over the link', () => {
  it('continues while the link is down, and its result is sent on the next one', async () => {
    const first = await connect();
    expect(await first.send(loadOf(1))).toBe(true);
    await harness.clock.advanceAndSettle(300);
    await harness.engines.operation('load tiny').report('loading', 1, 4);
    await first.settle();
    expect(first.phases).toEqual(['starting', 'loading']);

    first.drop();
    await harness.clock.advanceAndSettle(300);
    await harness.engines.operation('load tiny').report('loading', 2, 4);
    const second = await connect();
    expect(second.progress).toEqual([
      expect.objectContaining({ state: 'running', completed_bytes: 2, total_bytes: 4 }),
    ]);
    await second.send(loadOf(1));

    second.drop();
    await harness.engines.operation('load tiny').finish();
    const third = await connect();
    await third.send(loadOf(1));
    expect(third.results).toHaveLength(2);
    expect(third.results).toEqual([third.results[1], third.results[0]]);
    expect(third.results[0]).toEqual({
      operation_id: loadOf(1).operation_id,
      outcome: 'succeeded',
      failure: null,
      model_key: 'fake/tiny',
    });
    expect(harness.engines.calls()).toEqual(['load tiny']);
  });

  it('a load commanded over the link is stopped by a cancel on another link', async () => {
    const first = await connect();
    await first.send(loadOf(1));
    const second = await connect();
    await second.send(cancelOf(1));
    await harness.engines.operation('load tiny').fail(new Error('aborted'));
    await second.settle();
    await first.settle();
    expect(second.results.map(({ outcome }) => outcome)).toEqual(['cancelled']);
    expect(first.results).toEqual([]);
  });
});

describe('an operation of a node with links to two replicas', () => {
  it('is reported to the replica that commanded it, and runs once when the other commands it, too', async () => {
    const [one, two] = [await connect('rep_one'), await connect('rep_two')];
    await one.send(loadOf(1));
    expect([one.phases, two.phases]).toEqual([['starting'], []]);
    await two.send(loadOf(1));
    await harness.engines.operation('load tiny').finish();
    await two.settle();
    await one.settle();
    expect([one.results.length, two.results.length]).toEqual([1, 0]);
    expect(two.phases).toEqual([]);
    expect(harness.engines.calls()).toEqual(['load tiny']);
  });

  it('an operation of a node with links to two replicas is reported to the replica that cancelled it', async () => {
    const [one, two] = [await connect('rep_one'), await connect('rep_two')];
    await one.send(loadOf(1));
    await two.send(cancelOf(1));
    await harness.engines.operation('load tiny').fail(new Error('aborted'));
    await two.settle();
    await one.settle();
    expect([one.results.length, two.results.length]).toEqual([0, 1]);
  });

  it('an operation of a node with links to two replicas is reported to the other replica when that link is gone', async () => {
    const [one, two] = [await connect('rep_one'), await connect('rep_two')];
    await one.send(loadOf(1));
    one.drop();
    await harness.engines.operation('load tiny').finish();
    await two.settle();
    expect(two.results.map(({ outcome }) => outcome)).toEqual(['succeeded']);
  });

  it('is reported to a newer link to the same replica, and announced to one that is new', async () => {
    const [one, two] = [await connect('rep_one'), await connect('rep_two')];
    await one.send(loadOf(1));
    const newer = await connect('rep_one');
    expect(newer.phases).toEqual(['starting']);
    const third = await connect('rep_three');
    expect(third.phases).toEqual(['starting']);
    await harness.engines.operation('load tiny').finish();
    for (const link of [one, two, newer, third]) await link.settle();
    expect([one, two, newer, third].map(({ results }) => results.length)).toEqual([0, 0, 1, 0]);
  });
});
