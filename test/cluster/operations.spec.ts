/** Operations are rows of the database: every relay on it knows, shows, cancels and finishes them, without a bus between them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { allEvents, dataOf } from '../support/client/event-stream.js';
import { eventually } from '../support/clock/eventually.js';
import { SlowFiles } from '../support/engine/slow-files.js';
import { SwitchableProxy } from '../support/network/switchable-proxy.js';
import { repositoryRoot } from '../support/process/ferry-process.js';
import { RelayPair } from '../support/process/relay-pair.js';
import { TestNode } from '../support/process/test-node.js';
import type { TestRelay } from '../support/process/test-relay.js';

interface Operation {
  readonly id: string;
  readonly state: string;
  readonly completed_bytes: number | null;
  readonly cancel_requested: boolean;
}

const WITHIN_MS = 10_000;

const portOf = (relay: TestRelay): number => Number(new URL(relay.baseUrl).port);

describe('operations with two relays', () => {
  let relays: RelayPair;
  let proxy: SwitchableProxy;
  let node: TestNode;
  let files: SlowFiles;

  /** The node's link goes to the first relay until the proxy is switched. */
  beforeAll(async () => {
    relays = await RelayPair.start();
    proxy = await SwitchableProxy.start(portOf(relays.first));
    const behindProxy = Object.create(relays.first) as TestRelay;
    behindProxy.credentials = { ...relays.first.credentials, base_url: proxy.url };
    node = await TestNode.start(behindProxy, { name: 'desk', env: { FERRY_NODE_INSTALL_SOURCES: 'private' } });
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await proxy.close();
    await relays.stop();
  }, 60_000);

  beforeEach(async () => {
    files = await SlowFiles.start(await readFile(path.join(repositoryRoot, 'engines/models/tiny.gguf')));
  });

  afterEach(async () => {
    await files.close();
  });

  const install = async (name: string): Promise<string> => {
    const input = { kind: 'install', source: files.url(`${name}.gguf`) };
    return (await relays.first.manage<Operation>('POST', '/operations', input)).id;
  };
  const at = (relay: TestRelay, id: string): Promise<Operation> => relay.manage<Operation>('GET', `/operations/${id}`);
  const reaches = async (relay: TestRelay, id: string, state: string): Promise<void> => {
    await eventually(`it is ${state}`, async () => (await at(relay, id)).state === state, WITHIN_MS);
  };

  it('operations with two relays show progress and outcome at the relay that has no link with the node', async () => {
    const id = await install('shown');
    const feed = await fetch(`${relays.second.baseUrl}/api/operations/${id}/events`, {
      headers: { authorization: `Bearer ${relays.second.credentials.cli_token}` },
    });
    const events = allEvents(feed);
    await eventually(
      'bytes are shown',
      async () => ((await at(relays.second, id)).completed_bytes ?? 0) > 0,
      WITHIN_MS,
    );
    files.openGate();
    const shown = (await events)
      .filter((text) => text.startsWith('event: operation'))
      .map((text) => dataOf([text.slice('event: operation\n'.length)])[0]?.['state']);
    expect(shown).toContain('running');
    expect(shown.at(-1)).toBe('succeeded');
    expect(shown.filter((state) => state === 'succeeded')).toHaveLength(1);
    await reaches(relays.first, id, 'succeeded');
  }, 60_000);

  it('operations with two relays are cancelled from the relay that has no link with the node', async () => {
    const id = await install('cancelled');
    await reaches(relays.first, id, 'running');
    const asked = await relays.second.manage<Operation>('POST', `/operations/${id}/cancel`);
    expect(asked).toMatchObject({ cancel_requested: true });
    await reaches(relays.second, id, 'cancelled');
    await reaches(relays.first, id, 'cancelled');
    await eventually('the download has ended', () => files.open === 0);
  }, 60_000);

  it('finish at another relay when the one that created them dies', async () => {
    const id = await install('survivor');
    await eventually('bytes have come', async () => ((await at(relays.first, id)).completed_bytes ?? 0) > 0);
    relays.first.process.child.kill('SIGKILL');
    await relays.first.process.exited;
    proxy.target = portOf(relays.second);
    files.openGate();
    await eventually(
      'it is over at the other relay',
      async () => (await at(relays.second, id)).state === 'succeeded',
      30_000,
    );
    await relays.first.restart();
    expect(await at(relays.first, id)).toMatchObject({ state: 'succeeded' });
  }, 90_000);
});
