/**
 * What the relay itself writes into a stream of text completions: the same as into a chat
 * (docs/reference/stream-transport.md#errors-inside-a-stream).
 */
export {
  keepAliveComment as completionsKeepAlive,
  openAiErrorFrame as completionsErrorFrame,
} from '../openai-frames.js';
