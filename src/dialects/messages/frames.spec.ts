import { expect, test } from '@jest/globals';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { messagesErrorFrame, messagesKeepAlive } from './frames.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

test('the last event of a failed stream is the error with the request id, and nothing after it', () => {
  const error = new FerryError('node_disconnected', 'The serving computer disconnected.');
  expect(text(messagesErrorFrame(error, 'req_1'))).toBe(
    'event: error\n' +
      'data: {"type":"error","error":{"type":"api_error","message":"The serving computer disconnected.",' +
      '"details":{"error_code":"node_disconnected"}},"request_id":"req_1"}\n\n',
  );
});

test('a message with line breaks stays on one data line', () => {
  expect(text(messagesErrorFrame(new FerryError('engine_error', 'a\r\nb\n\nc'), 'req_1')).split('\n')).toHaveLength(4);
});

test('the keep-alive is a ping event, which clients of this protocol ignore', () => {
  expect(text(messagesKeepAlive)).toBe('event: ping\ndata: {"type":"ping"}\n\n');
});
