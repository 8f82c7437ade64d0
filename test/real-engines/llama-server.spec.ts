// Own engine: the program that FERRY_TEST_LLAMA_SERVER names.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { behavesAsAnEngine } from '../engines/engine-behaviour.js';
import {
  ask,
  askDocument,
  collect,
  greeting,
  listWhen,
  modelsNow,
  Progress,
  stateIn,
} from '../engines/engine-questions.js';
import type { EngineUnderTest } from '../engines/engine-under-test.js';
import { beginRouter, beginSingle, hasRouterMode, runRouter, runSingle } from './programs/llama-server.js';
import { withProgram } from './programs/named-program.js';
import { servesThroughFerry } from './serves-through-ferry.js';

withProgram('FERRY_TEST_LLAMA_SERVER', 'the real llama-server', (program) => {
  servesThroughFerry({
    name: 'llama-server',
    kind: 'llama-server',
    lacks: { load: { operation: 'unsupported' }, unload: { operation: 'unsupported' } },
    begin: () => runSingle(program),
  });

  if (hasRouterMode) {
    servesThroughFerry({
      name: 'llama-server in router mode',
      kind: 'llama-server',
      lacks: {},
      begin: () => runRouter(program),
    });
  }

  behavesAsAnEngine('a real llama-server with one model', {
    kind: 'llama-server',
    begin: (options) => beginSingle(program, options),
    evicts: false,
    loads: false,
    removes: false,
  });
  if (hasRouterMode) {
    behavesAsAnEngine('a real llama-server in router mode', {
      kind: 'llama-server',
      begin: (options) => beginRouter(program, options),
      evicts: true,
      loads: true,
      install: 'needs the internet',
      removes: false,
    });
  }

  describe('a real llama-server with one model', () => {
    let subject: EngineUnderTest;
    beforeAll(async () => {
      subject = await beginSingle(program, { pollMs: 100 }, ['--sleep-idle-seconds', '1']);
      await subject.engine.start();
    }, 30_000);
    afterAll(() => subject.stop());

    it('a real llama-server with one model is woken by a load when it has fallen asleep', async () => {
      const { engine } = subject;
      await listWhen(engine, (models) => stateIn(models, 'tiny') === 'installed');
      await engine.management.load?.('tiny', {}, new Progress().context);
      expect(stateIn(await modelsNow(engine), 'tiny')).toBe('loaded');
      expect((await collect(await ask(engine, 'tiny', greeting, { stream: true }))).finishReason).toBe('stop');
    });

    it('a real llama-server with one model is not blamed for malformed tools', async () => {
      const { engine } = subject;
      const malformed = { ...greeting, tools: [{ type: 'function' }] };
      await expect(ask(engine, 'tiny', malformed, { stream: false })).rejects.toMatchObject({
        failure: { status: 400, param: 'tools[0].function' },
      });
    });

    it('tells the tokens of all choices of a stream', async () => {
      const { engine } = subject;
      const two = { messages: [{ role: 'user', content: 'Tell me a story' }], n: 2, max_tokens: 4 };
      const { usage } = await collect(await ask(engine, 'tiny', two, { stream: true }));
      expect(usage).toMatchObject({ completion_tokens: 8 });
    });
  });

  describe('a real llama-server with --embeddings', () => {
    let subject: Awaited<ReturnType<typeof beginSingle>>;
    beforeAll(async () => {
      subject = await beginSingle(program, { pollMs: 100 }, ['--embeddings', '--pooling', 'mean']);
      await subject.engine.start();
    }, 30_000);
    afterAll(() => subject.stop());

    it.each(['float', 'base64'])('its vectors pass byte for byte (%s)', async (format) => {
      const request = { model: 'tiny', input: ['Hello', 'Count to 8'], encoding_format: format };
      const own = await fetch(`${subject.url}/v1/embeddings`, { method: 'POST', body: JSON.stringify(request) });
      expect(await askDocument(subject.engine, 'tiny', 'embeddings', request)).toBe(await own.text());
    });

    it('refuses to rerank, which the node learns', async () => {
      await expect(
        askDocument(subject.engine, 'tiny', 'rerank', { query: 'q', documents: ['a'] }),
      ).rejects.toMatchObject({ capability: 'rerank' });
    });
  });
});
