import type { OpenMessage } from '../messages.js';

/** Requests of an account for one model share these fields, so that their text is made once. */
interface Common extends Pick<OpenMessage, 'dialect' | 'model_key' | 'public_model' | 'stream' | 'scope'> {
  readonly text: string;
}

/** Models whose latest text is remembered. */
const REMEMBERED_MODELS = 1_000;
const latestOfModel = new Map<string, Common>();

/**
 * The JSON of OPEN. Where nothing is said that only some requests say, most of the text is that of the latest request for the same model:
 * to write it anew takes several times as long.
 */
export const openText = (message: OpenMessage): string =>
  isPlain(message)
    ? `{"request_id":${JSON.stringify(message.request_id)},"deadline_ms":${message.deadline_ms},"body_bytes":${message.body_bytes}${commonText(message)}`
    : JSON.stringify(message);

/** A plain message has no headers, trace, conversation or other replica, so its text can be shared. */
function isPlain(message: OpenMessage): boolean {
  for (const name in message.headers)
    if (message.headers[name as keyof OpenMessage['headers']] !== undefined) return false;
  return (
    message.traceparent === null &&
    message.tracestate === undefined &&
    message.response_id === null &&
    message.first_output_ms === undefined &&
    message.node_id === undefined &&
    message.hop === undefined
  );
}

function commonText({ dialect, model_key, public_model, stream, scope }: OpenMessage): string {
  const latest = latestOfModel.get(model_key);
  if (
    latest?.scope === scope &&
    latest.public_model === public_model &&
    latest.stream === stream &&
    latest.dialect === dialect
  )
    return latest.text;
  const common = { dialect, model_key, public_model, stream, scope };
  const rest = { ...common, response_id: null, headers: {}, traceparent: null };
  // Split and joined, which makes one flat string: what contains it is copied faster.
  const text = [',', JSON.stringify(rest).slice(1)].join('');
  if (latestOfModel.size >= REMEMBERED_MODELS) latestOfModel.clear();
  latestOfModel.set(model_key, { ...common, text });
  return text;
}
