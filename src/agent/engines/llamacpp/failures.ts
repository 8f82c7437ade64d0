import { EngineFailure } from '../engine.js';

/** The request itself is wrong; `param` is a path such as `messages[0].content`. */
export const invalidRequest = (param: string | null, message: string): EngineFailure =>
  new EngineFailure({ code: 'invalid_request', status: 400, message, param, retry_after_seconds: null });

/** A field asks for something that this engine does not do. */
export const unsupportedParameter = (param: string, message: string): EngineFailure =>
  new EngineFailure({ code: 'unsupported_parameter', status: 400, message, param, retry_after_seconds: null });

/** The model cannot take this kind of input or output. */
export const unsupportedCapability = (param: string, message: string): EngineFailure =>
  new EngineFailure({ code: 'unsupported_capability', status: 400, message, param, retry_after_seconds: null });

/** A well-formed request that this model or its settings cannot serve. */
export const engineRejected = (message: string, param: string | null = null): EngineFailure =>
  new EngineFailure({ code: 'engine_rejected_request', status: 400, message, param, retry_after_seconds: null });

/** The wording names what llama-server calls the same error, for clients that look for it. */
export const contextTooShort = (promptTokens: number, contextTokens: number): EngineFailure =>
  new EngineFailure({
    code: 'engine_rejected_request',
    status: 400,
    message: `the prompt has ${promptTokens} tokens and exceeds the context size of ${contextTokens} tokens (exceed_context_size_error)`,
    param: 'messages',
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

/** For answers that were under way longer than an unloading waits, and for those that came a moment too late. */
export const modelUnloaded = (): EngineFailure =>
  new EngineFailure({
    code: 'engine_error',
    status: null,
    message: 'the owner of this node has unloaded the model',
    param: 'model',
    retry_after_seconds: null,
  });

/** Anything that is not the client's fault. Failures and aborts pass unchanged. */
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
