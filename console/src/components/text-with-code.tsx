import { codeParts } from './code-parts';
import classes from './text-with-code.module.css';

/** A text of the relay or of an engine, in which commands and names of programs stand between backticks. */
export function TextWithCode({ text }: { readonly text: string }) {
  return codeParts(text).map(({ text: part, isCode }, index) =>
    isCode ? (
      <code key={index} className={classes.code}>
        {part}
      </code>
    ) : (
      part
    ),
  );
}
