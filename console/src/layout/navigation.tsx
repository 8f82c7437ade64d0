import { ClusterPicker } from './cluster-picker';
import classes from './navigation.module.css';
import { PageLink } from './page-link';
import { OperationsButton } from './operations-button';
import { pages } from './pages';
import { PaletteButton } from './palette-button';
import { UserMenu } from './user-menu';

/** The column on the left; icons only on a narrow screen. */
export function Navigation() {
  return (
    <nav className={classes.navigation} aria-label="Pages">
      <ClusterPicker />
      <PaletteButton />
      <ul className={classes.list}>
        {pages.map((page) => (
          <li key={page.to}>
            <PageLink page={page} className={classes.link} />
          </li>
        ))}
      </ul>
      <OperationsButton />
      <UserMenu />
    </nav>
  );
}
