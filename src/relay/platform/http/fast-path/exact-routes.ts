import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** No parameters, no patterns. */
const INFERENCE_PATH = /^\/v1\/[a-z/]+$/;

type RouteHandler = (req: IncomingMessage, res: ServerResponse, next: () => void) => unknown;
type RoutedRequest = IncomingMessage & { route?: { readonly path: string } };

/**
 * Calls the handlers that Nest registers for inference routes without Express in between: Express swaps the prototypes of request and
 * response and walks its layers, which is half of the cost of Nest. Only the exact path is matched; every other
 * spelling goes through Express to the same handler.
 */
export class ExactRoutes {
  private readonly posts = new Map<string, RouteHandler>();

  /** Takes the arguments of the adapter's `post`; ignores all but inference routes. */
  add(path: unknown, handler: unknown): void {
    if (typeof path !== 'string' || !INFERENCE_PATH.test(path) || typeof handler !== 'function') return;
    this.posts.set(path, handler as RouteHandler);
  }

  /** @param onFailure called with the rejection of a handler, which Express would handle otherwise */
  before(
    application: RequestListener,
    onFailure: (req: IncomingMessage, res: ServerResponse, error: unknown) => void,
  ): RequestListener {
    return (req, res) => {
      const handler = req.method === 'POST' ? this.posts.get(req.url ?? '') : undefined;
      if (handler === undefined) {
        application(req, res);
        return;
      }
      // As Express does: the request log reads the route from here.
      (req as RoutedRequest).route = { path: req.url ?? '' };
      const handled = handler(req, res, () => {
        application(req, res);
      });
      if (handled instanceof Promise) {
        handled.catch((error: unknown) => {
          onFailure(req, res, error);
        });
      }
    };
  }
}
