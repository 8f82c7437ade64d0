import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { modelsQuery } from '../../api/queries';
import { ErrorPanel } from '../../components/error-panel';
import { TableSkeleton } from '../../components/table-skeleton';
import { useUrlState } from '../../components/url-state';
import { PageHead } from '../../layout/page-head';
import { rememberVisit } from '../../layout/recent-objects';
import { useSelectedCluster } from '../../layout/selected-cluster';
import classes from './chat.module.css';
import { ChatBody } from './chat-body';
import { chatSession } from './chat-session';
import { currentChoice, modelChoices, secondChoice } from './model-choice';

const ChatSettingsDrawer = lazy(async () => ({ default: (await import('./chat-settings')).ChatSettingsDrawer }));
const ChatHistory = lazy(async () => ({ default: (await import('./chat-history')).ChatHistory }));
/** Few accounts have none. */
const NoModel = lazy(async () => ({ default: (await import('./no-model')).NoModel }));
const CodeDialog = lazy(async () => ({ default: (await import('./code-dialog')).CodeDialog }));

export function ChatPage() {
  const cluster = useSelectedCluster();
  const models = useQuery(modelsQuery);
  const [session] = useState(chatSession);
  const chat = useSyncExternalStore(session.subscribe, session.current);
  const choices = useMemo(() => modelChoices(models.data ?? [], cluster), [models.data, cluster]);
  const choice = currentChoice(choices, chat.model);
  const second = secondChoice(choices, chat.secondModel);
  const [shows, setShows] = useState<'settings' | 'code' | 'history' | null>(null);
  const close = () => setShows(null);
  const isEmpty = models.data !== undefined && choice === undefined && chat.turns.length === 0;

  /** The model that a link asks to chat with, by its id or selector. */
  const [asked, setAsked] = useUrlState('model');
  const askedFor = choices.find(({ id, selector }) => id === asked || selector === asked);
  useEffect(() => {
    if (askedFor === undefined) return;
    session.setModel(askedFor.id);
    rememberVisit({ kind: 'model', id: askedFor.selector, name: askedFor.id });
    setAsked('');
  }, [askedFor, session, setAsked]);

  return (
    <div className={classes.page}>
      <PageHead
        title="Chat"
        action={
          <>
            {!isEmpty && (
              <Button variant="light" onClick={session.startNew} disabled={chat.turns.length === 0}>
                New chat
              </Button>
            )}
            <Button variant="default" onClick={() => setShows('history')}>
              History
            </Button>
            {!isEmpty && (
              <Button variant="default" onClick={() => setShows('code')} disabled={choice === undefined}>
                View code
              </Button>
            )}
            <Button variant="default" onClick={() => setShows('settings')}>
              Settings
            </Button>
          </>
        }
      />
      {models.isPending && <TableSkeleton rows={3} />}
      {models.error !== null && models.data === undefined && (
        <ErrorPanel title="Models could not be loaded" error={models.error} onRetry={() => void models.refetch()} />
      )}
      {isEmpty && (
        <Suspense fallback={<TableSkeleton rows={3} />}>
          <NoModel />
        </Suspense>
      )}
      {(choice !== undefined || chat.turns.length > 0) && (
        <ChatBody session={session} chat={chat} choices={choices} choice={choice} second={second} cluster={cluster} />
      )}
      <Suspense>
        {shows === 'settings' && (
          <ChatSettingsDrawer settings={chat.settings} onChange={session.setSettings} onClose={close} />
        )}
        {shows === 'history' && <ChatHistory session={session} currentId={chat.id} onClose={close} />}
        {shows === 'code' && (
          <CodeDialog chat={chat} model={choice?.id ?? 'model'} second={second?.id} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}
