import { Fragment } from 'react';
import type { Column } from '../../components/data-table';
import { CutText } from '../../components/cut-text';
import { CopyId } from '../../components/copy-id';
import { LogTime } from '../../components/relative-time';
import { auditPhrase } from './audit-sentences';
import { describeUserAgent } from './describe-user-agent';
import classes from './settings.module.css';
import type { AuditEvent } from './settings-queries';
import shared from '../../components/form.module.css';

/** Of a person who is still in the account: an event has the id alone. */
type NameOf = (userId: string) => string | undefined;

/** The token of the relay itself belongs to nobody. */
const actorOf = ({ actor: { user_id, name, kind } }: AuditEvent): string =>
  user_id === null ? 'The relay' : (name ?? kind);

const means: Readonly<Record<string, string>> = {
  session: 'Browser',
  'cli-token': 'Command line',
  system: 'System',
};
const meansOf = ({ actor: { kind } }: AuditEvent): string => means[kind] ?? kind;

/** A sentence for people, and beside it the code that a filter takes. */
export const auditColumns = (nameOf: NameOf): readonly Column<AuditEvent>[] => [
  {
    id: 'action',
    header: 'Change',
    heading: true,
    showsNotes: true,
    cell: (event, inCard, notes = []) => (
      <div>
        <Sentence event={event} nameOf={nameOf} />
        <code className={`${classes.sub} ${classes.code}`}>
          <span>{event.action}</span>
          {(inCard ? [event.target.id] : notes).map((id) => (
            <Fragment key={id}>
              <span> · </span>
              <CutText text={id} />
            </Fragment>
          ))}
        </code>
      </div>
    ),
  },
  {
    id: 'object',
    header: 'Id',
    width: '208px',
    rank: 3,
    card: 'none',
    below: ({ target }) => target.id,
    cell: ({ target }) => <CopyId id={target.id} label={`id of the ${kindNames[target.kind] ?? target.kind}`} />,
  },
  {
    id: 'from',
    header: 'From',
    width: '144px',
    rank: 2,
    card: 'second-start',
    cell: (event, inCard) =>
      inCard ? [meansOf(event), ...(event.ip === null ? [] : [event.ip])].join(' · ') : <Origin event={event} />,
  },
  {
    id: 'at',
    header: 'When',
    width: '132px',
    rank: 0,
    card: 'second-end',
    cell: ({ created_at }) => <LogTime at={created_at} />,
  },
];

/** By what means, and from which address. */
function Origin({ event }: { readonly event: AuditEvent }) {
  return (
    <div>
      {meansOf(event)}
      {event.ip !== null && (
        <span className={classes.sub}>
          <CutText text={event.ip} />
        </span>
      )}
    </div>
  );
}

/** Its object alone stands out: one looks for what was changed. */
function Sentence({ event, nameOf }: { readonly event: AuditEvent; readonly nameOf: NameOf }) {
  const { action, target, detail } = event;
  const phrase = auditPhrase(action, detail);
  const { name, email, model, node } = detail;
  const isOfModel = target.kind === 'operation';
  const object = [...(isOfModel ? [model] : []), name, email, nameOf(target.id), target.id].find(
    (one) => typeof one === 'string',
  );
  return (
    <span>
      <bdi>{actorOf(event)}</bdi> {phrase?.text ?? `changed the ${kindNames[target.kind] ?? target.kind}`}
      {phrase?.namesObject !== false && (
        <>
          {' '}
          <bdi className={classes.name}>{object}</bdi>
          {isOfModel && typeof node === 'string' && (
            <>
              {' '}
              on <bdi>{node}</bdi>
            </>
          )}
        </>
      )}
    </span>
  );
}

const kindNames: Readonly<Record<string, string>> = {
  node: 'computer',
  'cli-token': 'command line',
  'console-link': 'link',
  join_token: 'join token',
};

/** What is worth knowing beside; hostile text, as everything that people and computers are called. */
export function auditDetails({ detail, user_agent, actor }: AuditEvent) {
  const facts: readonly (readonly [string, string])[] = [
    ...Object.entries(detail).map(
      ([name, value]) => [name.replaceAll('_', ' ').replace(/^node\b/, 'computer'), String(value)] as const,
    ),
    ...(user_agent === null ? [] : [['with', describeUserAgent(user_agent) ?? user_agent] as const]),
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
