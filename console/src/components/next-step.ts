/** What to do about a request that failed or was rejected, as a pure function of what is known of it. */
import type { Schemas } from '../api/management-api.types';

/** Where it is done. */
export type Place =
  | { readonly kind: 'computer'; readonly nodeId: string; readonly name: string }
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'models' }
  | { readonly kind: 'key'; readonly keyId: string }
  | { readonly kind: 'new-key' }
  | { readonly kind: 'add-computer' };

export interface NextStep {
  /** Sentences. */
  readonly advice: string;
  readonly place?: Place;
  /** Of the computer itself, without its first word: "logs". */
  readonly command?: string;
}

/** A row of the request log, or what a chat knows of its own request. */
export type FailedRequest = Pick<
  Schemas['LoggedRequest'],
  'code' | 'message' | 'node_id' | 'node_name' | 'model_name' | 'requested_model' | 'key_id' | 'key_name'
> & {
  /** A load of its model can be given a context. Default: that is not known. */
  readonly takesContext?: boolean;
};

const OUT_OF_MEMORY = /out of memory|(?:not enough|more system|insufficient) (?:\w+ )?memory|failed to allocate/i;

const AGAIN_SOON = 'Send it again in a few seconds: nothing is wrong with the request.';
const WHOLE_CONVERSATION = 'Send the whole conversation again, without the id of an earlier answer.';
const CORRECT = 'Change what the message names, then send the request again.';

/** Codes that need no more than a sentence. */
const sentences: Readonly<Record<string, string>> = {
  draining: AGAIN_SOON,
  overloaded: AGAIN_SOON,
  internal_error: 'This is a fault of Ferry itself. Report it with the id of the request.',
  engine_rejected_request: CORRECT,
  invalid_json: CORRECT,
  invalid_request: CORRECT,
  unsupported_parameter: 'Leave out the field that the message names, then send the request again.',
  unsupported_content_type: 'Send it with the header Content-Type: application/json.',
  unsupported_content_encoding: 'Send it uncompressed, or with gzip, br or deflate.',
  request_too_large: 'Send smaller attachments, or fewer of them.',
  request_stopped: 'Somebody of this account stopped it. Ask them before you send it again.',
  previous_response_not_found: WHOLE_CONVERSATION,
  thread_not_found: WHOLE_CONVERSATION,
  thread_already_continued: WHOLE_CONVERSATION,
  thread_unsupported_request: WHOLE_CONVERSATION,
  thread_continue_in_flight: 'Wait for the answer that is being written, and continue from that.',
  cluster_not_found: 'Leave out the header X-Cluster-ID, or send the id of a cluster of this account.',
};

/** @returns undefined where nothing went wrong, or nothing is known that helps */
export function nextStepOf(request: FailedRequest): NextStep | undefined {
  const { code } = request;
  if (code === null) return undefined;
  if (Object.hasOwn(sentences, code)) return { advice: sentences[code] ?? '' };
  return ofEngine(code, request) ?? ofModel(code, request) ?? ofKey(code, request);
}

const memoryAdvice = (name: string, takesContext: boolean): string =>
  `On ${name}, unload a model that is not needed${takesContext ? ', or load this one with less context' : ''}.`;

function ofEngine(
  code: string,
  { message, node_id, node_name, takesContext = false }: FailedRequest,
): NextStep | undefined {
  const name = node_name ?? 'the computer';
  // What was removed has no page.
  const computer = node_id === null || node_name === null ? {} : { place: placeOf(node_id, node_name) };
  switch (code) {
    case 'engine_error':
      return OUT_OF_MEMORY.test(message ?? '')
        ? { advice: memoryAdvice(name, takesContext), ...computer }
        : {
            advice: `The log of the engine on ${name} has the reason. What Ferry asked of it is in the log of Ferry there:`,
            command: 'logs',
          };
    case 'engine_timeout':
      return { advice: `Send a shorter prompt, or look at what keeps ${name} busy.`, ...computer };
    case 'node_disconnected':
      return {
        advice: `Look whether ${name} is online again, then send the request again: its prompt may have run once already.`,
        ...computer,
      };
    default:
      return undefined;
  }
}

const placeOf = (nodeId: string, name: string): Place => ({ kind: 'computer', nodeId, name });

function ofModel(code: string, { model_name, requested_model }: FailedRequest): NextStep | undefined {
  const model: Place = model_name === null ? { kind: 'models' } : { kind: 'model', name: model_name };
  switch (code) {
    case 'model_not_found':
      return {
        advice: `Install ${requested_model ?? 'the model'} on a computer, or ask for a model by a name of the list.`,
        place: { kind: 'models' },
      };
    case 'no_node_for_user':
      return { advice: 'Start a computer that has the model, or load the model where it is installed.', place: model };
    case 'context_length_exceeded':
      return { advice: 'Shorten the conversation, or load the model with more context.', place: model };
    case 'unsupported_capability':
    case 'not_implemented':
      return { advice: 'Ask a model, or an engine, that can do what the message names.', place: { kind: 'models' } };
    case 'capacity':
      return {
        advice:
          'Every computer with this model was busy. Send it again, or add a computer that takes part of the work.',
        place: { kind: 'add-computer' },
      };
    default:
      return undefined;
  }
}

function ofKey(code: string, { key_id, key_name }: FailedRequest): NextStep | undefined {
  // The website has no key: it is logged by the person.
  const key = key_id.startsWith('key_') && key_name !== null ? { place: { kind: 'key' as const, keyId: key_id } } : {};
  switch (code) {
    case 'rate_limit_exceeded':
      return { advice: 'Wait as long as the header Retry-After said, or raise the limit that is used up.', ...key };
    case 'cluster_not_allowed':
      return { advice: 'Leave out the header X-Cluster-ID, or let the key reach that cluster.', ...key };
    case 'insufficient_scope':
      return { advice: 'Use a key that may use models.', place: { kind: 'new-key' } };
    default:
      return undefined;
  }
}
