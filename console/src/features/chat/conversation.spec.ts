import { describe, expect, it } from '@jest/globals';
import { chatSnippets } from './chat-snippets';
import {
  responseSpeed,
  before,
  defaultSettings,
  exchangesOf,
  requestFor,
  upToLastQuestion,
  withoutLastResponse,
  type ResponseTurn,
  type Turn,
} from './conversation';
import { currentChoice, modelChoices, servingText } from './model-choice';

const question = (id: string, text = id): Turn => ({ role: 'user', id, text });
const response = (id: string, values: Partial<ResponseTurn> = {}): ResponseTurn => ({
  role: 'assistant',
  id,
  lane: 'first',
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

describe('two models side by side', () => {
  const turns = [
    question('q1'),
    response('a1'),
    question('q2'),
    response('b2', { lane: 'second' }),
    response('a2'),
    question('q3'),
  ];

  it('two models side by side each get their own answers, and those of the other where they were not asked', () => {
    const contents = (lane: 'first' | 'second') =>
      requestFor('tiny', turns, defaultSettings, lane).messages.map(({ content }) => content);
    expect(contents('first')).toEqual(['q1', 'a1', 'q2', 'a2', 'q3']);
    expect(contents('second')).toEqual(['q1', 'a1', 'q2', 'b2', 'q3']);
  });

  it('one of two models side by side is asked again, and the other keeps its answer', () => {
    const answered = turns.slice(0, 5);
    expect(withoutLastResponse(answered, 'second').map(({ id }) => id)).toEqual(['q1', 'a1', 'q2', 'a2']);
    expect(exchangesOf(answered).map(({ responses }) => responses.map(({ id }) => id))).toEqual([['a1'], ['a2', 'b2']]);
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

it('the code for Anthropic has a bearer, the system prompt apart, and the limit that the Messages API requires', () => {
  const settings = { ...defaultSettings, system: 'Be brief.', temperature: 0.2 };
  const code = chatSnippets('http://127.0.0.1:8787', requestFor('tiny', [question('hello')], settings)).at(-1)?.code;
  // `api_key` would be sent as x-api-key, which is 401 where that extension is off.
  expect(code).toContain('Anthropic(base_url="http://127.0.0.1:8787", auth_token=os.environ["FERRY_API_KEY"])');
  expect(code).toContain(
    '    system="Be brief.",\n    messages=[{"role":"user","content":"hello"}],\n    temperature=0.2,',
  );
  expect(code).toContain('max_tokens=4096');
});

describe('where a model answers', () => {
  const computer = (name: string, state: string, context_length: number | null, cluster_id = 'cl_a') =>
    ({ name, online: true, cluster_id, models: [{ selector: 'mdl_1', state, reason: null, context_length }] }) as never;

  it('where a model answers is named with the largest context, without computers that have not loaded it', () => {
    const nodes = [
      computer('studio', 'loaded', 4_096),
      computer('annex', 'installed', null),
      computer('pc', 'loaded', 8),
    ];
    expect(servingText(nodes, 'mdl_1', undefined)).toBe('studio, pc · 4,096 tokens of context');
    expect(servingText(nodes, 'mdl_2', undefined)).toBe('');
  });

  it('where a model answers is told of the chosen cluster only, two computers by name', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => computer(name, 'loaded', null, name === 'd' ? 'cl_b' : 'cl_a'));
    expect(servingText(nodes, 'mdl_1', 'cl_a')).toBe('a, b, 1 more');
    expect(servingText(nodes, 'mdl_1', 'cl_b')).toBe('d');
  });
});
