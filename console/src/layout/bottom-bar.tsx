import { Drawer, FocusTrap, UnstyledButton } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { MoreIcon } from '../components/icons';
import classes from './bottom-bar.module.css';
import { ClusterPicker } from './cluster-picker';
import shared from './navigation-button.module.css';
import { PageLink } from './page-link';
import { OperationsButton } from './operations-button';
import { pages } from './pages';
import { PaletteButton } from './palette-button';
import { countsText, useOperationCounts } from './use-operation-counts';
import { UserMenu } from './user-menu';

/** Pages that fit beside "More" on a phone. */
const inReach = ['/', '/computers', '/models', '/chat'];

/** Navigation of a phone: four pages in reach of the thumb, the others in a drawer. */
export function BottomBar() {
  const [open, setOpen] = useState(false);
  const counts = useOperationCounts();
  const text = countsText(counts);
  const shown = counts.failed > 0 ? counts.failed : counts.running;
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isElsewhere = pages.some(({ to }) => !inReach.includes(to) && path.startsWith(to));
  const close = () => setOpen(false);
  return (
    <>
      <nav className={classes.bar} aria-label="Main pages">
        {pages
          .filter(({ to }) => inReach.includes(to))
          .map((page) => (
            <PageLink key={page.to} page={page} className={classes.tab} />
          ))}
        <UnstyledButton
          className={classes.tab}
          data-active={isElsewhere || undefined}
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
        >
          <MoreIcon />
          <span>
            More
            {text !== '' && <span className={shared.hidden}>: {text}</span>}
          </span>
          {shown > 0 && (
            <span
              className={`${shared.count} ${classes.badge}`}
              data-state={counts.failed > 0 ? 'failed' : 'working'}
              aria-hidden="true"
            >
              {shown}
            </span>
          )}
        </UnstyledButton>
      </nav>
      <Drawer opened={open} onClose={close} position="bottom" classNames={{ content: classes.drawer }} title="More">
        <FocusTrap.InitialFocus />
        <div className={classes.rows}>
          <ClusterPicker wide />
          <PaletteButton wide onClick={close} />
          <nav className={classes.sheet} aria-label="Other pages">
            {pages
              .filter(({ to }) => !inReach.includes(to))
              .map((page) => (
                <PageLink key={page.to} page={page} className={classes.entry} onClick={close} />
              ))}
          </nav>
          <OperationsButton wide onClick={close} />
          <UserMenu wide />
        </div>
      </Drawer>
    </>
  );
}
