import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dialect } from '../../kernel/dialect.js';
import type { ExtensionName } from '../../kernel/extension.js';
import type { AccessGuard } from '../auth/access.guard.js';
import type { ExtensionState } from '../extensions/extension-state.js';
import { withJsonBody } from '../extensions/json-errors/json-error.js';
import type { Access } from '../platform/access/access.js';
import { ClientDisconnectedError } from '../platform/http/errors/client-disconnected-error.js';
import type { ErrorSerializer } from '../platform/http/errors/error-family.js';
import { toFerryError } from '../platform/http/errors/to-ferry-error.js';
import type { EventStream } from '../platform/http/event-stream.js';
import type { JsonResponse } from '../platform/http/json-response.js';
import { routeNotFound } from '../platform/http/errors/route-not-found.js';
import { contextOf } from '../platform/http/request-context.js';
import { requestIdOf } from '../platform/http/request-id.js';
import { pathOf } from '../platform/http/request-path.js';
import { sendCompleteResponse } from '../platform/http/send-response.js';
import type { InferenceCall, InferenceCallPipe } from './inference-call.js';

/** What the requests of one inference route have in common. */
export interface InferenceRoute {
  readonly dialect: Dialect;
  /** Absent: a route of the contract, which every account has. */
  readonly extension?: ExtensionName | undefined;
  readonly extensions: Pick<ExtensionState, 'isOn'>;
  readonly access: Access;
  readonly guard: Pick<AccessGuard, 'admit'>;
  readonly calls: Pick<InferenceCallPipe, 'transform'>;
  readonly controller: { create(call: InferenceCall): EventStream | JsonResponse };
  readonly serializeError: ErrorSerializer;
  /** Sends what the controller returns. Rejects, with nothing written, when the response fails before its head. */
  readonly reply: (res: ServerResponse, response: EventStream | JsonResponse, status: number) => unknown;
  /** For a request of which not even the error can be sent. */
  readonly fail: (req: IncomingMessage, res: ServerResponse, error: unknown) => void;
}

const OK = 200;
const READY = Promise.resolve(true);

/**
 * One request of an inference route: guard, body, controller, and the error in the format of the protocol. Only what is asynchronous is
 * waited for: each further promise is a measurable part of a small request.
 */
export class InferenceExchange {
  constructor(
    private readonly route: InferenceRoute,
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
  ) {}

  /** The guard sees the request before its body. One turn of microtasks later, a body that came with the head is there. */
  start(): void {
    let admitted: boolean | Promise<boolean>;
    try {
      admitted = this.route.guard.admit(this.req, this.route.access);
    } catch (error) {
      this.refuse(error);
      return;
    }
    void (admitted instanceof Promise ? admitted : READY).then(this.proceed, this.refuse);
  }

  private readonly proceed = (): void => {
    const { dialect, calls, extension } = this.route;
    try {
      if (extension !== undefined) this.requireExtension(extension);
      const call = calls.transform({ dialect, request: this.req, response: this.res });
      if (call instanceof Promise) call.then(this.answer).catch(this.refuse);
      else this.answer(call);
    } catch (error) {
      this.refuse(error);
    }
  };

  /** Another account of the relay has it on: for this one, the route does not exist. */
  private requireExtension(extension: ExtensionName): void {
    if (this.route.extensions.isOn(extension, contextOf(this.req).accountId)) return;
    throw routeNotFound(this.req.method ?? '', pathOf(this.req.url ?? '') ?? '');
  }

  private readonly answer = (call: InferenceCall): void => {
    const { controller, reply } = this.route;
    const sent = reply(this.res, controller.create(call), OK);
    if (sent instanceof Promise) sent.catch(this.refuse);
  };

  private readonly refuse = (error: unknown): void => {
    if (error instanceof ClientDisconnectedError) return;
    try {
      const { extensions, serializeError } = this.route;
      const shown = withJsonBody(toFerryError(error), extensions, contextOf(this.req).accountId);
      sendCompleteResponse(this.res, serializeError(shown, requestIdOf(this.res)));
    } catch (failure) {
      this.route.fail(this.req, this.res, failure);
    }
  };
}
