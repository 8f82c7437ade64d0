/** Name look-ups that end at public addresses or nowhere. */
import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

export type Resolve = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export const systemResolve: Resolve = (host, done) => {
  lookup(host, { all: true, verbatim: true }, done);
};

export interface PublicLookupOptions {
  readonly resolve: Resolve;
  readonly isPublic: (address: string) => boolean;
  /** One error for a name that does not exist and for one of somebody's own network: nobody can tell them apart by it. */
  readonly refusal: () => Error;
}

/** For sockets: the address that was judged is the one that is connected to, because a second look-up could answer differently. */
export const publicLookup =
  ({ resolve, isPublic, refusal }: PublicLookupOptions): LookupFunction =>
  (host, options, done) => {
    resolve(host, (error, addresses) => {
      const [first] = addresses;
      // One private address among public ones is a trap, not a mistake.
      if (error !== null || first === undefined || !addresses.every(({ address }) => isPublic(address))) {
        done(refusal(), '');
        return;
      }
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

/** The address that the host of a URL is; undefined: it is a name. An address is never looked up, so it is to be judged before. */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}
