import { describe, expect, it } from '@jest/globals';
import { cutPosition } from './cut-position';

const endOf = (text: string, endLength?: number): string | null => {
  const position = cutPosition(text, endLength);
  return position === null ? null : text.slice(position);
};

describe('the end of a text that is cut in the middle', () => {
  it.each([
    ['is the domain of a mail address', 'owner-782bb4c1@example.com', '@example.com'],
    ['is a part of a name', 'workstation-of-the-machine-learning-group-basement', '-basement'],
    ['does not begin with a space', 'a key whose name nobody would make it', 'make it'],
    ['is a version', 'Qwen3-0.6B-GGUF-Q8_0', '-Q8_0'],
    ['has seven characters of what has no parts', '5d0c7be1f2a34958b6c7d8e9f0a1b2c3', '0a1b2c3'],
    ['has no half of an emoji', 'aaaaaaaaaaaaaaaa😀bbbbbb', '😀bbbbbb'],
    ['is none of a short text', 'qwen3:8b', null],
  ])('%s', (_case, text, end) => {
    expect(endOf(text)).toBe(end);
  });

  it('is the bracket behind a person, who has all the room then', () => {
    expect(endOf('Website (ada.lovelace@example.com)')).toBe(')');
  });

  it('leaves room for the name where the domain is long', () => {
    expect(endOf('ada@mail.of-the-machine-learning-group.example')).toBe('.example');
  });

  it('is as long as asked for', () => {
    expect(endOf('sk-ferry-abcdef-0123456789', 4)).toBe('6789');
  });
});
