/** What the engine of the filled account answers: prose, code, a failure in the middle, or no end. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FakeCall } from '../engine/fake-engine.js';

export const ENDLESS_QUESTION = 'Go on.';
/** Refused at once, as by an engine that has no memory left. */
export const REFUSED_QUESTION = 'Use more memory than there is.';

/** A conversation with an answer that fails, as one may have had it. */
export const CONVERSATION = [
  'What does a heat pump do?',
  'Write a shell script that renames photos by their date.',
  'Now for a million photos, please.',
] as const;

const PROSE = [
  'A **heat pump** moves heat from a cold place to a warm one:',
  '',
  '1. a liquid evaporates outside and takes up heat;',
  '2. a compressor makes the gas hotter;',
  '3. inside it condenses and gives the heat away.',
  '',
  'One kilowatt-hour of electricity moves three to five of heat.',
].join('\n');

const CODE = [
  'This needs `exiftool`:',
  '',
  '```sh',
  '#!/bin/sh',
  'set -eu',
  'for photo in *.jpg; do',
  '  taken=$(exiftool -s3 -d "%Y-%m-%d_%H-%M-%S" -DateTimeOriginal "$photo")',
  '  mv -n -- "$photo" "${taken:-unknown}_$photo"',
  'done',
  '```',
  '',
  'Photos without a date begin with `unknown`.',
].join('\n');

/** Slow enough for a speed that can be seen, as that of a small model. */
const PIECE_MS = 25;
const PIECE_CHARACTERS = 12;
/** Well below the silence after which a relay gives up a stream, two minutes: pictures of all that opens take longer. */
const ENDLESS_MS = 10_000;

/** In pieces, each of which counts as a few tokens, with the usage at the end. */
async function answerInPieces(call: FakeCall, text: string): Promise<void> {
  for (let at = 0; at < text.length && !call.over; at += PIECE_CHARACTERS) {
    call.chunk({ content: text.slice(at, at + PIECE_CHARACTERS) });
    await delay(PIECE_MS);
  }
  const completion = Math.ceil(text.length / 4);
  const usage = { prompt_tokens: 24, completion_tokens: completion, total_tokens: 24 + completion };
  call.chunk({}, 'stop');
  call.event({ object: 'chat.completion.chunk', choices: [], usage });
  call.event('[DONE]');
  call.end();
}

export async function answerByScript(call: FakeCall): Promise<void> {
  const messages = call.body['messages'] as readonly { readonly content: unknown }[];
  const question = messages.at(-1)?.content;
  if (question === REFUSED_QUESTION) {
    call.json(500, { error: { message: 'CUDA error: out of memory' } });
    return;
  }
  call.startStream();
  if (question === ENDLESS_QUESTION) {
    while (!call.over) {
      call.chunk({ content: 'without end ' });
      await delay(ENDLESS_MS, undefined, { ref: false });
    }
    return;
  }
  if (question === CONVERSATION[2]) {
    call.chunk({ content: 'For a million photos one process each is too slow. Rather' });
    call.event({ error: { message: 'CUDA error: out of memory', type: 'server_error' } });
    call.end();
    return;
  }
  await answerInPieces(call, question === CONVERSATION[1] ? CODE : PROSE);
}
