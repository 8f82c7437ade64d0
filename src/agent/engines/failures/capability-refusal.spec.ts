import { describe, expect, it } from '@jest/globals';
import { capabilityRefusal } from './capability-refusal.js';
import { plainError } from './error-parser.js';

const refusal = (message: string, param: string | null = null) => capabilityRefusal({ ...plainError(message), param });

describe("an engine's message for a missing capability", () => {
  it.each([
    ['"gemma:2b" does not support thinking', 'reasoning', 'reasoning_effort'],
    ['registry.ollama.ai/library/gemma:2b does not support tools', 'tools', 'tools'],
    ['this model is missing data required for image input', 'image', 'messages'],
    [
      'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      'image',
      'messages',
    ],
    [
      'audio input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      'audio',
      'messages',
    ],
    ['tools param requires --jinja flag', 'tools', 'tools'],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 'tools', 'tools'],
    ['Qwen/Qwen3-8B is not a multimodal model', 'image', 'messages'],
    ["Only 'text' content type is supported.", 'image', 'messages'],
    ['At most 0 image(s) may be provided in one prompt.', 'image', 'messages'],
    ['image_url is not supported by this model', 'image', 'messages'],
    ['messages[0]: unknown variant `image_url`, expected `text`', 'image', 'messages'],
    ["Only 'text' content type is supported.", 'image', 'messages'],
    ['unsupported content part type: image_url', 'image', 'messages'],
    ['Model does not support images. Please use a model that does.', 'image', 'messages'],
    ['Tool calling is not supported by this model', 'tools', 'tools'],
  ] as const)('%s', (message, capability, param) => {
    const failure = refusal(message);
    expect(failure).toMatchObject({ capability, failure: { code: 'unsupported_capability', status: 400, param } });
    expect(failure?.message).toBe(message);
  });

  it('keeps the field named by the engine', () => {
    expect(refusal('model does not support tools', 'tools[0]')?.failure.param).toBe('tools[0]');
  });

  it.each([
    'request (27009 tokens) exceeds the available context size (4096 tokens), try increasing it',
    'model is not loaded',
    'tool result is missing',
    'The image could not be decoded.',
    'unsupported value for temperature',
  ])('any other message is not recognised: %s', (message) => {
    expect(refusal(message)).toBeUndefined();
  });
});
