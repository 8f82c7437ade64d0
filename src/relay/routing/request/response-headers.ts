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

/**
 * `x-ferry-translation: native` or `translated`, each with `; dropped=a,b` where fields have no effect and with `; changed=c` where the model
 * gets them in another form; with `more=N` when not all names fit.
 */
export function translationHeaders(translation: HeadMessage['translation']): Readonly<Record<string, string>> {
  if (translation == null) return noHeaders;
  const { dropped, changed = [] } = translation;
  if (translation.native && dropped.length === 0 && changed.length === 0) return native;
  const room = { characters: LONGEST_LIST_CHARACTERS };
  const [lost, others] = [shownNames(dropped, room), shownNames(changed, room)];
  const left = dropped.length + changed.length - lost.length - others.length;
  const parts = [translation.native ? 'native' : 'translated'];
  if (lost.length > 0) parts.push(`dropped=${lost.join(',')}`);
  if (others.length > 0) parts.push(`changed=${others.join(',')}`);
  if (left > 0) parts.push(`more=${left}`);
  return { 'x-ferry-translation': parts.join('; ') };
}

/** The first names that are valid and fit. @param room what is left of it for the next list */
function shownNames(names: readonly string[], room: { characters: number }): readonly string[] {
  const shown: string[] = [];
  for (const name of names.filter((candidate) => FIELD_PATH.test(candidate))) {
    room.characters -= name.length + 1;
    if (room.characters < 0) break;
    shown.push(name);
  }
  return shown;
}

/** The headers of a response that has begun. @param permit the result of the rate limits */
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
