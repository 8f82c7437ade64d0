import { describe, expect, it } from '@jest/globals';
import { chatSnippets } from './chat-snippets';
import {
  responseSpeed,
  before,
  defaultSettings,
  requestFor,
  upToLastQuestion,
  type ResponseTurn,
  type Turn,
} from './conversation';
import { currentChoice, modelChoices } from './model-choice';

const question = (id: string, text = id): Turn => ({ role: 'user', id, text });
const response = (id: string, values: Partial<ResponseTurn> = {}): ResponseTurn => ({
  role: 'assistant',
  id,
  text: id,
  reasoning: '',
  state: 'done',
  model: 'tiny',
  requestId: null,
  firstTokenMs: null,
  totalMs: null,
  outputTokens: null,
  problem: null,
  ...values,
});

describe('the messages of a request', () => {
  it('the messages of a request are the conversation without failed answers, with changed settings only', () => {
    const turns = [question('q1'), response('a1'), question('q2'), response('a2', { text: '', state: 'failed' })];
    expect(requestFor('tiny', turns, defaultSettings)).toEqual({
      model: 'tiny',
      messages: [
        { role: 'user', content: 'q1' },
        { role: 'assistant', content: 'a1' },
        { role: 'user', content: 'q2' },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
    const settings = { system: 'Be brief.', temperature: 0, topP: 0.9, maxTokens: 5 };
    expect(requestFor('tiny', [question('q')], settings)).toMatchObject({
      messages: [{ role: 'system' }, { role: 'user' }],
      temperature: 0,
      top_p: 0.9,
      max_tokens: 5,
    });
  });

  it('for a repeated answer or an edited question are those before it', () => {
    const turns = [question('q1'), response('a1'), question('q2'), response('a2')];
    expect(upToLastQuestion(turns).map(({ id }) => id)).toEqual(['q1', 'a1', 'q2']);
    expect(before(turns, 'q2').map(({ id }) => id)).toEqual(['q1', 'a1']);
    expect(before(turns, 'q1')).toEqual([]);
  });
});

it('speed counts from the first token on', () => {
  expect(responseSpeed(response('a', { outputTokens: 11, firstTokenMs: 500, totalMs: 1_500 }))).toBe(10);
  expect(responseSpeed(response('a', { outputTokens: 1, firstTokenMs: 500, totalMs: 1_500 }))).toBeNull();
});

describe('models of the chat', () => {
  const model = (id: string, loaded: boolean, cluster = 'cl_home') => ({
    id,
    selector: `mdl_${id}`,
    display_name: id,
    canonical_name: id,
    object: 'model' as const,
    created: 0,
    owned_by: 'ferry',
    loaded,
    clusters: [{ cluster_id: cluster, loaded }],
  });

  it('models of the chat begin with the loaded ones, and are those of the chosen cluster', () => {
    const models = [model('big', false), model('tiny', true), model('far', true, 'cl_lab')];
    expect(modelChoices(models, undefined).map(({ id }) => id)).toEqual(['tiny', 'far', 'big']);
    expect(modelChoices(models, 'cl_home').map(({ id }) => id)).toEqual(['tiny', 'big']);
    expect(currentChoice(modelChoices(models, undefined), 'big')?.id).toBe('big');
    expect(currentChoice(modelChoices(models, undefined), 'gone')?.id).toBe('tiny');
  });
});

it('a quote in a prompt is escaped in the shell command', () => {
  const request = requestFor('tiny', [question('q', `it's "fine"; rm -rf /`)], defaultSettings);
  const [curl] = chatSnippets('http://127.0.0.1:8787', request);
  expect(curl?.code).toContain(`it'\\''s`);
  expect(curl?.code).not.toContain('stream_options');
});
