import { describe, expect, it } from '@jest/globals';
import { ollamaKind } from './ollama-kind.js';

describe('an entry for Ollama', () => {
  const read = (entry: object) => ollamaKind.schema.safeParse({ kind: 'ollama', ...entry });

  it('needs only its kind', () => {
    expect(read({}).data).toMatchObject({
      base_url: new URL('http://127.0.0.1:11434'),
      keep_alive: -1,
      poll_ms: 2_000,
    });
  });

  it.each([{ keep_alive: '30m' }, { keep_alive: 600 }, { keep_alive: '1h30m' }])('accepts %j', (entry) => {
    expect(read(entry).success).toBe(true);
  });

  it.each([{ keep_alive: 0 }, { keep_alive: 'long' }, { keep_alive: -2 }, { base_url: 'x' }, { other: 1 }])(
    'rejects %j',
    (entry) => {
      expect(read(entry).success).toBe(false);
    },
  );
});
