import type { ReactNode } from 'react';
import { ClusterMark } from './cluster-mark';
import classes from './page-head.module.css';
import { PageTitle } from './page-title';

interface PageHeadProps {
  readonly title: string;
  /** Beside the title: a state, a copy button. */
  readonly mark?: ReactNode;
  /** One sentence at most. */
  readonly about?: ReactNode;
  /** Above the title: the way back. */
  readonly back?: ReactNode;
  /** The primary action, on the right. */
  readonly action?: ReactNode;
}

export function PageHead({ title, mark, about, back, action }: PageHeadProps) {
  return (
    <header className={classes.head}>
      <PageTitle title={title} />
      <div className={classes.words}>
        {back !== undefined && <div className={classes.back}>{back}</div>}
        <div className={classes.line}>
          <h1 className={classes.title}>
            <bdi>{title}</bdi>
          </h1>
          {mark}
          <ClusterMark />
        </div>
        {about !== undefined && about !== false && <p className={classes.about}>{about}</p>}
      </div>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </header>
  );
}
