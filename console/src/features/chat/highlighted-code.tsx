/** Colours code by its language. A chunk of its own: fetched when an answer has code. */
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import { useMemo, type ReactElement } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import classes from './highlighted-code.module.css';

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});

/** Longer code stays plain: it is read again with every step of a response that is being written. */
const MOST_CHARACTERS = 20_000;

interface HighlightedCodeProps {
  readonly code: string;
  /** As the model has named it. */
  readonly language: string;
}

export default function HighlightedCode({ code, language }: HighlightedCodeProps) {
  const coloured = useMemo(() => {
    if (code.length > MOST_CHARACTERS || !lowlight.registered(language)) return code;
    // Its own type is that of a global namespace which React 19 does not have.
    return toJsxRuntime(lowlight.highlight(language, code), { Fragment, jsx, jsxs }) as ReactElement;
  }, [code, language]);
  return <span className={classes.code}>{coloured}</span>;
}
