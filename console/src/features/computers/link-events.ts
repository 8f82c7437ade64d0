/** Connections of a computer to the relay, in words. */
import type { Schemas } from '../../api/management-api.types';

type LinkEvent = Schemas['NodeLinkEvent'];

const endings: Readonly<Record<NonNullable<LinkEvent['reason']>, string>> = {
  peer_closed: 'It closed the connection.',
  closed_here: 'The relay closed the connection.',
  protocol_error: 'It sent what the relay does not understand.',
  handshake_timeout: 'It did not say in time who it is.',
  dead: 'It fell silent.',
  backlog: 'It did not read what was sent to it.',
  internal: 'The connection ended by a fault of the relay.',
};

/** How its newest connection ended. @returns undefined: not known, as after a restart of the relay */
export function endOfConnection(events: readonly LinkEvent[] = []): string | undefined {
  const newest = events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).at(-1);
  return newest?.reason == null ? undefined : endings[newest.reason];
}
