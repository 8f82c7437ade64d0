/** Which addresses belong to the public internet: everything else is somebody's own network, or nobody's. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All of IPv6 that is assigned for the public; what a list of exceptions forgets is outside of it. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Missing in the library's lists: measuring networks, and what the IETF keeps for protocols. */
const benchmarks = ipaddr.IPv4.parseCIDR('198.18.0.0/15');
const protocols = ipaddr.IPv6.parseCIDR('2001::/23');

/** @param text an IP address without brackets; anything else is not public */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || !ipaddr.isValid(text)) return false;
  // An IPv4 address inside of an IPv6 one is judged as what it is.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4
    ? !address.match(benchmarks)
    : address.match(globalUnicast) && !address.match(protocols);
}
