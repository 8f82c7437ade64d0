/** What the relay itself writes into a chat stream (wire-protocols §5.3). */
export { keepAliveComment as chatKeepAlive, openAiErrorFrame as chatErrorFrame } from '../openai-frames.js';
