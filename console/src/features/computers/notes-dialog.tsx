import { TagsInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { FormDialog } from '../../components/form-dialog';
import type { Node } from '../../components/node-facts';
import { paramsOf, useNodeChange } from './use-node-change';

const MOST_TAGS = 20;
const MOST_TAG_CHARACTERS = 32;
const MOST_NOTE_CHARACTERS = 1_000;

export default function NotesDialog({ node, onClose }: { readonly node: Node; readonly onClose: () => void }) {
  const [note, setNote] = useState(node.note ?? '');
  const [tags, setTags] = useState<string[]>([...node.tags]);
  const { mutate, isPending, error } = useNodeChange(
    (body: { readonly note: string | null; readonly tags: string[] }) =>
      bodyOf(api.PATCH('/api/nodes/{nodeId}', { params: paramsOf(node), body })),
    onClose,
  );
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
        description="Lowercase letters, digits, dot, _ or -. Press Enter after each."
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
