/** Turns what Pydantic and vLLM say of a request into words for people. */

const fault = /'loc': '(?<loc>[^']*)', 'msg': (?:'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)")/g;
/** A request may have as many faults as elements. */
const MAX_FAULTS = 5;

/** Behind vLLM's own words, which name both already. */
const parameter = / \(parameter=[\w.]{1,200}(?:, value=[^()]{0,200})?\)$/;

/** The message for people; itself when it is none of Pydantic's or vLLM's. */
export function validationWords(message: string): string {
  if (!/^\d+ validation errors?:/.test(message)) return message.replace(parameter, '');
  const faults: string[] = [];
  for (const { groups } of message.matchAll(fault)) {
    if (faults.length === MAX_FAULTS) break;
    faults.push(`${fieldPath(groups?.['loc'] ?? '')}: ${groups?.['single'] ?? groups?.['double'] ?? ''}`);
  }
  return faults.length === 0 ? message : faults.join('; ');
}

/** `body.tools.0.function` in the form of the protocols: `tools[0].function`. */
export const fieldPath = (loc: string): string =>
  loc.startsWith('body.') ? loc.slice('body.'.length).replace(/\.(\d+)(?=\.|$)/g, '[$1]') : loc;
