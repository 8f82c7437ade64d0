import { describe, expect, it } from '@jest/globals';
import { keysOfTopics, operationOf, topicsOf, withOperation, type Operation } from './feed-events';

const operation = (id: string, updated_at: string): Operation => ({ object: 'operation', id, updated_at }) as Operation;

describe('keysOfTopics', () => {
  it('returns the topic and other queries that show it', () => {
    expect(keysOfTopics(['nodes'])).toEqual([['nodes'], ['overview'], ['clusters'], ['running-requests']]);
    expect(keysOfTopics(['users'])).toEqual([['users'], ['account', 'who-am-i']]);
  });

  it('returns each key once and passes unknown topics through', () => {
    expect(keysOfTopics(['keys', 'usage', 'weather'])).toEqual([['keys'], ['overview'], ['usage'], ['weather']]);
  });
});

describe('topicsOf', () => {
  it('reads the topics of a change', () => {
    expect(topicsOf('{"topics":["nodes","models"]}')).toEqual(['nodes', 'models']);
  });

  it.each(['', '{', 'null', '{"topics":"nodes"}', '{"topics":[1]}'])('topicsOf is empty for %j', (data) => {
    expect(topicsOf(data)).toEqual([]);
  });
});

describe('operationOf', () => {
  it('reads a record and refuses anything else', () => {
    expect(operationOf('{"object":"operation","id":"op_1"}')).toMatchObject({ id: 'op_1' });
    expect(operationOf('{"object":"node","id":"op_1"}')).toBeUndefined();
    expect(operationOf('[]')).toBeUndefined();
    expect(operationOf('not json')).toBeUndefined();
  });
});

describe('withOperation', () => {
  const first = operation('op_1', '2026-01-01T00:00:00Z');
  it('puts a new operation first', () => {
    expect(withOperation([first], operation('op_2', '2026-01-01T00:00:01Z')).map(({ id }) => id)).toEqual([
      'op_2',
      'op_1',
    ]);
  });

  it('replaces a known one in its place, never by an older record', () => {
    const newer = operation('op_1', '2026-01-01T00:00:05Z');
    expect(withOperation([first], newer)).toEqual([newer]);
    expect(withOperation([newer], first)).toEqual([newer]);
  });
});
