import { useState } from 'react';

interface TypedFilter {
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  /** After a pause in typing. */
  readonly settle: (text: string) => void;
}

/**
 * A text that is typed into a field and kept in the URL once it has settled. A link to the page that is shown, or the way back, changes the URL and
 * thereby the text; the URL that follows what was typed, which goes on meanwhile, does not.
 * @param meaning of what was typed, for the URL
 */
export function useTypedFilter(
  [inUrl, setUrl]: readonly [string, (value: string) => void],
  meaning = (text: string): string => text,
): TypedFilter {
  const [typed, setTyped] = useState(inUrl);
  const [seen, setSeen] = useState(inUrl);
  /** What this field has made of the URL. */
  const [own, setOwn] = useState(inUrl);
  if (seen !== inUrl) {
    setSeen(inUrl);
    if (own !== inUrl) {
      setOwn(inUrl);
      setTyped(inUrl);
    }
  }
  const settle = (text: string): void => {
    // A link was followed before the pause was over.
    if (text !== typed) return;
    setOwn(meaning(text));
    setUrl(meaning(text));
  };
  return { typed, setTyped, settle };
}
