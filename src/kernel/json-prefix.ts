const isSpace = /[ \t\n\r]*/y;
/** Numbers and literals, also cut ones. Their spelling is not checked. */
const scalar = /[-+.\w]+/y;
/** Behind its opening quote. A cut one ends with the text. */
const restOfString = /[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)/y;

/** What may stand next: a key or the end of an object, a value or the end of an array, … */
type Next = 'value' | 'first-key' | 'key' | 'colon' | 'first-item' | 'separator';

/**
 * Whether a JSON object may begin with this text, or be it. Checks how brackets, strings and separators follow each other, in one pass.
 */
export function beginsObject(text: string): boolean {
  const open: ('{' | '[')[] = [];
  let next = 'value' as Next;
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  for (skip(isSpace); at < text.length; skip(isSpace)) {
    const character = text.charAt(at);
    const within = open.at(-1);
    if (next !== 'value' && within === undefined) return false;
    if (next === 'separator' || next === 'colon') {
      const expected = next;
      at += 1;
      if (expected === 'colon' && character === ':') next = 'value';
      else if (expected === 'separator' && character === ',') next = within === '{' ? 'key' : 'value';
      else if (expected === 'separator' && character === (within === '{' ? '}' : ']')) open.pop();
      else return false;
    } else if ((next === 'first-key' && character === '}') || (next === 'first-item' && character === ']')) {
      at += 1;
      open.pop();
      next = 'separator';
    } else if (character === '"') {
      if (within === undefined) return false;
      at += 1;
      skip(restOfString);
      next = next === 'first-key' || next === 'key' ? 'colon' : 'separator';
    } else if (next === 'first-key' || next === 'key') {
      return false;
    } else if (character === '{' || (character === '[' && within !== undefined)) {
      at += 1;
      open.push(character);
      next = character === '{' ? 'first-key' : 'first-item';
    } else {
      if (within === undefined || !skip(scalar)) return false;
      next = 'separator';
    }
  }
  return true;
}
