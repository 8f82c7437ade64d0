/** What a library gains from extensions of the public API: each is on for its test only. */
import { expect, it } from '@jest/globals';
import type { ExtensionName } from '../../src/kernel/extension.js';
import type { ClientProgram } from '../support/client/client-program.js';
import type { FakeCall, FakeEngine } from '../support/engine/fake-engine.js';
import type { Tenant } from '../support/process/tenant.js';
import { inventoryOf } from '../support/process/test-node.js';
import type { ClientLibrary } from './libraries.js';

export interface ExtensionTest {
  readonly relay: Tenant;
  readonly engine: FakeEngine;
  readonly program: ClientProgram;
}

const hello = { model: 'tiny', prompt: 'Hello' };
const GREETING = 'Hello! How can I help you today?';
const WITHIN_MS = 60_000;
/** All are 32-bit floats, exactly. */
const vector = [1, -2.5, 0.125, 4];

/** As an engine that knows `base64` and `dimensions`. */
function embed(call: FakeCall): void {
  const { input, encoding_format: format, dimensions } = call.body as unknown as EmbeddingsRequest;
  const shown = vector.slice(0, dimensions);
  const embedding = format === 'base64' ? Buffer.from(new Float32Array(shown).buffer).toString('base64') : shown;
  const data = [input].flat().map((_, index) => ({ object: 'embedding', index, embedding }));
  call.json(200, { object: 'list', data, model: 'fake', usage: { prompt_tokens: 2, total_tokens: 2 } });
}

interface EmbeddingsRequest {
  readonly input: string | readonly string[];
  readonly encoding_format?: string;
  readonly dimensions?: number;
}

const cases = {
  'x-api-key': {
    title: 'asks for a message with its key in x-api-key, where the extension is on',
    async test({ program }) {
      expect(await program.result({ case: 'anthropic', ...hello })).toMatchObject({ text: GREETING });
    },
    async without({ program }) {
      await program.failure({ case: 'anthropic', ...hello });
    },
  },
  'json-errors': {
    title: 'says in its error why no node can serve the model, where the extension is on',
    async test({ relay, program }) {
      const { data } = await relay.manage<{ data: readonly { node_id: string }[] }>('GET', '/nodes');
      const nodes = data.map(({ node_id }) => `/nodes/${node_id}`);
      for (const node of nodes) await relay.manage('POST', `${node}/pause`);
      try {
        const { message } = await program.failure({ case: 'error', ...hello });
        expect(message).toContain('Every node that could serve the request is paused, draining or failing.');
      } finally {
        for (const node of nodes) await relay.manage('POST', `${node}/resume`);
      }
    },
  },
  'model-by-id': {
    title: 'retrieves a model by its id and by its selector, where the extension is on',
    async test({ relay, program }) {
      const selectors = (await inventoryOf(relay))
        .filter(({ display_name }) => display_name === 'tiny')
        .map(({ selector }) => selector);
      expect(selectors).toHaveLength(1);
      for (const model of ['tiny', ...selectors])
        expect(await program.result({ case: 'model', ...hello, model })).toEqual({ id: 'tiny' });
      const { message } = await program.failure({ case: 'model', ...hello, model: 'tinny' });
      expect(message).toContain("Did you mean 'tiny'");
    },
    async without({ program }) {
      await program.failure({ case: 'model', ...hello });
    },
  },
  'count-tokens': {
    title: 'counts the tokens that the answer reports, where the extension is on',
    async test({ program }) {
      const { input, counted } = await program.result({ case: 'count', ...hello });
      expect(input).toBeGreaterThan(0);
      expect(counted).toBe(input);
    },
  },
  embeddings: {
    title: 'gets vectors, whole and shortened, where the extension is on',
    async test({ engine, program }) {
      engine.respond = embed;
      const short = vector.slice(0, 2);
      expect(await program.result({ case: 'embeddings', model: 'fake', prompt: 'a' })).toEqual({
        vectors: [vector, vector],
        shortened: [short, short],
      });
      expect(engine.calls.at(-1)?.body).toMatchObject({ input: ['a', 'b'], dimensions: 2 });
    },
    async without({ program }) {
      await program.failure({ case: 'embeddings', model: 'fake', prompt: 'a' });
    },
  },
} satisfies Partial<Record<ExtensionName, ExtensionCase>>;

interface ExtensionCase {
  readonly title: string;
  readonly test: (on: ExtensionTest) => Promise<void>;
  /** Absent: nothing to see there that the title does not say. */
  readonly without?: (off: ExtensionTest) => Promise<void>;
}

export type TestedExtension = keyof typeof cases;

/** @param begin called within each test, when the program has started */
export function testExtensions({ extensions = [] }: ClientLibrary, begin: () => ExtensionTest): void {
  for (const name of extensions) {
    const { title, test, without }: ExtensionCase = cases[name];
    it(
      title,
      async () => {
        const running = begin();
        const turn = (enabled: boolean): Promise<unknown> =>
          running.relay.manage('PATCH', `/extensions/${name}`, { enabled });
        await without?.(running);
        await turn(true);
        try {
          await test(running);
        } finally {
          await turn(false);
        }
      },
      WITHIN_MS,
    );
  }
}
