import { describe, expect, test } from '@jest/globals';
import {
  clusterA,
  clusterB,
  FakeFleet,
  FakeNode,
  type NodeTraits,
} from '../../../../test/support/relay/routing-fleet.js';
import type { Dialect } from '../../../kernel/dialect.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { ClusterId, ModelSelector, NodeId } from '../../../kernel/ids.js';
import { chatRequirements } from '../../../dialects/chat/requirements.js';
import { clusterScope } from '../../inventory/cluster-scope.js';
import { eligiblePlacements, type EligibilityQuery } from './eligibility.js';

const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const webImage = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
const saying = (content: unknown, fields: object = {}): object => ({
  messages: [{ role: 'user', content }],
  ...fields,
});

interface Requesting {
  readonly body?: object;
  readonly pin?: ClusterId;
  readonly allowed?: readonly ClusterId[];
  readonly model?: string;
  readonly dialect?: Dialect;
  /** A node of the fleet by its number, or null for an id that leads nowhere. */
  readonly continues?: string | null;
}

const query = ({
  body = saying('hi'),
  pin,
  allowed,
  model = 'tiny',
  dialect = 'chat',
  continues,
}: Requesting): EligibilityQuery => ({
  pin: pin ?? null,
  scope: clusterScope(pin ?? null, allowed ?? null),
  model,
  dialect,
  requirements: chatRequirements({ ...body }),
  ...(continues !== undefined && {
    continuation: {
      pinnedNode: continues === null ? null : (`nd_${continues}` as NodeId),
      param: 'previous_response_id',
    },
  }),
});

const fleetOf = (...nodes: NodeTraits[]): FakeFleet =>
  new FakeFleet(nodes.map((traits, index) => new FakeNode(String(index), traits)));

const eligible = (requesting: Requesting, fleet: FakeFleet): string[] =>
  eligiblePlacements(query(requesting), fleet).map(({ node, report }) => `${node.name}:${report.key}`);

const refusal = (requesting: Requesting, fleet: FakeFleet): FerryError => {
  try {
    eligiblePlacements(query(requesting), fleet);
  } catch (error) {
    if (error instanceof FerryError) return error;
    throw error;
  }
  throw new Error('something was eligible');
};

const installed: NodeTraits = { models: [{ state: 'installed' }] };
const away: NodeTraits = { models: [{ state: 'installed', engine_unreachable: true }] };
const loading: NodeTraits = { models: [{ state: 'loading' }] };
const seeing: NodeTraits = { models: [{ inputs: ['text', 'image'] }] };
const seeingInstalled: NodeTraits = { models: [{ inputs: ['text', 'image'], state: 'installed' }] };
const toolless: NodeTraits = { models: [{ tools: false }] };

describe('503 `no node for user`, with the reason in a header', () => {
  test('the only node has not told its models yet', () => {
    const node = new FakeNode('0', { models: [] });
    node.hasReported = false;
    const fleet = new FakeFleet([node]);
    expect(refusal({}, fleet)).toMatchObject({ code: 'no_node_for_user' });
    node.hasReported = true;
    expect(refusal({}, fleet)).toMatchObject({ code: 'model_not_found' });
  });

  test.each<[string, Requesting, NodeTraits[], string]>([
    ['nobody is online', {}, [], 'no_node_online'],
    ['nobody is online, unknown model', { model: 'nope' }, [], 'no_node_online'],
    ['the pinned cluster is away', { pin: clusterB }, [{}], 'cluster_offline'],
    ["none of the key's clusters is online", { allowed: [clusterB] }, [{}], 'no_node_online'],
    ['installed only', {}, [installed, installed], 'model_not_loaded'],
    ['failed to load', {}, [{ models: [{ state: 'failed' }] }], 'model_not_loaded'],
    ['being unloaded', {}, [{ models: [{ state: 'unloading' }] }], 'model_not_loaded'],
    ['its only engine is away', {}, [away], 'engine_unreachable'],
    ['its engine is away here, and could load it there', {}, [away, installed], 'model_not_loaded'],
    ['its engine is away here, and loads it there', {}, [away, loading], 'model_loading'],
    ['being loaded somewhere', {}, [installed, loading], 'model_loading'],
    [
      'loaded elsewhere, but not on the pinned cluster',
      { pin: clusterB },
      [{}, { cluster: clusterB, ...installed }],
      'model_not_loaded',
    ],
    [
      'loading elsewhere, not on the pinned cluster',
      { pin: clusterB },
      [loading, { cluster: clusterB, ...installed }],
      'model_not_loaded',
    ],
    [
      "loaded, but not on the key's clusters",
      { allowed: [clusterB] },
      [{}, { cluster: clusterB, ...installed }],
      'model_not_loaded',
    ],
    ['not loaded comes before what it cannot do', { body: saying([image]) }, [installed], 'model_not_loaded'],
    ['loaded blind, seeing only installed', { body: saying([image]) }, [{}, seeingInstalled], 'model_not_loaded'],
    [
      'loaded blind, seeing on its way',
      { body: saying([image]) },
      [{}, { models: [{ inputs: ['text', 'image'], state: 'loading' }] }],
      'model_loading',
    ],
    [
      'all that have it are paused or draining',
      {},
      [{ acceptsWork: false }, { acceptsWork: false }],
      'nodes_unavailable',
    ],
    ['the one that is left only has it installed', {}, [{ acceptsWork: false }, installed], 'nodes_unavailable'],
  ])('%s', (_, requesting, nodes, reason) => {
    expect(refusal(requesting, fleetOf(...nodes))).toMatchObject({ code: 'no_node_for_user', status: 503, reason });
  });

  test('a model of an offline computer is retryable', () => {
    expect(refusal({ model: 'away' }, new FakeFleet([new FakeNode('a')], ['away']))).toMatchObject({
      code: 'no_node_for_user',
      reason: 'model_not_loaded',
    });
  });
});

