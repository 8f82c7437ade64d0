import { engineError } from '../failures/failures.js';
import { askEngine } from '../http/extension-response.js';
import type { AnswerExtension } from '../http/engine-adapter.js';
import { rewriteRequestBody } from '../http/request-body.js';

const route = 'count';

/**
 * The tokens of a chat request as llama-server itself would read it: its template applied, and the text split as its chat route does.
 * @param query of a router, which must not load a model for this
 */
export const countTokens =
  (query: () => string): AnswerExtension =>
  async (request) => {
    const { engineModel: model } = request;
    const chat = rewriteRequestBody(request.body, { model, stream: false });
    const { prompt } = await askEngine(request, { route, path: `/apply-template${query()}`, body: chat });
    if (typeof prompt !== 'string') throw engineError('The engine did not return the prompt of its template.');
    const text = Buffer.from(JSON.stringify({ model, content: prompt, add_special: true, parse_special: true }));
    const { tokens } = await askEngine(request, { route, path: `/tokenize${query()}`, body: [text] });
    if (!Array.isArray(tokens)) throw engineError('The engine did not return the tokens of the prompt.');
    return { input_tokens: tokens.length };
  };
