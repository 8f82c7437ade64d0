import { describe, expect, it } from '@jest/globals';
import { BatchTurns } from './batch-turns.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Answers by name; each computation ends when the test says so. */
function responses() {
  let nowMs = 0;
  const turns = new BatchTurns(() => nowMs);
  const owners = new Map<string, object>();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ownerOf = (name: string): object => owners.get(name) ?? owners.set(name, { name }).get(name) ?? {};
  const control = {
    begun,
    ask: (name: string): Promise<string> =>
      turns.ask(ownerOf(name), () => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, () => resolve(name)));
      }),
    end: async (...names: readonly string[]): Promise<void> => {
      for (const name of names) ends.get(name)?.();
      await turn();
    },
    leave: (name: string): void => turns.leave(ownerOf(name)),
    advance: (ms: number): void => {
      nowMs += ms;
    },
    /** All have a token, which their clients have not read yet. The first begins alone, the others with its next token. */
    haveRead: async (first: string, ...others: readonly string[]): Promise<void> => {
      for (const name of [first, ...others]) void control.ask(name);
      await turn();
      await control.end(first);
      void control.ask(first);
      await turn();
      await control.end(first, ...others);
      begun.length = 0;
    },
  };
  return control;
}

describe('the turns of answers of one context', () => {
  it('the turns of answers of one context let a single answer compute at once', async () => {
    const { ask, begun } = responses();
    void ask('a');
    await turn();
    expect(begun).toEqual(['a']);
  });

  it('the turns of answers of one context let all answers ask for their next tokens together, once the slowest has read its last one', async () => {
    const { ask, haveRead, begun } = responses();
    await haveRead('a', 'b', 'c');
    void ask('a');
    void ask('c');
    await turn();
    expect(begun).toEqual([]);
    void ask('b');
    await turn();
    expect(new Set(begun)).toEqual(new Set(['a', 'b', 'c']));
  });

  it('the turns of answers of one context take a new answer into the next batch, not into one of its own', async () => {
    const { ask, end, begun } = responses();
    void ask('a');
    await turn();
    void ask('b');
    await turn();
    expect(begun).toEqual(['a']);
    await end('a');
    void ask('a');
    await turn();
    expect(new Set(begun.slice(1))).toEqual(new Set(['a', 'b']));
  });

  it('wait a moment only for an answer whose client does not read, and for it no more until it reads in time', async () => {
    const { ask, end, haveRead, begun, advance } = responses();
    await haveRead('a', 'slow');
    const first = ask('a');
    await turn();
    expect(begun).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(begun).toEqual(['a']);
    await end('a');
    await first;
    void ask('a');
    await turn();
    expect(begun).toEqual(['a', 'a']);
    advance(1_000);
    void ask('slow');
    await end('a');
    void ask('a');
    await turn();
    expect(begun).toEqual(['a', 'a', 'slow', 'a']);
  });

  it('the turns of answers of one context do not wait for an answer that has ended', async () => {
    const { ask, haveRead, begun, leave } = responses();
    await haveRead('a', 'b');
    void ask('a');
    await turn();
    expect(begun).toEqual([]);
    leave('b');
    await turn();
    expect(begun).toEqual(['a']);
  });

  it('compute nothing for an answer that ends while it waits', async () => {
    const { ask, begun, leave } = responses();
    void ask('a');
    await turn();
    const waiting = ask('b');
    leave('b');
    await expect(waiting).rejects.toThrow('the answer has ended');
    expect(begun).toEqual(['a']);
  });

  it('the turns of answers of one context pass on a failure to the answer that has it, and go on with the others', async () => {
    const turns = new BatchTurns();
    const [failing, other] = [{}, {}];
    await expect(turns.ask(failing, () => Promise.reject(new Error('no logits')))).rejects.toThrow('no logits');
    turns.leave(failing);
    await expect(turns.ask(other, () => Promise.resolve(1))).resolves.toBe(1);
  });
});
