/** A node beside relays of other versions: it serves as long as they understand each other, and says when it should be updated. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/clock/eventually.js';
import { FakeRelay } from '../../test/support/agent/fake-relay.js';
import { testAgent } from '../../test/support/agent/test-agent.js';
import { LinkCloseCode } from '../link/link-errors.js';
import { agentVersion } from './agent-version.js';
import type { Agent } from './agent.js';

let dataDirectory: string;
let relay: FakeRelay;
let agent: Agent;
let warnings: string[];

beforeEach(async () => {
  dataDirectory = await mkdtemp(path.join(os.tmpdir(), 'ferry-agent-'));
  relay = await FakeRelay.start();
  warnings = [];
  agent = testAgent({
    relayUrl: relay.url,
    dataDirectory,
    log: {
      info: () => undefined,
      warn: (_details, message) => warnings.push(message),
      error: (_details, message) => warnings.push(message),
    },
  });
});

afterEach(async () => {
  await agent.stop();
  await relay.stop();
  await rm(dataDirectory, { recursive: true, force: true });
});

const aboutVersions = (): string[] => warnings.filter((message) => message.includes('update it with'));

describe('a node that is older than its relay', () => {
  it('serves, and reports once and in its status how to update', async () => {
    relay.version = '99.0.0';
    await agent.start();
    const first = await relay.link(0);
    expect(agent.status()).toMatchObject({ connected: true, agent_version: agentVersion, relay_version: '99.0.0' });
    expect(agent.status().update).toContain('npm run build');
    first.socket.terminate();
    await relay.link(1);
    expect(aboutVersions()).toEqual([expect.stringContaining('older than its relay')]);
  });

  it('reports nothing once the versions are equal', async () => {
    relay.version = '99.0.0';
    await agent.start();
    const first = await relay.link(0);
    relay.version = agentVersion;
    first.socket.terminate();
    await relay.link(1);
    expect(agent.status()).toMatchObject({ relay_version: agentVersion, update: null });
  });
});

describe('a node whose relay speaks another link version', () => {
  it.each([
    ['before the link is up', () => (relay.refuse = { status: 426 })],
    ['after its HELLO', () => (relay.admits = false)],
  ])(
    'a node whose relay speaks another link version is refused %s: it asks for an update, and backs off',
    async (_when, refuse) => {
      refuse();
      await agent.start();
      if (relay.refuse === undefined) {
        const link = await relay.link(0);
        await eventually('its HELLO', () => link.hello !== undefined);
        link.session.close(LinkCloseCode.unsupportedVersion, 'link version 2 is needed');
      }
      await eventually('it says so', () => aboutVersions().length > 0);
      expect(aboutVersions()).toEqual([expect.stringContaining('have no link version in common')]);
      expect(agent.status().connected).toBe(false);
      expect(agent.status().update).toContain('npm run build');
      const attempts = relay.authorizations.length;
      // A lost link would be dialled again within 10 ms here.
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(relay.authorizations).toHaveLength(attempts);
    },
  );
});
