/** What the relay itself writes into a stream of text completions: the same as into a chat (wire-protocols §5.3). */
export {
  keepAliveComment as completionsKeepAlive,
  openAiErrorFrame as completionsErrorFrame,
} from '../openai-frames.js';
