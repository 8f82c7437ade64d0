/** ⌘K: go somewhere, copy a model's id, load a model, make a key. A combobox whose list stays open (WAI-ARIA 1.2). */
import { CloseButton, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { Fragment, useDeferredValue, useId, useMemo, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { clustersQuery, modelsQuery, nodesQuery } from '../api/queries';
import { SearchIcon } from '../components/icons';
import { openOperations } from './operations-store';
import { stringifySearch } from './page-search';
import { pages } from './pages';
import { matchActions, paletteActions, recentActions, type PaletteAction } from './palette-actions';
import { PaletteIcon } from './palette-icon';
import { onPalette, paletteQuery, setPaletteQuery } from './palette-store';
import { PALETTE_FIELD } from './palette-typing';
import classes from './palette.module.css';
import type { RecentObject } from './recent-list';
import { useSelectCluster } from './selected-cluster';

/** On a phone the list needs the height. */
const FROM_TOP = 'clamp(16px, 100vw - 640px, 12vh)';

interface PaletteProps {
  readonly opened: boolean;
  /** What was visited last, when it opens. */
  readonly visited: () => readonly RecentObject[];
  readonly onClose: () => void;
}

export default function Palette({ opened, visited, onClose }: PaletteProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset={FROM_TOP}
      padding={0}
      attributes={{ content: { 'aria-label': 'Commands' } }}
    >
      <Search visited={visited} onDone={onClose} />
    </Modal>
  );
}

/** Made anew each time the palette opens. */
function Search({ visited, onDone }: Pick<PaletteProps, 'visited'> & { readonly onDone: () => void }) {
  const list = useId();
  const query = useSyncExternalStore(onPalette, paletteQuery);
  const [position, setPosition] = useState(0);
  const actions = useMatches(useDeferredValue(query), visited);
  const run = useRun(onDone);
  const current = actions[Math.min(position, actions.length - 1)];

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      const next = (position + step + actions.length) % Math.max(1, actions.length);
      setPosition(next);
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && current !== undefined) {
      run(current);
    } else return;
    event.preventDefault();
  };

  return (
    <>
      <div className={classes.search}>
        <SearchIcon />
        <input
          className={classes.input}
          role="combobox"
          aria-label="Search pages, computers, models, requests and commands"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={current && `${list}-${actions.indexOf(current)}`}
          placeholder="Search, or paste a request id…"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...{ [PALETTE_FIELD]: true }}
          // Behind what was typed before it had the focus.
          onFocus={({ currentTarget: field }) => field.setSelectionRange(field.value.length, field.value.length)}
          value={query}
          onChange={(event) => {
            setPaletteQuery(event.currentTarget.value);
            setPosition(0);
          }}
          onKeyDown={onKeyDown}
        />
        <CloseButton aria-label="Close" onClick={onDone} />
      </div>
      <div className={classes.list} role="listbox" id={list} aria-label="Matches">
        {actions.map((action, index) => (
          <Fragment key={action.id}>
            {/* Before anything is typed, groups are in order; matches are in the order of how well they match. */}
            {query === '' && action.group !== actions[index - 1]?.group && (
              <div className={classes.group} aria-hidden="true">
                {action.group}
              </div>
            )}
            {/* The input has the keyboard; options only follow the pointer. */}
            <div
              id={`${list}-${index}`}
              role="option"
              aria-selected={action === current}
              className={classes.action}
              onPointerMove={() => setPosition(index)}
              onClick={() => run(action)}
            >
              <PaletteIcon action={action} />
              <bdi className={classes.label}>{action.label}</bdi>
              <bdi className={classes.note}>{action.note ?? (query === '' ? '' : action.group)}</bdi>
            </div>
          </Fragment>
        ))}
      </div>
      {actions.length === 0 && <p className={classes.none}>Nothing matches.</p>}
      <p className={classes.keys} aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> to choose · <kbd>Enter</kbd> to open · <kbd>Esc</kbd> to close
      </p>
    </>
  );
}

function useMatches(query: string, visited: PaletteProps['visited']): readonly PaletteAction[] {
  const { data: nodes } = useQuery(nodesQuery);
  const { data: models } = useQuery(modelsQuery);
  const { data: clusters = none } = useQuery(clustersQuery);
  const actions = useMemo(
    () => paletteActions({ pages, nodes: nodes ?? none, models: models ?? none, clusters }),
    [nodes, models, clusters],
  );
  const here = useLocation({ select: ({ pathname }) => pathname });
  const [objects] = useState(visited);
  const recent = useMemo(() => recentActions(objects, { nodes, models }, here), [objects, nodes, models, here]);
  return useMemo(() => matchActions(actions, query, recent), [actions, query, recent]);
}

const none: readonly never[] = [];

function useRun(onDone: () => void): (action: PaletteAction) => void {
  const navigate = useNavigate();
  const router = useRouter();
  const selectCluster = useSelectCluster();
  return ({ effect }) => {
    onDone();
    switch (effect.kind) {
      case 'go':
        void navigate({
          href: router.history.createHref(`/console${effect.to}${stringifySearch(effect.search ?? {})}`),
        });
        return;
      case 'operations':
        openOperations();
        return;
      case 'copy':
        void navigator.clipboard
          .writeText(effect.text)
          .then(() => notifications.show({ message: `Copied ${effect.text}` }));
        return;
      case 'cluster':
        selectCluster(effect.clusterId);
    }
  };
}
