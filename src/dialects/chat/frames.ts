/** What the relay itself writes into a chat stream (docs/reference/stream-transport.md#errors-inside-a-stream). */
export { keepAliveComment as chatKeepAlive, openAiErrorFrame as chatErrorFrame } from '../openai-frames.js';
