import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Bridges and tunnels of containers and virtual machines: other computers usually do not reach these. */
const VIRTUAL = /^(?:docker|podman|br-|bridge|veth|virbr|vmnet|vboxnet|vEthernet|cni|flannel|lxc|lxd)/i;

/** IPv4 addresses of this computer in its networks, those of virtual interfaces last. */
export function networkAddresses(interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces()): string[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses]) =>
    (addresses ?? [])
      // 169.254: an interface that got no address.
      .filter(({ address, internal }) => !internal && isIPv4(address) && !address.startsWith('169.254.'))
      .map(({ address }) => ({ address, virtual: VIRTUAL.test(name) })),
  );
  return [...found.filter(({ virtual }) => !virtual), ...found.filter(({ virtual }) => virtual)].map(
    ({ address }) => address,
  );
}
