import type { HeadMessage } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { Failover } from './failover.js';
import type { RequestTimeline } from './request-timeline.js';

/** Where there is nothing to say. */
export const noHeaders: Readonly<Record<string, string>> = {};

/** For a request by a display name that several models have: the one that answers it. */
export const modelHeader = ({ report }: Placement): Readonly<Record<string, string>> => ({
  'x-ferry-model': report.selector,
});

interface Routed {
  readonly failover: Pick<Failover, 'last' | 'attempts'>;
  readonly timeline: Pick<RequestTimeline, 'queuedMs'>;
}

/** Optional headers: the answering node, the queue time and the number of attempts, rejections included. */
export const routeHeaders = ({ failover, timeline }: Routed): Readonly<Record<string, string>> => ({
  'x-ferry-node': failover.last?.node.nodeId ?? '-',
  'x-ferry-queue-ms': String(Math.round(timeline.queuedMs)),
  'x-ferry-attempts': String(failover.attempts),
});

/** The syntax of a field path. Node output is hostile: anything else must not get into a header. */
const FIELD_PATH = /^[A-Za-z0-9_.[\]-]{1,120}$/;
/** A client that sends hundreds of foreign fields must not fill its own response head with them. */
const LONGEST_LIST_CHARACTERS = 1_000;

const native = { 'x-ferry-translation': 'native' } as const;

/** `x-ferry-translation: native` or `translated`, each with `; dropped=a,b` where fields have no effect; with `more=N` when not all names fit. */
export function translationHeaders(translation: HeadMessage['translation']): Readonly<Record<string, string>> {
  if (translation == null) return noHeaders;
  if (translation.native && translation.dropped.length === 0) return native;
  const names = translation.dropped.filter((name) => FIELD_PATH.test(name));
  const shown: string[] = [];
  let characters = 0;
  for (const name of names) {
    characters += name.length + 1;
    if (characters > LONGEST_LIST_CHARACTERS) break;
    shown.push(name);
  }
  const left = translation.dropped.length - shown.length;
  const parts = [translation.native ? 'native' : 'translated'];
  if (shown.length > 0) parts.push(`dropped=${shown.join(',')}`);
  if (left > 0) parts.push(`more=${left}`);
  return { 'x-ferry-translation': parts.join('; ') };
}

/** Of an answer that has begun. @param permit the result of the rate limits */
export function responseHeaders(
  request: Routed,
  { translation }: HeadMessage,
  permit: Readonly<Record<string, string>>,
  { explainsInHeaders }: { readonly explainsInHeaders: boolean },
): Readonly<Record<string, string>> {
  const { last } = request.failover;
  const translated = translationHeaders(translation);
  // Nearly always: no object of its own.
  if (permit === noHeaders && last?.byAmbiguousName !== true && !explainsInHeaders) return translated;
  return {
    ...permit,
    ...translated,
    ...(last?.byAmbiguousName === true && modelHeader(last)),
    ...(explainsInHeaders && routeHeaders(request)),
  };
}
