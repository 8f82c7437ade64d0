import { Link } from '@tanstack/react-router';
import { AttentionIcon } from '../../components/icons';
import { NotificationSwitch } from '../../components/notification-switch';
import { RelativeTime } from '../../components/relative-time';
import classes from './attention-list.module.css';
import type { Attention } from './overview-queries';

/** What stands in the way of requests, worst first, each with the page where it can be mended. */
export function AttentionList({ attention }: { readonly attention: readonly Attention[] }) {
  if (attention.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="attention">
      <div className={classes.head}>
        <h2 id="attention" className={classes.title}>
          Needs attention
        </h2>
        <NotificationSwitch />
      </div>
      <ul className={classes.list}>
        {attention.map((item) => (
          <li key={`${item.code} ${item.node_id ?? ''} ${item.key_id ?? ''} ${item.message}`} className={classes.item}>
            <span className={classes.icon}>
              <AttentionIcon />
            </span>
            <span className={classes.message}>
              {item.message}
              {item.since !== null && (
                <span className={classes.since}>
                  {' · '}
                  <RelativeTime at={item.since} />
                </span>
              )}
            </span>
            <WayOut item={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function WayOut({ item: { place, node_id, key_id } }: { readonly item: Attention }) {
  switch (place) {
    case 'node':
      return node_id === null ? (
        <Link to="/computers">Show computers</Link>
      ) : (
        <Link to="/computers/$nodeId" params={{ nodeId: node_id }}>
          Show the computer
        </Link>
      );
    case 'nodes':
      return <Link to="/computers">Show computers</Link>;
    case 'keys':
      return (
        <Link to="/keys" search={key_id === null ? {} : { q: key_id }}>
          Show the key
        </Link>
      );
  }
}
