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
  ['somebody’s network', '10.0.0.1'],
  ['somebody’s network', '172.16.0.1'],
  ['somebody’s network', '192.168.1.1'],
  ['somebody’s network', 'fd00::1'],
  ['somebody’s network', 'fec0::1'],
  ['the next machine, or a cloud’s metadata', '169.254.169.254'],
  ['the next machine', 'fe80::1'],
  ['a carrier', '100.64.0.1'],
  ['measurements', '198.18.0.1'],
  ['examples', '192.0.2.1'],
  ['examples', '2001:db8::1'],
  ['everybody', '255.255.255.255'],
  ['a group', '224.0.0.1'],
  ['a group', 'ff02::1'],
  ['the future', '240.0.0.1'],
  ['a private IPv4 in IPv6', '::ffff:10.0.0.1'],
  ['a private IPv4 in IPv6', '64:ff9b::a00:1'],
  ['a private IPv4 in IPv6', '2002:a00:1::'],
  ['a private IPv4 in IPv6', '::127.0.0.1'],
  ['a tunnel', '2001::1'],
  ['nothing: a name', 'localhost'],
  ['nothing: a number', '2130706433'],
  ['nothing', ''],
])('what belongs to %s is not public: %s', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});
