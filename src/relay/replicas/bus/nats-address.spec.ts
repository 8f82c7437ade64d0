import { expect, it } from '@jest/globals';
import { parseNatsAddress } from './nats-address.js';

it.each([
  ['nats://bus', { servers: ['bus:4222'] }],
  ['nats://bus:4333/', { servers: ['bus:4333'] }],
  ['nats://[::1]:4333', { servers: ['[::1]:4333'] }],
  ['nats://a, nats://user:p%40ss@b:1', { servers: ['a:4222', 'b:1'], user: 'user', pass: 'p@ss' }],
  ['nats://token@a', { servers: ['a:4222'], token: 'token' }],
  ['tls://a', { servers: ['a:4222'], tls: {} }],
])('reads %s', (text, address) => {
  expect(parseNatsAddress(text)).toEqual(address);
});

it.each(['', ' , ', 'bus:4222', 'http://hunter2@bus', 'nats://', 'nats://bus/hunter2', 'nats://user:hunter2@bus:x'])(
  'refuses %j without repeating it',
  (text) => {
    expect(() => parseNatsAddress(text)).toThrow(/^needs (an address|addresses) such as nats:\/\/host:4222/);
    expect(() => parseNatsAddress(text)).not.toThrow('hunter2');
  },
);
