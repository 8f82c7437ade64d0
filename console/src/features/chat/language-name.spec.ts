import { describe, expect, it } from '@jest/globals';
import { languageName } from './language-name';

describe('the name of a language', () => {
  it('is the one that people know', () => {
    expect(['sh', 'ts', 'Python', 'c++'].map(languageName)).toEqual(['Shell', 'TypeScript', 'Python', 'C++']);
  });

  it('is what the model wrote where it is unknown', () => {
    expect(['zig', 'constructor', '__proto__'].map(languageName)).toEqual(['zig', 'constructor', '__proto__']);
  });
});
