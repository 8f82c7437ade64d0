import { BlockList, isIP, isIPv6 } from 'node:net';

const privateAddresses = new BlockList();
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  privateAddresses.addSubnet(net, prefix);
privateAddresses.addSubnet('fc00::', 7, 'ipv6');
privateAddresses.addSubnet('fe80::', 10, 'ipv6');

const isPrivate = (address: string): boolean =>
  isIP(address) !== 0 && privateAddresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * macOS 15 and later refuse a service every connection to its own network until somebody allows it, and says so with the code of a host
 * that is switched off. Undefined where that cannot be the cause.
 */
export function localNetworkAdvice(error: unknown, platform: NodeJS.Platform = process.platform): string | undefined {
  const { code, address } = error as NodeJS.ErrnoException & { readonly address?: unknown };
  if (platform !== 'darwin' || code !== 'EHOSTUNREACH') return undefined;
  if (typeof address !== 'string' || !isPrivate(address)) return undefined;
  return (
    'if that computer is on, macOS keeps this program from the local network: allow it in System Settings > Privacy & Security > ' +
    'Local Network, after a start from Terminal that asks for it, or use a public address or one of a tailnet'
  );
}
