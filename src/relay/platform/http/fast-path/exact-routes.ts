import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setRequestIdHeaders } from '../request-id.js';
import { ComposedRequest, type RouteParts } from './composed-route.js';

/** No parameters, no patterns. */
const INFERENCE_PATH = /^\/v1\/[a-z/]+$/;

type RouteHandler = (req: IncomingMessage, res: ServerResponse, next: () => void) => unknown;
type RoutedRequest = IncomingMessage & { route?: { readonly path: string } };
type Reply = ConstructorParameters<typeof ComposedRequest>[4];

interface ExactRoute {
  /** Of Nest. */
  readonly handler: RouteHandler;
  composed: RouteParts | undefined;
  /** As Express sets it: the request log reads the route from there. */
  readonly named: { readonly path: string };
}

/**
 * Serves inference routes without Express: Express swaps the prototypes of request and response and walks its layers, which is half of the cost
 * of Nest. Calls the handler that Nest registers, or the parts of the route where they are known. Only the exact path is matched; every other
 * spelling goes through Express to the same handler.
 */
export class ExactRoutes {
  private readonly posts = new Map<string, ExactRoute>();

  constructor(private readonly reply: Reply) {}

  /** Takes the arguments of the adapter's `post`; ignores all but inference routes. */
  add(path: unknown, handler: unknown): void {
    if (typeof path !== 'string' || !INFERENCE_PATH.test(path) || typeof handler !== 'function') return;
    this.posts.set(path, { handler: handler as RouteHandler, composed: undefined, named: { path } });
  }

  /** Replaces the handler of a route that was added; ignores all others. */
  compose(path: string, parts: RouteParts): void {
    const route = this.posts.get(path);
    if (route !== undefined) route.composed = parts;
  }

  /** Whether all answers to the request are written by the relay's own classes: a handler of Nest may write to the response itself. */
  isComposed(req: IncomingMessage): boolean {
    return this.routeOf(req)?.composed !== undefined;
  }

  /** @param onFailure called with the rejection of a handler, which Express would handle otherwise */
  before(
    application: RequestListener,
    onFailure: (req: IncomingMessage, res: ServerResponse, error: unknown) => void,
  ): RequestListener {
    return (req, res) => {
      const route = this.routeOf(req);
      if (route === undefined) {
        application(req, res);
        return;
      }
      (req as RoutedRequest).route = route.named;
      const next = (): void => {
        setRequestIdHeaders(res);
        application(req, res);
      };
      const fail = (error: unknown): void => {
        onFailure(req, res, error);
      };
      if (route.composed !== undefined) {
        new ComposedRequest(route.composed, req, res, next, this.reply, fail).start();
        return;
      }
      const handled = route.handler(req, res, next);
      if (handled instanceof Promise) handled.catch(fail);
    };
  }

  private routeOf({ method, url }: IncomingMessage): ExactRoute | undefined {
    return method === 'POST' ? this.posts.get(url ?? '') : undefined;
  }
}
