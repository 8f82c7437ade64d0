import { expect, test } from '@jest/globals';
import { FerryError } from '../kernel/errors/ferry-error.js';
import { keepAliveComment, openAiErrorFrame } from './openai-frames.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

test('the last event of a failed stream is the error and nothing after it', () => {
  const error = new FerryError('node_disconnected', 'The serving computer disconnected.');
  expect(text(openAiErrorFrame(error))).toBe(
    'data: {"error":{"message":"The serving computer disconnected.","type":"server_error","param":null,"code":"node_disconnected"}}\n\n',
  );
});

test('a message with line breaks stays on one data line', () => {
  expect(text(openAiErrorFrame(new FerryError('engine_error', 'a\r\nb\n\nc'))).split('\n')).toHaveLength(3);
});

test('the keep-alive is a comment, which clients ignore', () => {
  expect(text(keepAliveComment)).toBe(': keep-alive\n\n');
});
