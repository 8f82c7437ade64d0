/** An ellipsis stands where a dialog follows, and nowhere else. */
import { placeKey, type Placement } from './placement';

/** @param busy keys of places that requests run on: the dialog tells of them. On several computers it asks for one */
export const unloadLabel = (places: readonly Placement[], busy: ReadonlySet<string>): string =>
  places.length > 1 || places.some((place) => busy.has(placeKey(place))) ? 'Unload…' : 'Unload';
