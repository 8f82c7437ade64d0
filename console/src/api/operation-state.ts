import type { Schemas } from './management-api.types';

export type Operation = Schemas['Operation'];

/** Not over: it waits or runs, also where its computer is offline. */
export const isLive = ({ state }: Operation): boolean => state === 'queued' || state === 'running';

/** The relay keeps failures for that long at least. */
export const FAILURE_DAYS = 7;
const DAY_MS = 86_400_000;

/** Failed within a week, neither dismissed nor tried again. */
export const needsAttention = ({ state, finished_at, dismissed_at }: Operation, nowMs = Date.now()): boolean =>
  state === 'failed' &&
  dismissed_at === null &&
  finished_at !== null &&
  nowMs - Date.parse(finished_at) < FAILURE_DAYS * DAY_MS;

/** What it is about, in the words of whoever started it. */
export const subjectOf = ({ model, model_key, source }: Operation): string => model ?? model_key ?? source ?? 'a model';
