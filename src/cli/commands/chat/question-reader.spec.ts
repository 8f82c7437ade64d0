import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { afterEach, describe, expect, it } from '@jest/globals';
import { QuestionReader } from './question-reader.js';

const readers: QuestionReader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

/** What a chat is asked when these lines are typed. */
async function asked(typed: string): Promise<(string | undefined)[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const reader = new QuestionReader(input as unknown as ReadStream, output as unknown as WriteStream);
  readers.push(reader);
  input.end(typed);
  const questions: (string | undefined)[] = [];
  do questions.push(await reader.next('> '));
  while (questions.at(-1) !== undefined);
  return questions.slice(0, -1);
}

describe('the questions of a chat', () => {
  it('the questions of a chat are a line each', async () => {
    expect(await asked('Hello\n\n  What is it? \n')).toEqual(['Hello', 'What is it?']);
  });

  it.each([
    ['on lines of their own', '"""\ndef f():\n  return 1\n"""\nnext\n', ['def f():\n  return 1', 'next']],
    ['beside the text', '"""one\ntwo"""\nnext\n', ['one\ntwo', 'next']],
    ['on one line', '"""one"""\n', ['one']],
    ['with an empty line inside', '"""a\n\nb"""\n', ['a\n\nb']],
  ])('the questions of a chat are of several lines between three quotes %s', async (_where, typed, questions) => {
    expect(await asked(typed)).toEqual(questions);
  });

  it('the questions of a chat are not sent while they are open', async () => {
    expect(await asked('first\n"""\nhalf of it\n')).toEqual(['first']);
  });
});
