import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Node } from '../../components/node-facts';
import classes from './computers.module.css';
import { Tags } from './tags';

const NotesDialog = lazy(() => import('./notes-dialog'));

/** What people have written about a computer, and where they change it. */
export function ComputerNotes({ node, mayManage }: { readonly node: Node; readonly mayManage: boolean }) {
  const [editing, setEditing] = useState(false);
  if (!mayManage && node.note === null && node.tags.length === 0) return null;
  return (
    <div className={classes.about}>
      {node.note !== null && <p className={classes.noteText}>{node.note}</p>}
      <Tags tags={node.tags} />
      {mayManage && (
        <Button size="compact-xs" variant="default" onClick={() => setEditing(true)}>
          {node.note === null && node.tags.length === 0 ? 'Add a note or tags' : 'Edit note and tags'}
        </Button>
      )}
      {editing && (
        <Suspense>
          <NotesDialog node={node} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </div>
  );
}
