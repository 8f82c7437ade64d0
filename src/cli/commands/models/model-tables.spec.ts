/** Which models there are and which are loaded, as tables of the command line, against a small HTTP server in place of the relay. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';
import { node } from '../../../../test/support/cli/node-responses.js';

let commandLine: CommandLine;
beforeEach(async () => {
  commandLine = await CommandLine.start();
});
afterEach(() => commandLine.stop());

const ferry = (words: string) => commandLine.ferry(words);

describe('tables of models', () => {
  it('tables of models show the display name also when the id is a selector', async () => {
    const models = ['mdl_1', 'mdl_2'].map((selector) => ({ id: selector, selector, display_name: 'tiny' }));
    const traits = { engine: 'llamacpp', size_bytes: null, context_length: null, state: 'loaded', key: 'e/tiny' };
    const clusters = [{ cluster_id: node.cluster_id, loaded: true }];
    commandLine.list('GET /api/models', ...models.map((model) => ({ ...model, clusters })));
    commandLine.list('GET /api/clusters', { cluster_id: node.cluster_id, name: 'home' });
    commandLine.list('GET /api/nodes', { ...node, models: models.map((model) => ({ ...model, ...traits })) });
    const listed = (await ferry('models list')).stdout.trimEnd().split('\n');
    expect(listed.slice(1).map((line) => [line.split(/ +/)[0], line.split(/ +/).at(-1)])).toEqual([
      ['tiny', 'mdl_1'],
      ['tiny', 'mdl_2'],
    ]);
    const resident = (await ferry('models ps')).stdout.trimEnd().split('\n');
    expect(resident.slice(1).map((line) => line.split(/ +/)[0])).toEqual(['tiny', 'tiny']);
  });
});

describe('ferry models ps', () => {
  it('lists loaded models per node', async () => {
    const model = { key: 'e/tiny', selector: 'mdl_1', display_name: 'tiny', engine: 'llamacpp', size_bytes: 1_300_000 };
    const models = ['loaded', 'installed', 'loading'].map((state) => ({ ...model, state, context_length: null }));
    commandLine.list('GET /api/nodes', { ...node, models });
    commandLine.list('GET /api/models', { id: 'tiny', selector: 'mdl_1' });
    expect((await ferry('models ps')).stdout).toBe(
      [
        'MODEL  NODE  STATE      SIZE  CONTEXT  ENGINE    VRAM  RAM  DEVICE',
        'tiny   desk  loaded   1.3 MB        -  llamacpp     -    -  -',
        'tiny   desk  loading  1.3 MB        -  llamacpp     -    -  -',
        '',
      ].join('\n'),
    );
  });
});
