import { describe, expect, it } from '@jest/globals';
import { typedText } from './palette-typing';

const pressed = (key: string, held = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

describe('what is typed before the palette is there', () => {
  it('is a text', () => {
    const keys = ['m', 'o', 'x', 'Backspace', 'd', '😀', 'Backspace'];
    expect(keys.reduce((text, key) => typedText(text, pressed(key)) ?? text, '')).toBe('mod');
  });

  it('is nothing for other keys', () => {
    for (const key of ['Shift', 'Enter', 'Escape', 'ArrowDown', 'Process', 'Dead'])
      expect(typedText('a', pressed(key))).toBeUndefined();
    for (const held of ['ctrlKey', 'metaKey', 'altKey'])
      expect(typedText('a', pressed('b', { [held]: true }))).toBeUndefined();
  });
});
