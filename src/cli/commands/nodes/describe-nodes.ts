/** What people write about a node: its note and its tags. */
import { connect } from '../../core/api/connect.js';
import { findNode } from '../../core/api/find-node.js';
import { printData, silently } from '../../core/output/print-data.js';
import type { Invocation } from '../../invocation.js';
import { printable } from '../../../kernel/printable.js';

const NODE = '/api/nodes/{nodeId}';
const whenMissing = 'ferry nodes';

/** @param text absent: shows the note */
export async function noteNode(invocation: Invocation, node: string, text: string | undefined): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const path = { nodeId: await findNode(api, node) };
  if (text === undefined) {
    const shown = await api.get(NODE, { path, whenMissing });
    await printData(invocation, shown, () => {
      if (shown.note === null) terminal.note(`${printable(shown.name)} has no note.`);
      else
        terminal.print(
          shown.note
            .split('\n')
            .map((line) => printable(line, ''))
            .join('\n'),
        );
    });
    return;
  }
  const changed = await api.patch(NODE, { path, body: { note: text.trim() === '' ? null : text.trim() }, whenMissing });
  terminal.note(`${changed.note === null ? 'Removed the note about' : 'Noted about'} ${printable(changed.name)}.`);
  await printData(invocation, changed, silently);
}

export async function tagNode(invocation: Invocation, node: string, tags: readonly string[]): Promise<void> {
  await changeTags(invocation, node, (present) => [...new Set([...present, ...tags.map(lowerCase)])]);
}

export async function untagNode(invocation: Invocation, node: string, tags: readonly string[]): Promise<void> {
  const unwanted = new Set(tags.map(lowerCase));
  await changeTags(invocation, node, (present) => present.filter((tag) => !unwanted.has(tag)));
}

const lowerCase = (tag: string): string => tag.toLowerCase();

async function changeTags(
  invocation: Invocation,
  node: string,
  change: (present: readonly string[]) => readonly string[],
): Promise<void> {
  const api = await connect(invocation);
  const path = { nodeId: await findNode(api, node) };
  const { tags } = await api.get(NODE, { path, whenMissing });
  const changed = await api.patch(NODE, { path, body: { tags: [...change(tags)] }, whenMissing });
  const shown = changed.tags.length === 0 ? 'no tags' : changed.tags.map((tag) => printable(tag)).join(', ');
  invocation.terminal.note(`Tags of ${printable(changed.name)}: ${shown}.`);
  await printData(invocation, changed, silently);
}
