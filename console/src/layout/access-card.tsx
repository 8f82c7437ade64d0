import type { ReactNode } from 'react';
import classes from './access-card.module.css';
import { installationName, PageTitle } from './page-title';

interface AccessCardProps {
  readonly title: string;
  /** The installation's name, where no session tells it. */
  readonly installation?: string | undefined;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}

/** One centred card: pages on the way in (sign-in, invite, reset, device approval). */
export function AccessCard({ title, installation, about, children }: AccessCardProps) {
  return (
    <main className={classes.page}>
      <PageTitle title={title} installation={installation} />
      <div className={classes.brand}>
        <img src="/console/favicon.svg" alt="" width={28} height={28} />
        <span>{installationName(installation)}</span>
      </div>
      <section className={classes.card}>
        <h1 className={classes.title}>{title}</h1>
        {about !== undefined && <div className={classes.about}>{about}</div>}
        {children}
      </section>
    </main>
  );
}
