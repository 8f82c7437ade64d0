import { Modal } from '@mantine/core';
import { SnippetTabs } from '../../components/snippet-tabs';
import type { ShownChat } from './chat-session';
import { chatSnippets } from './chat-snippets';
import { requestFor, upToLastQuestion } from './conversation';

interface CodeDialogProps {
  readonly chat: ShownChat;
  readonly model: string;
  readonly onClose: () => void;
}

/** The request that asked the last question, as programs would send it. */
export function CodeDialog({ chat: { turns, settings }, model, onClose }: CodeDialogProps) {
  const asked = turns.length > 0 ? upToLastQuestion(turns) : [{ role: 'user' as const, id: 'example', text: 'Hello!' }];
  return (
    <Modal opened onClose={onClose} title="This chat as code" size="xl">
      <SnippetTabs
        label="Client"
        snippets={chatSnippets(globalThis.location.origin, requestFor(model, asked, settings))}
      />
    </Modal>
  );
}
