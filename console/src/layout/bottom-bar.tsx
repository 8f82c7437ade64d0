import { Drawer, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { MoreIcon } from '../components/icons';
import classes from './bottom-bar.module.css';
import { ClusterPicker } from './cluster-picker';
import { PageLink } from './page-link';
import { OperationsButton } from './operations-button';
import { pages } from './pages';
import { PaletteButton } from './palette-button';
import { UserMenu } from './user-menu';

/** Pages that fit beside "More" on a phone. */
const inReach = ['/', '/computers', '/models', '/chat'];

/** Navigation of a phone: four pages in reach of the thumb, the others in a drawer. */
export function BottomBar() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <nav className={classes.bar} aria-label="Main pages">
        {pages
          .filter(({ to }) => inReach.includes(to))
          .map((page) => (
            <PageLink key={page.to} page={page} className={classes.tab} />
          ))}
        <UnstyledButton className={classes.tab} onClick={() => setOpen(true)} aria-haspopup="dialog">
          <MoreIcon />
          <span>More</span>
        </UnstyledButton>
      </nav>
      <Drawer opened={open} onClose={close} position="bottom" classNames={{ content: classes.drawer }} title="Pages">
        <ClusterPicker wide />
        <PaletteButton wide onClick={close} />
        <nav className={classes.sheet} aria-label="All pages">
          {pages.map((page) => (
            <PageLink key={page.to} page={page} className={classes.entry} onClick={close} />
          ))}
        </nav>
        <OperationsButton wide onClick={close} />
        <UserMenu wide />
      </Drawer>
    </>
  );
}
