import { Link, type LinkProps } from '@tanstack/react-router';
import classes from './section-tabs.module.css';

interface SectionTabsProps {
  /** Names the group for screen readers. */
  readonly label: string;
  readonly sections: readonly { readonly to: NonNullable<LinkProps['to']>; readonly label: string }[];
}

/** Pages within a page, each with a URL of its own. */
export function SectionTabs({ label, sections }: SectionTabsProps) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {sections.map((section) => (
        <Link key={section.label} to={section.to} className={classes.tab} activeOptions={{ includeSearch: false }}>
          {section.label}
        </Link>
      ))}
    </nav>
  );
}
