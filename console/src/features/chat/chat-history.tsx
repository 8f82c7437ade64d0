import { Button, Drawer, Switch, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { RelativeTime } from '../../components/relative-time';
import classes from './chat-history.module.css';
import type { ChatSession } from './chat-session';
import { keepsHistory, listChats, removeChat, restoreChat, switchHistory, type StoredChat } from './chat-storage';

interface ChatHistoryProps {
  readonly session: ChatSession;
  readonly currentId: string;
  readonly onClose: () => void;
}

export function ChatHistory({ session, currentId, onClose }: ChatHistoryProps) {
  const { owner } = session;
  const [chats] = useState(() => listChats(owner));
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [keeps, setKeeps] = useState(() => keepsHistory(owner));
  const remove = ({ id }: StoredChat) => {
    removeChat(owner, id);
    setRemoved((ids) => new Set(ids).add(id));
  };
  const restore = (chat: StoredChat) => {
    restoreChat(owner, chat);
    setRemoved((ids) => new Set([...ids].filter((id) => id !== chat.id)));
  };
  return (
    <Drawer opened onClose={onClose} title="Chat history" position="right">
      <Switch
        label="Keep chats in this browser"
        description="For you alone, until you sign out. The relay stores none of them."
        checked={keeps}
        data-autofocus={chats.length === 0 || undefined}
        onChange={({ currentTarget: { checked } }) => {
          switchHistory(owner, checked);
          setKeeps(checked);
        }}
      />
      {chats.length === 0 ? (
        <p className={classes.none}>No chats are kept yet.</p>
      ) : (
        <ul className={classes.list}>
          {chats.map((chat) => (
            <li key={chat.id} className={classes.entry}>
              {removed.has(chat.id) ? (
                <>
                  <span className={classes.gone}>Deleted: {titleOf(chat)}</span>
                  <Button size="compact-xs" variant="default" onClick={() => restore(chat)}>
                    Undo
                  </Button>
                </>
              ) : (
                <>
                  <UnstyledButton
                    className={classes.open}
                    data-autofocus
                    aria-current={chat.id === currentId || undefined}
                    onClick={() => {
                      if (chat.id !== currentId) session.open(chat);
                      onClose();
                    }}
                  >
                    <bdi className={classes.title}>{titleOf(chat)}</bdi>
                    <span className={classes.facts}>
                      <RelativeTime at={chat.changedAt / 1_000} />
                      {chat.id === currentId && ' · on the screen'}
                    </span>
                  </UnstyledButton>
                  {chat.id !== currentId && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Delete ${titleOf(chat)}`}
                      onClick={() => remove(chat)}
                    >
                      Delete
                    </Button>
                  )}
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Drawer>
  );
}

const TITLE_CHARACTERS = 80;

/** The beginning of its first question. */
function titleOf({ turns }: StoredChat): string {
  const text = turns.find(({ role }) => role === 'user')?.text ?? '';
  return text.length <= TITLE_CHARACTERS ? text : `${text.slice(0, TITLE_CHARACTERS)}…`;
}
