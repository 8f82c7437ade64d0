import { openAiCompatibleKind } from '../../src/agent/engines/openai-compatible/openai-compatible-engine.js';
import { behavesAsAnEngine } from './engine-behaviour.js';
import { respondToChat } from './fakes/chat-responses.js';
import { FakeServer } from './fakes/fake-server.js';
import { underTest } from './under-test.js';

behavesAsAnEngine('any OpenAI-compatible server', {
  kind: 'openai-compatible',
  begin: async (options) => {
    const server = await FakeServer.start((request) => request.json(404, { error: { message: 'not found' } }));
    server.on('GET /v1/models', (request) => request.json(200, { object: 'list', data: [{ id: 'org/Model' }] }));
    server.on('POST /v1/chat/completions', (request) => respondToChat(request));
    return underTest(openAiCompatibleKind, server, options, { resident: 'org/Model' });
  },
  evicts: false,
  loads: false,
  removes: false,
});
