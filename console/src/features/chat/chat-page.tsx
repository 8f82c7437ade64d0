import { Button, Modal, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { modelsQuery } from '../../api/queries';
import { EmptyState } from '../../components/empty-state';
import { ErrorPanel } from '../../components/error-panel';
import { SnippetTabs } from '../../components/snippet-tabs';
import { TableSkeleton } from '../../components/table-skeleton';
import { PageHead } from '../../layout/page-head';
import { useSelectedCluster } from '../../layout/selected-cluster';
import classes from './chat.module.css';
import { ChatSettingsDrawer } from './chat-settings';
import { chatSnippets } from './chat-snippets';
import { Composer } from './composer';
import { requestFor } from './conversation';
import { LoadOffer } from './load-offer';
import { currentChoice, modelChoices, type ModelChoice } from './model-choice';
import { Thread } from './thread';
import { useChat, type Chat } from './use-chat';

export function ChatPage() {
  const cluster = useSelectedCluster();
  const models = useQuery(modelsQuery);
  const chat = useChat(cluster);
  const choices = useMemo(() => modelChoices(models.data ?? [], cluster), [models.data, cluster]);
  const choice = currentChoice(choices, chat.model);
  const [shows, setShows] = useState<'settings' | 'code' | null>(null);
  return (
    <div className={classes.page}>
      <PageHead
        title="Chat"
        action={
          <>
            <Button size="xs" variant="default" onClick={() => setShows('code')} disabled={choice === undefined}>
              View code
            </Button>
            <Button size="xs" variant="default" onClick={() => setShows('settings')}>
              Settings
            </Button>
            <Button size="xs" variant="default" onClick={chat.clear} disabled={chat.turns.length === 0}>
              New chat
            </Button>
          </>
        }
      />
      {models.isPending && <TableSkeleton rows={3} />}
      {models.error !== null && models.data === undefined && (
        <ErrorPanel title="Models could not be loaded" error={models.error} onRetry={() => void models.refetch()} />
      )}
      {models.data !== undefined && choice === undefined && chat.turns.length === 0 && (
        <EmptyState
          title="No model yet"
          command="ferry run qwen3"
          action={
            <Button component={Link} to="/models">
              Go to models
            </Button>
          }
        >
          A chat needs a model that is installed on a computer of this account.
        </EmptyState>
      )}
      {(choice !== undefined || chat.turns.length > 0) && (
        <ChatBody chat={chat} choices={choices} choice={choice} cluster={cluster} />
      )}
      <ChatSettingsDrawer
        opened={shows === 'settings'}
        settings={chat.settings}
        onChange={chat.setSettings}
        onClose={() => setShows(null)}
      />
      <Modal opened={shows === 'code'} onClose={() => setShows(null)} title="This chat as code" size="lg">
        <SnippetTabs
          label="Client"
          snippets={chatSnippets(
            globalThis.location.origin,
            requestFor(choice?.id ?? 'model', exampleTurns(chat), chat.settings),
          )}
        />
      </Modal>
    </div>
  );
}

const exampleTurns = ({ turns }: Chat): Chat['turns'] =>
  turns.length > 0 ? turns : [{ role: 'user', id: 'example', text: 'Hello!' }];

interface ChatBodyProps {
  readonly chat: Chat;
  readonly choices: readonly ModelChoice[];
  readonly choice: ModelChoice | undefined;
  readonly cluster: string | undefined;
}

function ChatBody({ chat, choices, choice, cluster }: ChatBodyProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [edited, setEdited] = useState<string>();
  const edit = (id: string) => {
    const turn = chat.turns.find((one) => one.id === id);
    if (turn === undefined || chat.streaming) return;
    setEdited(id);
    setText(turn.text);
    field.current?.focus();
  };
  const send = () => {
    if (choice === undefined) return;
    chat.send(text.trim(), choice.id, edited);
    setText('');
    setEdited(undefined);
  };
  const lastQuestion = chat.turns.findLast(({ role }) => role === 'user')?.id;
  const obstacle =
    choice === undefined
      ? 'There is no model to send it to.'
      : choice.loaded
        ? undefined
        : `${choice.id} is not loaded.`;
  return (
    <div className={classes.column}>
      <Thread chat={chat} onEdit={edit} onRegenerate={() => choice?.loaded && chat.regenerate(choice.id)} />
      <div className={classes.dock}>
        {choice !== undefined && !choice.loaded && <LoadOffer model={choice} cluster={cluster} />}
        <Composer
          field={field}
          text={text}
          editing={edited !== undefined}
          streaming={chat.streaming}
          obstacle={obstacle}
          onType={setText}
          onSend={send}
          onStop={chat.stop}
          onEditLast={() => lastQuestion !== undefined && edit(lastQuestion)}
          onCancelEdit={() => {
            setEdited(undefined);
            setText('');
          }}
        />
        <ModelSelect choices={choices} choice={choice} onChoose={chat.setModel} />
      </div>
    </div>
  );
}

interface ModelSelectProps {
  readonly choices: readonly ModelChoice[];
  readonly choice: ModelChoice | undefined;
  readonly onChoose: (id: string) => void;
}

function ModelSelect({ choices, choice, onChoose }: ModelSelectProps) {
  const loaded = choices.filter((one) => one.loaded);
  const installed = choices.filter((one) => !one.loaded);
  const options = (group: readonly ModelChoice[]) => group.map(({ id }) => ({ value: id, label: id }));
  return (
    <Select
      aria-label="Model"
      size="xs"
      className={classes.model}
      data={[
        { group: `Loaded (${loaded.length})`, items: options(loaded) },
        { group: `Installed (${installed.length})`, items: options(installed) },
      ].filter(({ items }) => items.length > 0)}
      value={choice?.id ?? null}
      onChange={(id) => {
        if (id !== null) onChoose(id);
      }}
      searchable={choices.length > 8}
      limit={100}
      maxDropdownHeight={320}
    />
  );
}
