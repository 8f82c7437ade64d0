import type { Node } from '../../components/node-facts';
import classes from './computers.module.css';
import { Tags } from './tags';

/** What people have written about a computer. */
export function ComputerNotes({ node: { note, tags } }: { readonly node: Node }) {
  if (note === null && tags.length === 0) return null;
  return (
    <div className={classes.about}>
      {note !== null && <p className={classes.noteText}>{note}</p>}
      <Tags tags={tags} />
    </div>
  );
}
