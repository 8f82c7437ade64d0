import { describe, expect, it } from '@jest/globals';
import { failureInResponse, failureOfStatus } from './failures.js';
import { parseEngineError } from './error-parser.js';

const overflow = (body: unknown, status = 400) =>
  failureOfStatus({ status, retryAfter: undefined, text: JSON.stringify(body) }).failure;
const sizes = (prompt_tokens: number | null, context_tokens: number | null, max_tokens: number | null = null) => ({
  code: 'engine_rejected_request',
  status: 400,
  context_overflow: { prompt_tokens, max_tokens, context_tokens },
});
const vllm = (message: string) => ({ error: { message, type: 'BadRequestError', param: null, code: 400 } });

describe("an engine's message for a prompt beyond the context", () => {
  it.each<[string, unknown, number, object]>([
    [
      'llama.cpp',
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size. try increasing the context size',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 20551,
          n_ctx: 8192,
        },
      },
      400,
      sizes(20_551, 8_192),
    ],
    [
      'vLLM 0.32, recorded',
      {
        error: {
          message:
            "This model's maximum context length is 2048 tokens. However, your prompt contains at least 2049 input tokens, " +
            'which exceeds this limit even without any output tokens. Please reduce the length of the input prompt. ' +
            '(parameter=input_tokens, value=2049)',
          type: 'BadRequestError',
          param: 'input_tokens',
          code: 400,
        },
      },
      400,
      { ...sizes(2_049, 2_048), param: 'messages' },
    ],
    [
      'llama.cpp, in words alone',
      {
        error: {
          code: 400,
          message: 'request (27009 tokens) exceeds the available context size (4096 tokens), try increasing it',
        },
      },
      400,
      sizes(27_009, 4_096),
    ],
    [
      'Ollama, with the answer of its runner as a text',
      {
        error:
          '{"error":{"code":400,"message":"request (351 tokens) exceeds the available context size (256 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":351,"n_ctx":256}}',
      },
      400,
      sizes(351, 256),
    ],
    [
      'Ollama, recorded, for a request with shift: false alone',
      {
        error:
          'the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length',
      },
      400,
      sizes(null, null),
    ],
    ['Ollama, from its own runner', { error: 'the input length exceeds the context length' }, 500, sizes(null, null)],
    [
      'vLLM',
      vllm(
        "This model's maximum context length is 4096 tokens. However, you requested 5100 tokens (5000 in the messages, 100 in the completion). Please reduce the length of the messages or completion.",
      ),
      400,
      sizes(5_000, 4_096),
    ],
    [
      'vLLM, when only the answer does not fit',
      vllm(
        "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 4096 tokens and your request has 10 input tokens (32000 > 4096 - 10).",
      ),
      400,
      sizes(10, 4_096, 32_000),
    ],
    [
      'newer vLLM',
      vllm(
        "You passed 5000 input tokens and requested 100 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3996 tokens.",
      ),
      400,
      sizes(5_000, 4_096),
    ],
    [
      'older vLLM',
      {
        object: 'error',
        message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
        code: 400,
      },
      400,
      sizes(5_000, 4_096),
    ],
    [
      'SGLang',
      {
        object: 'error',
        message: "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
        code: 400,
      },
      400,
      sizes(5_000, 4_096),
    ],
    [
      'SGLang, prompt and answer together',
      {
        error: {
          message:
            "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4000 tokens from the input messages and 1000 tokens for the completion.",
        },
      },
      400,
      sizes(4_000, 4_096, 1_000),
    ],
    [
      'LM Studio',
      {
        error:
          'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      },
      400,
      sizes(5_000, 4_096),
    ],
    [
      'older LM Studio',
      { error: 'Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)' },
      500,
      sizes(5_000, 4_096),
    ],
    [
      'LocalAI',
      {
        error: {
          code: 500,
          message:
            'rpc error: code = Internal desc = request (27009 tokens) exceeds the available context size (4096 tokens), try increasing it',
          type: '',
        },
      },
      500,
      sizes(27_009, 4_096),
    ],
    [
      'Text Generation Inference',
      {
        error: 'Input validation error: `inputs` must have less than 4095 tokens. Given: 5000',
        error_type: 'validation',
      },
      422,
      sizes(5_000, 4_095),
    ],
    [
      'a server that follows OpenAI',
      {
        error: {
          message:
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
        },
      },
      400,
      sizes(9_000, 8_192),
    ],
  ])('%s', (_, body, status, expected) => {
    expect(overflow(body, status)).toMatchObject(expected);
  });

  it("an engine's message for a prompt beyond the context is recognised within an answer, too", () => {
    const error = parseEngineError({ error: { message: 'Context size has been exceeded.' } });
    expect(error && failureInResponse(error).failure).toMatchObject(sizes(null, null));
  });

  it.each([
    'model is not loaded',
    'the context of the tool call is missing',
    'max_tokens must be at least 1',
    'prompt length is fine',
  ])('any other message is not recognised: %s', (message) => {
    expect(overflow({ error: { message } }).context_overflow).toBeUndefined();
  });
});
