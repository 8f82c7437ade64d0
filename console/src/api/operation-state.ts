import type { Schemas } from './management-api.types';

export type Operation = Schemas['Operation'];

/** Not over: it waits or runs, also where its computer is offline. */
export const isLive = ({ state }: Operation): boolean => state === 'queued' || state === 'running';
