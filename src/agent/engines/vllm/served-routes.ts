import { documentRoutes, type DocumentRoute } from '../engine.js';
import type { EngineHttp } from '../http/engine-http.js';
import { probeOf } from '../http/probe.js';

/** All of these routes are for POST: a GET cannot make the server compute anything, and its status tells whether there is such a route. */
const UNKNOWN_ROUTE = 404;
const OTHER_METHOD = 405;

const paths: Readonly<Record<DocumentRoute, string>> = { embeddings: '/v1/embeddings', rerank: '/v1/rerank' };

/**
 * Since it distinguishes tasks, vLLM registers only the routes of what its model does (`build_app` of its `api_server.py`). Its list of models does
 * not tell. Asked once while the server answers: another model comes with a restart, during which it does not.
 */
export class ServedRoutes {
  private known: { readonly routes: readonly DocumentRoute[] | undefined } | undefined;

  /** The routes of a model that does not generate text; undefined where it generates, and where the server does not tell. */
  async withoutText(http: EngineHttp): Promise<readonly DocumentRoute[] | undefined> {
    this.known ??= { routes: await read(http) };
    return this.known.routes;
  }

  forget(): void {
    this.known = undefined;
  }
}

async function read(http: EngineHttp): Promise<readonly DocumentRoute[] | undefined> {
  const statusOf = async (path: string): Promise<number> => (await probeOf(http)(path)).status;
  if ((await statusOf('/v1/chat/completions')) !== UNKNOWN_ROUTE) return undefined;
  const found: DocumentRoute[] = [];
  for (const route of documentRoutes) if ((await statusOf(paths[route])) === OTHER_METHOD) found.push(route);
  // A server that answers 404 to every GET does not tell.
  return found.length === 0 ? undefined : found;
}
