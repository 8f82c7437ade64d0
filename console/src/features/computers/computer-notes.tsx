import { Button, TagsInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../components/form-dialog';
import type { Node } from '../../components/node-facts';
import { useDescribeNode } from './computer-dialogs';
import classes from './computers.module.css';
import { Tags } from './tags';

const MOST_TAGS = 20;
const MOST_TAG_CHARACTERS = 32;
const MOST_NOTE_CHARACTERS = 1_000;

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
      {editing && <NotesDialog node={node} onClose={() => setEditing(false)} />}
    </div>
  );
}

function NotesDialog({ node, onClose }: { readonly node: Node; readonly onClose: () => void }) {
  const [note, setNote] = useState(node.note ?? '');
  const [tags, setTags] = useState<string[]>([...node.tags]);
  const { mutate, isPending, error } = useDescribeNode(node, onClose);
  return (
    <FormDialog
      title={`Note and tags of ${node.name}`}
      action="Save"
      ready
      pending={isPending}
      error={error}
      onSubmit={() => mutate({ note: note.trim() === '' ? null : note.trim(), tags })}
      onClose={onClose}
    >
      <Textarea
        label="Note"
        description="For everybody in the account."
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MOST_NOTE_CHARACTERS}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
      />
      <TagsInput
        mt="md"
        label="Tags"
        description="Small letters, digits, . _ and -. Enter or a comma ends one."
        maxTags={MOST_TAGS}
        value={tags}
        onChange={(values) => setTags(tagsOf(values))}
        splitChars={[',', ' ']}
        acceptValueOnBlur
      />
    </FormDialog>
  );
}

/** As the relay takes them. What was pasted or left with the field may have several. */
const tagsOf = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.split(/[\s,]+/)).flatMap((text) => tagOf(text) || [])),
];

const tagOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{Ll}\p{Lo}\p{N}._-]+/gu, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '')
    .slice(0, MOST_TAG_CHARACTERS);
