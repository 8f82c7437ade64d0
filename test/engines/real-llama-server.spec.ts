/** Reported as skipped when no program is configured: nothing here may pass without one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { behavesAsAnEngine } from './engine-behaviour.js';
import { ask, collect, greeting, listWhen, modelsNow, Progress, stateIn } from './engine-questions.js';
import type { EngineUnderTest } from './engine-under-test.js';
import { beginRouter, beginSingle, hasRouterMode, llamaServerProgram } from './real-llama-server.js';

if (llamaServerProgram === undefined || llamaServerProgram === '') {
  process.stderr.write('\nSKIPPED: the real llama-server. Set FERRY_TEST_LLAMA_SERVER to its program to run it.\n\n');
  describe.skip('a real llama-server (FERRY_TEST_LLAMA_SERVER is not set)', () => {
    it.each(['in single-model mode', 'in router mode'])('behaves as an engine %s', () => {
      throw new Error('not run');
    });
  });
} else {
  const program = llamaServerProgram;
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

    it('is woken by a load when it has fallen asleep', async () => {
      const { engine } = subject;
      await listWhen(engine, (models) => stateIn(models, 'tiny') === 'installed');
      await engine.management.load?.('tiny', {}, new Progress().context);
      expect(stateIn(await modelsNow(engine), 'tiny')).toBe('loaded');
      expect((await collect(await ask(engine, 'tiny', greeting, { stream: true }))).finishReason).toBe('stop');
    });

    it('is not blamed for malformed tools', async () => {
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
}
