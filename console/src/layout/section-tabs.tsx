import { Link, useLocation, type LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './section-tabs.module.css';

interface SectionTabsProps {
  /** Names the group for screen readers. */
  readonly label: string;
  readonly sections: readonly { readonly to: NonNullable<LinkProps['to']>; readonly label: string }[];
}

/** Pages within a page, each with a URL of its own. */
export function SectionTabs({ label, sections }: SectionTabsProps) {
  const tabs = useRef<HTMLElement>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  useEffect(() => {
    // On a phone the tabs scroll sideways, and the page's own may be out of sight.
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  return (
    <nav ref={tabs} className={classes.tabs} aria-label={label}>
      {sections.map((section) => (
        <Link key={section.label} to={section.to} className={classes.tab} activeOptions={{ includeSearch: false }}>
          {section.label}
        </Link>
      ))}
    </nav>
  );
}
