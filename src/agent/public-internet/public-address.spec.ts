import { expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2001:4860:4860::8888', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it.each([
  ['this computer', '127.0.0.1'],
  ['this computer', '127.8.8.8'],
  ['this computer', '0.0.0.0'],
  ['this computer', '::1'],
  ['this computer', '::'],
  ['a private network', '10.0.0.1'],
  ['a private network', '172.16.0.1'],
  ['a private network', '192.168.1.1'],
  ['a private network', 'fd00::1'],
  ['a private network', 'fec0::1'],
  ['the link-local range, also cloud metadata', '169.254.169.254'],
  ['the link-local range', 'fe80::1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['the benchmarking range', '198.18.0.1'],
  ['the documentation range', '192.0.2.1'],
  ['the documentation range', '2001:db8::1'],
  ['broadcast', '255.255.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast', 'ff02::1'],
  ['the reserved range', '240.0.0.1'],
  ['a private IPv4 in IPv6', '::ffff:10.0.0.1'],
  ['a private IPv4 in IPv6', '64:ff9b::a00:1'],
  ['a private IPv4 in IPv6', '2002:a00:1::'],
  ['a private IPv4 in IPv6', '::127.0.0.1'],
  ['a tunnel', '2001::1'],
  ['nothing: a name', 'localhost'],
  ['nothing: a number', '2130706433'],
  ['nothing', ''],
])('%s is not public: %s', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});
