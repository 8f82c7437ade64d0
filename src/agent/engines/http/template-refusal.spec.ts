import { describe, expect, it } from '@jest/globals';
import { EngineFailure } from '../engine.js';
import { refusesLaterSystem } from './template-refusal.js';

const failure = (message: string): EngineFailure =>
  new EngineFailure({ code: 'engine_error', status: 503, message, param: null, retry_after_seconds: null });

describe('the refusal of a system message by a chat template', () => {
  it.each([
    'Error rendering prompt: System message must be at the beginning.',
    'System role not supported',
    'Only user and assistant roles are supported, with the exception of an initial optional system message!',
    'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...',
    'Conversation roles must alternate user/assistant/user/assistant/...',
  ])('the refusal of a system message by a chat template is recognised: %s', (message) => {
    expect(refusesLaterSystem(failure(message))).toBe(true);
  });

  it.each(['out of memory', 'The system is busy', 'prompt is too long'])('is nothing else: %s', (message) => {
    expect(refusesLaterSystem(failure(message))).toBe(false);
  });
});
