import { expect, test } from '@jest/globals';
import { translationHeaders } from './response-headers.js';

const headerOf = (...dropped: string[]): string | undefined =>
  translationHeaders({ native: false, dropped })['x-ferry-translation'];

test('an agent that reports nothing yields no header', () => {
  expect(translationHeaders(null)).toEqual({});
  expect(translationHeaders(undefined)).toEqual({});
});

test('an engine that speaks the dialect itself is native', () => {
  expect(translationHeaders({ native: true, dropped: [] })).toEqual({ 'x-ferry-translation': 'native' });
});

test('a native engine lists the fields not honoured', () => {
  expect(translationHeaders({ native: true, dropped: ['functions'] })).toEqual({
    'x-ferry-translation': 'native; dropped=functions',
  });
});

test('a translation lists the dropped fields', () => {
  expect(headerOf()).toBe('translated');
  expect(headerOf('container', 'tools[2]')).toBe('translated; dropped=container,tools[2]');
});

test('what the model gets in another form is named apart', () => {
  expect(translationHeaders({ native: true, dropped: [], changed: ['messages[0].content'] })).toEqual({
    'x-ferry-translation': 'native; changed=messages[0].content',
  });
  expect(translationHeaders({ native: false, dropped: ['container'], changed: ['messages[1].content[0]'] })).toEqual({
    'x-ferry-translation': 'translated; dropped=container; changed=messages[1].content[0]',
  });
});

test('an invalid field path is counted, never repeated', () => {
  expect(headerOf('a\r\nset-cookie: x', '', 'ü', 'a,b', 'ok')).toBe('translated; dropped=ok; more=4');
});

test('a long list is truncated', () => {
  const header = headerOf(...Array.from({ length: 64 }, (_, index) => `${'x'.repeat(98)}${String(index % 10)}`)) ?? '';
  expect(header.length).toBeLessThan(1_100);
  expect(header).toMatch(/; more=54$/);
});
