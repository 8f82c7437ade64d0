/** Earlier majors of official clients, for specs: what a specifier means is decided by the folder of the file that imports it. */
export { createOpenAI as createOpenAI1 } from '@ai-sdk/openai';
export { Anthropic as Anthropic0 } from '@anthropic-ai/sdk';
export * as ai4 from 'ai';
export { OpenAI as OpenAI4 } from 'openai';
