/**
 * LiteLLM's proxy, which runs no model and calls those of others for money: also for `GET /health`, once for each (seen with 1.108.7). Its list has
 * one time for all models.
 */
import { respondToChat } from './chat-responses.js';
import { FakeServer } from './fake-server.js';

export class LiteLlm {
  /** Calls of models, which somebody pays. */
  modelCalls = 0;

  private constructor(
    readonly server: FakeServer,
    models: readonly string[],
  ) {
    const data = models.map((id) => ({ id, object: 'model', created: 1_677_610_602, owned_by: 'openai' }));
    server.on('GET /v1/models', (request) => request.json(200, { data, object: 'list' }));
    server.on('GET /models', (request) => request.json(200, { data, object: 'list' }));
    server.on('GET /health', (request) => {
      this.modelCalls += models.length;
      request.json(200, { healthy_endpoints: [], unhealthy_endpoints: [], healthy_count: models.length });
    });
    server.on('POST /v1/chat/completions', (request) => {
      this.modelCalls += 1;
      return respondToChat(request);
    });
  }

  static async start(models: readonly string[] = ['hub/one', 'hub/two']): Promise<LiteLlm> {
    return new LiteLlm(await FakeServer.start((request) => request.json(404, { detail: 'Not Found' })), models);
  }
}
