/** Tells public internet addresses from private, reserved and unassigned ones. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The assigned public range of IPv6. An allow-list, so that an incomplete list of exceptions does no harm. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Missing in the library's lists: benchmarking networks and IETF protocol assignments. */
const benchmarks = ipaddr.IPv4.parseCIDR('198.18.0.0/15');
const protocols = ipaddr.IPv6.parseCIDR('2001::/23');

/** @param text an IP address without brackets; anything else is not public */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || !ipaddr.isValid(text)) return false;
  // Normalises IPv4-mapped IPv6 addresses.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4
    ? !address.match(benchmarks)
    : address.match(globalUnicast) && !address.match(protocols);
}
