/** llama-server reads `tool_choice` only as a string and ignores every other form of it. */
import { chatAdapter } from '../http/chat-adapter.js';
import type { RequestFields } from '../http/request-fields.js';
import { narrowTools, toolFields } from '../http/tool-choice.js';

/** Only with `verbose` does its chat route report the stop sequence it met; its progress reports the length of the prompt. */
export const adaptToLlamaServer = chatAdapter([...toolFields, 'verbose', 'return_progress'], (fields, wants) => {
  chooseTools(fields);
  if (wants?.matchedStop === true) fields.set('verbose', true);
  if (wants?.promptTokens === true) fields.set('return_progress', true);
});

function chooseTools(fields: RequestFields): void {
  const named = typeof fields.value('tool_choice') !== 'string';
  const mode = narrowTools(fields);
  switch (mode) {
    case 'none':
      // Its template would still show them to the model.
      fields.remove('tools');
      fields.remove('tool_choice');
      return;
    case 'required':
    case 'auto':
      if (named) fields.replace('tool_choice', mode);
      return;
    case undefined:
      return;
  }
}
