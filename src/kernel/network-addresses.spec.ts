import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { networkAddresses } from './network-addresses.js';

const at = (address: string, internal = false): NetworkInterfaceInfo =>
  address.includes(':')
    ? { address, internal, family: 'IPv6', netmask: '', mac: '', cidr: null, scopeid: 0 }
    : { address, internal, family: 'IPv4', netmask: '', mac: '', cidr: null };

describe('the addresses of this computer in its networks', () => {
  it('the addresses of this computer in its networks are those of IPv4, without loopback and unassigned ones, virtual interfaces last', () => {
    const interfaces = {
      lo: [at('127.0.0.1', true), at('::1', true)],
      docker0: [at('172.17.0.1')],
      eth0: [at('192.168.1.5'), at('fd00::5')],
      eth1: [at('169.254.7.7')],
      wlan0: [at('10.0.0.8')],
    };
    expect(networkAddresses(interfaces)).toEqual(['192.168.1.5', '10.0.0.8', '172.17.0.1']);
  });

  it('the addresses of this computer in its networks are none without a network', () => {
    expect(networkAddresses({ lo: [at('127.0.0.1', true)] })).toEqual([]);
  });
});
