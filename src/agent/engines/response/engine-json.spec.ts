import { expect, it } from '@jest/globals';
import { BareObjects } from './engine-json.js';

it('objects of a document are found however it is cut', () => {
  const text = ' \n{"a":"}{"}\n , {"b":[{}]} [DONE] {"c":1}\n{"cut":';
  for (let at = 0; at < text.length; at += 1) {
    const objects = new BareObjects();
    const found = [...objects.push(text.slice(0, at)), ...objects.push(text.slice(at))];
    expect(found).toEqual(['{"a":"}{"}', '{"b":[{}]}', '{"c":1}']);
    expect(objects.waitingCharacters).toBe('{"cut":'.length);
  }
});
