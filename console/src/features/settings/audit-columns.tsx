import type { Column } from '../../components/data-table';
import { CopyId } from '../../components/copy-id';
import { RelativeTime } from '../../components/relative-time';
import { describeUserAgent } from './describe-user-agent';
import classes from './settings.module.css';
import type { AuditEvent } from './settings-queries';
import shared from '../../components/form.module.css';

const actorOf = ({ actor }: AuditEvent): string => (actor.kind === 'system' ? 'The relay' : (actor.name ?? actor.kind));

const means: Readonly<Record<string, string>> = {
  session: 'Browser',
  'cli-token': 'Command line',
  system: 'By itself',
};

/** "Key create" is no English, but `key.create` is what a filter takes. */
export const auditColumns: readonly Column<AuditEvent>[] = [
  {
    id: 'action',
    header: 'Change',
    heading: true,
    cell: ({ action }) => <code>{action}</code>,
  },
  {
    id: 'object',
    header: 'Of',
    cell: ({ target, detail }) => (
      <div>
        {typeof detail['name'] === 'string' && <span className={classes.name}>{detail['name']}</span>}{' '}
        <CopyId id={target.id} label={`id of the ${target.kind}`} />
      </div>
    ),
  },
  {
    id: 'actor',
    header: 'Who',
    cell: (event) => (
      <div>
        {actorOf(event)}
        <span className={classes.sub}>{means[event.actor.kind] ?? event.actor.kind}</span>
      </div>
    ),
  },
  { id: 'ip', header: 'From', width: '16%', cell: ({ ip }) => ip ?? '–' },
  { id: 'at', header: 'When', width: '16%', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];

/** What is worth knowing beside; hostile text, as everything that people and computers are called. */
export function auditDetails({ detail, user_agent, actor }: AuditEvent) {
  const facts: readonly (readonly [string, string])[] = [
    ...Object.entries(detail).map(([name, value]) => [name.replaceAll('_', ' '), String(value)] as const),
    ...(user_agent === null ? [] : [['with', describeUserAgent(user_agent)] as const]),
    ...(actor.credential_id === null ? [] : [['credential', actor.credential_id] as const]),
  ];
  if (facts.length === 0) return undefined;
  return (
    <dl className={`${shared.facts} ${classes.detail}`}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