describe('404 `model_not_found`', () => {
  test.each<[string, Requesting]>([
    ['no node has it', { model: 'nope' }],
    ['the pinned cluster does not have it, another does', { pin: clusterB, model: 'only-a' }],
    ["the key's clusters do not have it, another does", { allowed: [clusterB], model: 'only-a' }],
  ])('%s', (_, requesting) => {
    const fleet = fleetOf({ models: [{ display_name: 'only-a' }] }, { cluster: clusterB });
    expect(refusal(requesting, fleet)).toMatchObject({ code: 'model_not_found', status: 404, param: 'model' });
  });

  test('a name that several models carry lists their selectors', () => {
    const selectors = ['mdl_1111111111111111', 'mdl_2222222222222222'] as ModelSelector[];
    const error = refusal({ model: 'twins' }, new FakeFleet([new FakeNode('a')], [], new Map([['twins', selectors]])));
    expect(error.code).toBe('model_not_found');
    expect(error.message).toContain('mdl_1111111111111111, mdl_2222222222222222');
  });

  test('a long name is not repeated in full', () => {
    expect(refusal({ model: 'x'.repeat(100_000) }, fleetOf({})).message.length).toBeLessThan(300);
  });
});

describe('400 `unsupported_capability`, with the field at fault', () => {
  test.each<[string, Requesting, NodeTraits[], string]>([
    ['image', { body: saying(['x', image]) }, [{}], 'messages[0].content[1]'],
    ['audio', { body: saying([{ type: 'input_audio' }]) }, [seeing], 'messages[0].content[0]'],
    ['file', { body: saying([{ type: 'file' }]) }, [seeing], 'messages[0].content[0]'],
    ['tools', { body: saying('x', { tools: [{}] }) }, [toolless], 'tools'],
    ['loaded and installed alike cannot', { body: saying([image]) }, [{}, installed], 'messages[0].content[0]'],
    ['a route the engine lacks', { dialect: 'completions' }, [{}], 'model'],
    ['an embedding model', {}, [{ models: [{ embedding: true }] }], 'model'],
    [
      'both are met, but by nobody at once',
      { body: saying([image], { tools: [{}] }) },
      [{}, { models: [{ inputs: ['image'], tools: false }] }],
      'messages[0].content[0]',
    ],
    ['an image as web address, and nobody sees', { body: saying([webImage]) }, [{}], 'messages[0].content[0]'],
  ])('%s', (_, requesting, nodes, param) => {
    expect(refusal(requesting, fleetOf(...nodes))).toMatchObject({
      code: 'unsupported_capability',
      status: 400,
      param,
    });
  });

  test('the message names the missing capability', () => {
    expect(refusal({ body: saying([image]) }, fleetOf({})).message).toBe(
      'No online node that has the model supports image input.',
    );
  });

  test('a pinned cluster without the capability is refused despite others', () => {
    expect(refusal({ body: saying([image]), pin: clusterB }, fleetOf(seeing, { cluster: clusterB }))).toMatchObject({
      code: 'unsupported_capability',
    });
  });

  test('a capability of a paused node counts as supported', () => {
    expect(refusal({ body: saying([image]) }, fleetOf({}, { ...seeing, acceptsWork: false }))).toMatchObject({
      code: 'no_node_for_user',
      reason: 'nodes_unavailable',
    });
  });
});

