/** Turns what Pydantic says of a request, as vLLM passes it on, into words for people. */

const fault = /'loc': '(?<loc>[^']*)', 'msg': (?:'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)")/g;
/** A request may have as many faults as elements. */
const MAX_FAULTS = 5;

/** The message itself when it is none of Pydantic's. */
export function validationWords(message: string): string {
  if (!/^\d+ validation errors?:/.test(message)) return message;
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
