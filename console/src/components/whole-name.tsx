import classes from './whole-name.module.css';

/** Of a mail address, after which it is read on: a line may end before it. */
const BEFORE_DOMAIN = /(?=@)/;

/** What tells a row from the others: never cut, on several lines where one has no room for it. */
export function WholeName({ text }: { readonly text: string }) {
  return (
    <bdi className={classes.name}>
      {text.split(BEFORE_DOMAIN).map((part, index) => (
        <span key={index}>
          {index > 0 && <wbr />}
          {part}
        </span>
      ))}
    </bdi>
  );
}
