import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { lostConnection } from '../failures/failures.js';
import { ResponseBody } from './response-body.js';

/** An engine's response after its head was received. The body must be read or destroyed. */
export interface EngineHttpResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: ResponseBody;
}

/**
 * Sends one request through undici's dispatcher. An abort takes effect at once, also while connecting.
 * @throws EngineFailure when no response comes; the signal's reason on abort. The body fails with the same.
 */
export function dispatch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<EngineHttpResponse> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    dispatcher.dispatch(options, new ResponseHandler(signal, resolve, reject));
  });
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private body: ResponseBody | undefined;

  constructor(
    private readonly signal: AbortSignal,
    private readonly resolve: (response: EngineHttpResponse) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /**
   * Not `this` with a `handleEvent`: what Node makes of such a listener survives, with all that it refers to, until the next collection of
   * old objects. That was 2.7 KB of every finished request.
   */
  private readonly onAbort = (): void => {
    if (this.controller === undefined) this.reject(this.signal.reason);
    else this.controller.abort(reasonOf(this.signal));
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.signal.aborted) controller.abort(reasonOf(this.signal));
    else this.controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    // 1xx are interim responses.
    if (statusCode < 200) return;
    this.body = new ResponseBody(controller);
    this.resolve({ statusCode, headers, body: this.body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.body?.push(chunk);
  }

  onResponseEnd(): void {
    this.signal.removeEventListener('abort', this.onAbort);
    this.body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.signal.removeEventListener('abort', this.onAbort);
    const failure = lostConnection(error, this.signal);
    if (this.body === undefined) this.reject(failure);
    else this.body.fail(failure);
  }
}

const reasonOf = ({ reason }: AbortSignal): Error => (reason instanceof Error ? reason : new Error('aborted'));
