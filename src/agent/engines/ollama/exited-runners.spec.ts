import { describe, expect, it } from '@jest/globals';
import { ExitedRunners, reportsRunnerExit } from './exited-runners.js';

const runner = (expiresAtMs: number | null) => ({
  name: 'qwen3:latest',
  digest: null,
  contextTokens: 4_096,
  expiresAtMs,
});
const A_MINUTE_MS = 60_000;

describe('a runner of Ollama that died', () => {
  const begin = () => {
    let nowMs = 0;
    const dead = new ExitedRunners(() => nowMs);
    const isAlive = (expiresAtMs: number | null, afterMs: number): boolean => {
      nowMs += afterMs;
      return dead.without([runner(expiresAtMs)]).length === 1;
    };
    return { dead, isAlive };
  };

  it('a runner of Ollama that died is dead while Ollama lists it as before, also when the end of its last request moves the expiry', () => {
    const { dead, isAlive } = begin();
    expect(isAlive(10 * A_MINUTE_MS, 0)).toBe(true);
    dead.died('qwen3:latest');
    expect(isAlive(10 * A_MINUTE_MS, 0)).toBe(false);
    expect(isAlive(15 * A_MINUTE_MS, 100)).toBe(false);
    expect(isAlive(15 * A_MINUTE_MS, A_MINUTE_MS)).toBe(false);
    expect(isAlive(15 * A_MINUTE_MS, A_MINUTE_MS)).toBe(false);
  });

  it.each([5, 20])(
    'a runner of Ollama that died is alive when another program has used it, which puts the expiry to minute %s',
    (minutes) => {
      const { dead, isAlive } = begin();
      dead.died('qwen3:latest');
      expect(isAlive(15 * A_MINUTE_MS, A_MINUTE_MS)).toBe(false);
      expect(isAlive(minutes * A_MINUTE_MS, A_MINUTE_MS)).toBe(true);
      expect(isAlive(minutes * A_MINUTE_MS, A_MINUTE_MS)).toBe(true);
    },
  );

  it('a runner of Ollama that died is alive after a load, and after it was gone', () => {
    const { dead, isAlive } = begin();
    dead.died('qwen3:latest');
    dead.loaded('qwen3:latest');
    expect(isAlive(null, 0)).toBe(true);
    dead.died('qwen3:latest');
    dead.without([]);
    expect(isAlive(null, 0)).toBe(true);
  });

  it('a runner of Ollama that died is recognised by the recorded words, and no other failure is', () => {
    expect(reportsRunnerExit('an error was encountered while running the model: unexpected EOF')).toBe(true);
    expect(reportsRunnerExit('The engine closed the connection before the response was complete.')).toBe(false);
  });
});
