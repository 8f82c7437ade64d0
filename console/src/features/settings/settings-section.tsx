import type { ReactNode } from 'react';
import classes from './settings.module.css';

interface SettingsSectionProps {
  /** Names the section in the page: one word without spaces. */
  readonly id: string;
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** What it is about on the left and its controls on the right, or below where there is no room beside. */
export function SettingsSection({ id, title, about, children }: SettingsSectionProps) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div>
        <h2 className={classes.heading} id={id}>
          {title}
        </h2>
        {about !== undefined && <p className={classes.about}>{about}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}
