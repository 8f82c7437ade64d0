// Own engine: the programs that FERRY_TEST_LITELLM and FERRY_TEST_LLAMA_SERVER name.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identify } from '../../src/agent/engines/discovery/identify.js';
import { TargetProbe } from '../../src/agent/engines/discovery/target-probe.js';
import { openAiCompatibleKind } from '../../src/agent/engines/openai-compatible/openai-compatible-engine.js';
import { createHttpEngine } from '../engines/create-http-engine.js';
import { ask, collect, greeting, listWhen, stateIn } from '../engines/engine-questions.js';
import { respondToChat } from '../engines/fakes/chat-responses.js';
import { FakeServer } from '../engines/fakes/fake-server.js';
import { eventually } from '../support/clock/eventually.js';
import { runLiteLlm, type LiteLlm } from './programs/litellm.js';
import { runSingle } from './programs/llama-server.js';
import { withProgram } from './programs/named-program.js';
import { servesThroughFerry } from './serves-through-ferry.js';

const START_MS = 120_000;
const ROUNDS = 20;

withProgram('FERRY_TEST_LITELLM', 'the proxy of LiteLLM', (program) => {
  withProgram('FERRY_TEST_LLAMA_SERVER', 'llama-server behind the proxy of LiteLLM', (llamaServer) => {
    servesThroughFerry({
      name: 'LiteLLM',
      kind: 'openai-compatible',
      lacks: {
        load: { operation: 'unsupported' },
        unload: { operation: 'unsupported' },
        contextLimit: { nothing: 'it does not tell the context of the models behind it' },
      },
      begin: async () => {
        const behind = await runSingle(llamaServer);
        const proxy = await runLiteLlm(program, [{ name: 'tiny', url: behind.url, model: 'tiny' }]);
        return {
          url: proxy.url,
          program: proxy.program,
          resident: 'tiny',
          loaded: behind.loaded,
          stop: async () => {
            await proxy.stop();
            await behind.stop();
          },
        };
      },
    });
  });

  describe('the proxy of LiteLLM', () => {
    let provider: FakeServer;
    let proxy: LiteLlm;
    beforeAll(async () => {
      provider = await FakeServer.start((request) => request.json(404, {}));
      provider.on('POST /v1/chat/completions', (request) => respondToChat(request));
      const names = ['hub/one', 'hub/two'];
      proxy = await runLiteLlm(
        program,
        names.map((name) => ({ name, url: provider.url, model: 'x' })),
      );
    }, START_MS);
    afterAll(async () => {
      await proxy.stop();
      await provider.stop();
    });

    it(
      'calls no model because it is found and watched, and one for a request',
      async () => {
        const { url } = proxy;
        const probe = new TargetProbe('ferry-node/test');
        const found = () => identify((at) => probe.get(new URL(url), at));
        // It computes for seconds after its start.
        await eventually('it is found', async () => (await found()).seen === 'engine', START_MS);
        for (let round = 0; round < ROUNDS; round += 1) {
          expect(await found()).toMatchObject({ seen: 'engine', kind: 'openai-compatible', models: 2 });
        }
        await probe.close();
        const engine = await createHttpEngine(openAiCompatibleKind, {
          base_url: url,
          poll_ms: 100,
          only_models: ['hub/*'],
          max_models: 1,
        });
        await engine.start();
        await listWhen(engine, (models) => models.length === 1 && stateIn(models, 'hub/one') === 'loaded');
        expect(provider.inferenceCalls()).toBe(0);
        expect((await collect(await ask(engine, 'hub/one', greeting, { stream: true }))).finishReason).toBe('stop');
        expect(provider.inferenceCalls()).toBe(1);
        await engine.stop();
        // What it would cost to ask for its health.
        await fetch(`${url}/health`);
        expect(provider.inferenceCalls()).toBeGreaterThanOrEqual(3);
      },
      START_MS,
    );
  });
});
