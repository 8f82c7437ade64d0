import { requestedChoices } from '../response/answered-request.js';
import type { DocumentRoute, EngineFailure, EngineRoute } from '../engine.js';
import type { EngineManagement } from '../engine-management.js';
import type { EngineHttp } from '../http/engine-http.js';
import { engineError } from '../failures/failures.js';
import { EngineLoadReader } from '../http/engine-load.js';
import type { EngineAdapter, EngineHandle } from '../http/engine-adapter.js';
import { httpEngineKind } from '../http/http-entry.js';
import { probeEngine, probeIfPresent, type EngineSnapshot } from '../http/probe.js';
import { shortText } from '../http/model-facts.js';
import { routerManagement } from './router-management.js';
import { isRouterList, RouterModels } from './router-models.js';
import { probeSingleModel, wakingLoad } from './single-model.js';
import { chatAdapter } from '../http/chat-adapter.js';
import { documentPaths } from '../http/document-routes.js';
import type { RequestFields } from '../http/request-fields.js';
import { checkTools } from '../http/tool-checks.js';
import { countTokens } from './count-tokens.js';
import { narrowTools, toolFields } from '../http/tool-choice.js';

/** The chat route reports the matched stop sequence only with `verbose`, and the length of the prompt with `return_progress`. */
export const adaptToLlamaServer = chatAdapter([...toolFields, 'verbose', 'return_progress'], (fields, wants) => {
  checkTools(fields.value('tools'));
  chooseTools(fields);
  if (wants?.matchedStop === true) fields.set('verbose', true);
  if (wants?.promptTokens === true) fields.set('return_progress', true);
});

/** llama-server reads `tool_choice` only as a string and ignores every other form. */
function chooseTools(fields: RequestFields): void {
  const named = typeof fields.value('tool_choice') !== 'string';
  const mode = narrowTools(fields);
  switch (mode) {
    case 'none':
      // The chat template would still show the tools to the model.
      fields.remove('tools');
      fields.remove('tool_choice');
      return;
    case 'required':
    case 'auto':
      if (named) fields.replace('tool_choice', mode);
      return;
    case undefined:
      return;
  }
}

const paths: Record<EngineRoute, string> = { chat: '/v1/chat/completions', completions: '/v1/completions' };

/** llama.cpp's server, with one model or as a router over many; a restart may change which. */
class LlamaServerAdapter implements EngineAdapter {
  readonly kind = 'llama-server';
  private router = false;
  private readonly routerModels = new RouterModels();
  private readonly load = new EngineLoadReader({
    running: 'llamacpp:requests_processing',
    waiting: 'llamacpp:requests_deferred',
  });

  readonly probe = async (http: EngineHttp): Promise<EngineSnapshot> => {
    const list = await probeEngine(http, '/v1/models');
    const empty = Array.isArray(list['data']) && list['data'].length === 0;
    this.router = isRouterList(list) || (empty && (await isEmptyRouter(http)));
    // A router has metrics per model only. Last, because each connection takes one of the server's few HTTP threads.
    if (!this.router) return { ...(await probeSingleModel(http, list)), load: await this.load.read(http) };
    const props = await probeIfPresent(http, '/props');
    return this.routerModels.snapshot(http, list, shortText(props?.['build_info']));
  };

  readonly extensionRoutes = { count: countTokens(() => this.query) };

  readonly path = (route: EngineRoute): string => paths[route] + this.query;

  readonly documentPath = (route: DocumentRoute): string => documentPaths[route] + this.query;

  /** `autoload=false` for a model that is unloaded after the node has checked its state. */
  private get query(): string {
    return this.router ? '?autoload=false' : '';
  }

  /** In a response in one piece the usage is that of one choice only, in a stream each choice has its own. */
  readonly adapt: NonNullable<EngineAdapter['adapt']> = (body, route, model, wants) => {
    const adapted = adaptToLlamaServer(body, route, model, wants);
    return requestedChoices({ route, body: adapted.body }) > 1 ? { ...adapted, streams: true } : adapted;
  };

  readonly explain = (failure: EngineFailure): EngineFailure =>
    /model is not loaded/i.test(failure.message)
      ? engineError('The model has just been unloaded from the engine.', failure)
      : failure;

  readonly management = (handle: EngineHandle): EngineManagement => {
    const isRouter = (): boolean => this.router;
    const router = routerManagement(handle, isRouter);
    return { ...router, load: wakingLoad(handle, isRouter, router.load) };
  };
}

export const llamaServerKind = httpEngineKind('llama-server', () => new LlamaServerAdapter());

async function isEmptyRouter(http: EngineHttp): Promise<boolean> {
  return (await probeIfPresent(http, '/props'))?.['role'] === 'router';
}
