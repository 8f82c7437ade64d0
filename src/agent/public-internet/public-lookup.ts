/** DNS look-ups that only return public addresses. */
import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

export type Resolve = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export const systemResolve: Resolve = (host, done) => {
  lookup(host, { all: true, verbatim: true }, done);
};

interface PublicLookupOptions {
  readonly resolve: Resolve;
  readonly isPublic: (address: string) => boolean;
  /** The same error for an unknown name and a private address, so that it does not reveal names of the private network. */
  readonly refusal: () => Error;
}

/** For sockets: connects to the address that was checked. A second look-up could answer differently (DNS rebinding). */
export const publicLookup =
  ({ resolve, isPublic, refusal }: PublicLookupOptions): LookupFunction =>
  (host, options, done) => {
    resolve(host, (error, addresses) => {
      const [first] = addresses;
      // A private address among public ones is an attack.
      if (error !== null || first === undefined || !addresses.every(({ address }) => isPublic(address))) {
        done(refusal(), '');
        return;
      }
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

/** The host of a URL when it is an IP address; undefined for a name. Addresses are never looked up, so the caller checks them. */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}