describe('a continuation', () => {
  test('a continuation is eligible only on the node that has the conversation', () => {
    expect(eligible({ continues: '1' }, fleetOf({}, {}, {}))).toEqual(['1:engine/tiny']);
  });

  test.each<[string, Requesting, NodeTraits[]]>([
    ['an id that leads nowhere', { continues: null }, [{}]],
    ['a node that is offline', { continues: '7' }, [{}]],
    ['a node that is offline, where nobody has the model loaded either', { continues: '7' }, [installed]],
    ['a node that no longer has the model', { continues: '1' }, [{}, { models: [] }]],
    ['a node outside of the pinned cluster', { continues: '1', pin: clusterA }, [{}, { cluster: clusterB }]],
    ["a node outside of the key's clusters", { continues: '1', allowed: [clusterA] }, [{}, { cluster: clusterB }]],
    ['a node that is offline, to a model without eyes', { continues: '7', body: saying([image]) }, [{}]],
  ])('a continuation of %s is 404, always with the same message', (_, requesting, nodes) => {
    const error = refusal(requesting, fleetOf(...nodes));
    expect(error).toMatchObject({
      code: 'previous_response_not_found',
      status: 404,
      param: 'previous_response_id',
      shouldRetry: undefined,
    });
    expect(error.message).toBe(refusal({ continues: null }, fleetOf({})).message);
  });

  test('a continuation of a message thread has an error of its own', () => {
    expect(refusal({ continues: '7', dialect: 'messages' }, fleetOf({}))).toMatchObject({
      code: 'thread_not_found',
      status: 404,
    });
  });

  test.each<[string, Requesting, NodeTraits[], string]>([
    ['nobody online is said first', { continues: '7' }, [], 'no_node_online'],
    ['the node may be loading the model again', { continues: '0' }, [loading, {}], 'model_loading'],
    ['the node may have the model on disk only', { continues: '0' }, [installed, {}], 'model_not_loaded'],
    ['the node may be on its way out', { continues: '0' }, [{ acceptsWork: false }, {}], 'nodes_unavailable'],
  ])('a continuation is 503 like any request: %s', (_, requesting, nodes, reason) => {
    expect(refusal(requesting, fleetOf(...nodes))).toMatchObject({ code: 'no_node_for_user', reason });
  });

  test('a continuation of an unknown model is 404 for the model', () => {
    expect(refusal({ continues: null, model: 'nope' }, fleetOf({}))).toMatchObject({ code: 'model_not_found' });
  });

  test('needs no more than the capabilities of its node', () => {
    expect(refusal({ continues: '0', body: saying([image]) }, fleetOf({}, seeing))).toMatchObject({
      code: 'unsupported_capability',
    });
  });
});

describe('a model in another cluster', () => {
  test.each<[string, Requesting]>([
    ['a restricted key', { allowed: [clusterB] }],
    ['a pinned request', { pin: clusterB }],
  ])('does not tell %s whether another cluster has the model', (_, requesting) => {
    const fleet = fleetOf({ cluster: clusterA }, { cluster: clusterB, models: [] });
    const elsewhere = refusal({ ...requesting, model: 'tiny' }, fleet);
    const nowhere = refusal({ ...requesting, model: 'nope' }, fleet);
    expect(elsewhere).toMatchObject({ code: 'model_not_found', status: 404 });
    expect(nowhere.message.replace('nope', 'tiny')).toBe(elsewhere.message);
  });
});

describe('remote media', () => {
  const fetching = { models: [{ inputs: ['text' as const, 'image' as const], remote_media: true }] };
  const webAudio = { type: 'audio_url', audio_url: { url: 'https://example.com/a.mp3' } };

  test('remote media are 400 even with a vision model', () => {
    expect(refusal({ body: saying([webImage]) }, fleetOf(seeing))).toMatchObject({
      code: 'unsupported_capability',
      status: 400,
      param: 'messages[0].content[0].image_url.url',
      message: '`messages[0].content[0].image_url.url` must be a base64 data URI: media are not fetched.',
    });
  });

  test('remote media go to a node with image fetching enabled', () => {
    expect(eligible({ body: saying([webImage]) }, fleetOf(seeing, fetching))).toEqual(['1:engine/tiny']);
  });

  test('remote media are allowed for images only', () => {
    const hearing = { models: [{ inputs: ['text' as const, 'audio' as const], remote_media: true }] };
    expect(refusal({ body: saying([webAudio]) }, fleetOf(hearing))).toMatchObject({
      code: 'unsupported_capability',
      param: 'messages[0].content[0].audio_url.url',
    });
  });
});

describe('all nodes that can serve now are eligible', () => {
  test.each<[string, Requesting, NodeTraits[], string[]]>([
    ['a loaded one among installed ones', {}, [installed, {}, loading], ['1:engine/tiny']],
    ['every loaded one', {}, [{}, { cluster: clusterB }], ['0:engine/tiny', '1:engine/tiny']],
    ['those of the pinned cluster', { pin: clusterB }, [{}, { cluster: clusterB }], ['1:engine/tiny']],
    ["those of the key's clusters", { allowed: [clusterA] }, [{}, { cluster: clusterB }], ['0:engine/tiny']],
    ['those that see', { body: saying([image]) }, [{}, seeing], ['1:engine/tiny']],
    ['those that accept work', {}, [{ acceptsWork: false }, {}], ['1:engine/tiny']],
    [
      'both engines of a node',
      {},
      [
        {
          models: [
            { key: 'a/t', engine: 'a' },
            { key: 'b/t', engine: 'b' },
          ],
        },
      ],
      ['0:a/t', '0:b/t'],
    ],
    [
      'an engine that does not say whether it calls tools',
      { body: saying('x', { tools: [{}] }) },
      [{ models: [{ tools: null }] }],
      ['0:engine/tiny'],
    ],
    [
      'any model for wishes',
      { body: saying('x', { reasoning_effort: 'high', logprobs: true }) },
      [{}],
      ['0:engine/tiny'],
    ],
  ])('%s', (_, requesting, nodes, expected) => {
    expect(eligible(requesting, fleetOf(...nodes))).toEqual(expected);
  });
});
