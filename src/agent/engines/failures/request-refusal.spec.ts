import { describe, expect, it } from '@jest/globals';
import { failureOfStatus } from './failures.js';

const failureFor = (status: number, error: object) =>
  failureOfStatus({ status, retryAfter: undefined, text: JSON.stringify({ error }) }).failure;
/** Recorded. */
const malformedTool =
  'Failed to parse tools: Missing tool function: {"type":"function"}; tools = [ { "type": "function" } ]';

describe("an engine's refusal that names the request", () => {
  it.each<[string, number, object, string]>([
    ['llama-server', 500, { code: 500, message: malformedTool, type: 'server_error' }, 'tools'],
    [
      'llama-server behind LiteLLM',
      500,
      {
        message: `litellm.InternalServerError: InternalServerError: OpenAIException - ${malformedTool}`,
        type: 'internal_server_error',
        param: null,
        code: '500',
      },
      'tools',
    ],
    ['vLLM', 400, { message: 'Grammar error: Invalid type: nonsense', param: null, code: 400 }, 'response_format'],
  ])(
    "an engine's refusal that names the request is a client error with the field: %s",
    (_engine, status, error, param) => {
      expect(failureFor(status, error)).toMatchObject({ code: 'engine_rejected_request', status: 400, param });
    },
  );

  it("an engine's refusal that names the request is not seen in failures of the engine", () => {
    const died = { code: 500, message: 'failed to decode the batch', type: 'server_error' };
    expect(failureFor(500, died)).toMatchObject({ code: 'engine_error', status: 503 });
  });

  it.each([
    [
      "1 validation error:\n  {'type': 'missing', 'loc': 'body.tools.0.function', 'msg': 'Field required', 'input': '<dict of 1 items>'}",
      'body.tools.0.function',
      'tools[0].function: Field required',
      'tools[0].function',
    ],
    [
      "2 validation errors:\n  {'type': 'string_type', 'loc': 'body.stop', 'msg': 'Input should be a valid string', 'input': '<list of 40 items>'}\n" +
        "  {'type': 'too_long', 'loc': 'body.stop', 'msg': \"List should have at most 4 items, not 'many'\", 'ctx': {'max_length': 4}}",
      'body.stop',
      "stop: Input should be a valid string; stop: List should have at most 4 items, not 'many'",
      'stop',
    ],
    [
      'temperature must be non-negative, got -5.0. (parameter=temperature, value=-5.0)',
      'temperature',
      'temperature must be non-negative, got -5.0.',
      'temperature',
    ],
    [
      'The tool specified in `tool_choice` does not match any of the specified `tools` (parameter=tool_choice)',
      'tool_choice',
      'The tool specified in `tool_choice` does not match any of the specified `tools`',
      'tool_choice',
    ],
  ])(
    "an engine's refusal that names the request has readable words and the path of the field: %#",
    (message, param, words, path) => {
      const error = { message, type: 'Bad Request', param, code: 400 };
      expect(failureFor(400, error)).toMatchObject({ status: 400, message: words, param: path });
    },
  );
});
