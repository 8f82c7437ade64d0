import { EngineFailure } from '../engine.js';

/** The request is invalid; `param` is a path such as `messages[0].content`. */
export const invalidRequest = (param: string | null, message: string): EngineFailure =>
  new EngineFailure({ code: 'invalid_request', status: 400, message, param, retry_after_seconds: null });

/** The field is not supported by this engine. */
export const unsupportedParameter = (param: string, message: string): EngineFailure =>
  new EngineFailure({ code: 'unsupported_parameter', status: 400, message, param, retry_after_seconds: null });

/** The model does not support this kind of input or output. */
export const unsupportedCapability = (param: string, message: string): EngineFailure =>
  new EngineFailure({ code: 'unsupported_capability', status: 400, message, param, retry_after_seconds: null });

/** A well-formed request that this model or its settings cannot serve. */
export const engineRejected = (message: string, param: string | null = null): EngineFailure =>
  new EngineFailure({ code: 'engine_rejected_request', status: 400, message, param, retry_after_seconds: null });

/** The message contains llama-server's name of the error, because some clients match it. */
export const contextTooShort = (promptTokens: number, contextTokens: number, param = 'messages'): EngineFailure =>
  new EngineFailure({
    code: 'engine_rejected_request',
    status: 400,
    message: `the prompt has ${promptTokens} tokens and exceeds the context size of ${contextTokens} tokens (exceed_context_size_error)`,
    param,
    retry_after_seconds: null,
    context_overflow: { prompt_tokens: promptTokens, max_tokens: null, context_tokens: contextTokens },
  });

export const engineBusy = (message: string): EngineFailure =>
  new EngineFailure({ code: 'engine_rejected_request', status: 429, message, param: null, retry_after_seconds: 1 });

export const modelNotLoaded = (engineModel: string): EngineFailure =>
  new EngineFailure({
    code: 'engine_error',
    status: null,
    message: `the model ${engineModel} is not loaded on this node`,
    param: 'model',
    retry_after_seconds: null,
  });

/** For answers that exceed the grace period of an unload, and for requests that arrive during it. */
export const modelUnloaded = (): EngineFailure =>
  new EngineFailure({
    code: 'engine_error',
    status: null,
    message: 'the owner of this node has unloaded the model',
    param: 'model',
    retry_after_seconds: null,
  });

/** Wraps unexpected errors. Failures and aborts pass unchanged. */
export function engineFailed(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error;
  const message = error instanceof Error ? error.message : 'unknown error';
  return new EngineFailure(
    {
      code: 'engine_error',
      status: null,
      message: `llama.cpp: ${message}`.slice(0, 1_000),
      param: null,
      retry_after_seconds: null,
    },
    { cause: error },
  );
}
