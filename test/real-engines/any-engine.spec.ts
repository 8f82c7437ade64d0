// Own engine: the address that FERRY_TEST_ENGINE names, such as that of LM Studio, SGLang or LocalAI. Its first model must be in memory.
import { withProgram } from './programs/named-program.js';
import { servesThroughFerry } from './serves-through-ferry.js';

withProgram('FERRY_TEST_ENGINE', 'an engine at an address', (address) => {
  const url = address.replace(/\/+$/, '').replace(/\/v1$/, '');
  servesThroughFerry({
    name: url,
    kind: null,
    lacks: {
      // What is at the address belongs to somebody, who may use it: it is neither unloaded nor killed.
      load: { nothing: 'not tried on an engine of somebody else' },
      unload: { nothing: 'not tried on an engine of somebody else' },
      restart: { nothing: 'not tried on an engine of somebody else' },
    },
    begin: async () => {
      const { data } = (await (await fetch(`${url}/v1/models`)).json()) as { data: readonly { id: string }[] };
      const model = process.env['FERRY_TEST_ENGINE_MODEL'] ?? data[0]?.id;
      if (model === undefined) throw new Error('it lists no model');
      return { url, resident: model, loaded: () => Promise.resolve([model]), stop: () => Promise.resolve() };
    },
  });
});
