/** What engines were seen to send, and what a client must make of it: the full response or an error. */
import type { FakeCall } from './fake-engine.js';

export const TEXT = 'Grüße, 世界 🌍!';

export const chunkText = (delta: unknown, finish: string | null = null, extra: object = {}): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'fake',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...extra,
  });
export const event = (json: string): string => `data: ${json}\n\n`;
export const role = event(chunkText({ role: 'assistant', content: '' }));
export const words = [...TEXT.matchAll(/\S+\s*/gu)].map(([word]) => event(chunkText({ content: word }))).join('');
export const stop = event(chunkText({}, 'stop'));
const usage = event(
  JSON.stringify({
    object: 'chat.completion.chunk',
    choices: [],
    usage: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 },
  }),
);
export const done = 'data: [DONE]\n\n';
export const whole = role + words + stop + usage + done;

export const sends =
  (text: string) =>
  (call: FakeCall): void => {
    call.startStream();
    call.end(text);
  };
const inChunks =
  (text: string, size: number) =>
  async (call: FakeCall): Promise<void> => {
    call.startStream();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) {
      call.write(bytes.subarray(at, at + size));
      if (at % (size * 16) === 0) await new Promise(setImmediate);
    }
    call.end();
  };
const breaksOffAfter =
  (text: string) =>
  (call: FakeCall): void => {
    call.startStream();
    call.write(text);
    setTimeout(() => call.destroy(), 20);
  };

export type Script = (call: FakeCall) => void | Promise<void>;

export const full: readonly [string, Script][] = [
  ['nothing unusual', sends(whole)],
  ['one byte at a time', inChunks(whole, 1)],
  ['three bytes at a time, inside characters and lines', inChunks(whole, 3)],
  ['CRLF line ends', sends(whole.replaceAll('\n', '\r\n'))],
  ['CRLF in single bytes', inChunks(whole.replaceAll('\n', '\r\n'), 1)],
  ['no space behind data:', sends(whole.replaceAll('data: ', 'data:'))],
  ['comments and other fields between', sends(whole.replaceAll('\n\n', '\n\n: ping\n\nid: 7\nretry: 10\n\n'))],
  ['[DONE] twice', sends(whole + done)],
  ['bytes behind [DONE]', sends(`${whole}data: {"oops"\n\n`)],
  ['no [DONE] after the finish reason', sends(role + words + stop)],
  ['no blank line at the very end', sends(whole.trimEnd())],
  ['no usage', sends(role + words + stop + done)],
  ['no role', sends(words + stop + done)],
  [
    'the role in every chunk',
    sends((role + words + stop + done).replaceAll('"delta":{"content"', '"delta":{"role":"assistant","content"')),
  ],
  ['null content first', sends(event(chunkText({ role: 'assistant', content: null })) + words + stop + done)],
  [
    'empty and null tool calls',
    sends(role + event(chunkText({ tool_calls: [] })) + event(chunkText({ tool_calls: null })) + words + stop + done),
  ],
  ['empty choices in between', sends(role + event(chunkText({}, null, { choices: [] })) + words + stop + done)],
  ['the finish reason beside the last text', sends(role + words + event(chunkText({ content: '' }, 'stop')) + done)],
  [
    'usage in every chunk',
    sends(
      whole.replaceAll(
        '"finish_reason":null}]',
        '"finish_reason":null}],"usage":{"prompt_tokens":4,"completion_tokens":1,"total_tokens":5}',
      ),
    ),
  ],
];

export const raises: readonly [string, Script][] = [
  ['silence from the start', sends('')],
  ['silence after the role', sends(role)],
  ['silence in the middle', sends(role + words)],
  ['[DONE] without a finish reason', sends(role + words + done)],
  ['an empty chunk and the end (Ollama)', sends(role + event(chunkText({ content: '' })))],
  ['a reset before anything', (call) => call.destroy()],
  ['a reset between events', breaksOffAfter(role + words)],
  ['a reset inside an event', breaksOffAfter(role + words + 'data: {"choices":[{"del')],
  ['an error object', sends(role + words + event('{"error":{"message":"boom","type":"server_error"}}'))],
  ['an error text', sends(role + words + event('{"error":"boom"}'))],
  ['an error line (old llama.cpp)', sends(`${role + words}error: {"code":500,"message":"boom"}\n\n`)],
  ['an error event', sends(`${role + words}event: error\ndata: {"message":"boom"}\n\n`)],
  [
    'an error object of its own kind (old vLLM)',
    sends(role + words + event('{"object":"error","message":"boom","code":500}')),
  ],
  ['an error line without SSE', sends(`${role + words}{"error":"boom"}\n`)],
  ['an error and then [DONE] (vLLM)', sends(role + words + event('{"error":{"message":"boom"}}') + done)],
  ['broken JSON in the middle', sends(`${role + words}data: {"choices": [}\n\n${stop}${done}`)],
  [
    'NaN in the middle',
    sends(`${role + words}data: {"choices":[{"index":0,"delta":{"content":"x"},"logprobs":NaN}]}\n\n${stop}${done}`),
  ],
  ['HTML instead', (call) => call.respond(200, 'text/html', '<html>Bad gateway</html>')],
  ['an HTML 502', (call) => call.respond(502, 'text/html', '<html>Bad gateway</html>')],
  ['an error with status 200 (LM Studio)', (call) => call.json(200, { error: 'Unexpected endpoint or method' })],
  ['JSON of another kind with status 200', (call) => call.json(200, { hello: 'world' })],
  ['a redirect to somewhere else', (call) => call.redirect('http://169.254.169.254/latest')],
  ['a 401 of its own', (call) => call.json(401, { error: { message: 'no key' } })],
  [
    'a 400 when it is full',
    (call) => call.json(400, { error: { message: 'context size exceeded', type: 'exceed_context_size_error' } }),
  ],
  ['nothing but 204', (call) => call.respond(204, 'text/plain', '')],
];
