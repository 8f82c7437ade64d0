import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { needsAttention, subjectOf, type Operation } from '../../api/operation-state';
import { nodesQuery, operationsQuery } from '../../api/queries';
import { FailureActions } from '../../components/failure-actions';
import { AttentionIcon } from '../../components/icons';
import { count } from '../../components/format';
import { HelpButton } from '../../components/help-button';
import { LogHelp } from '../../components/log-help';
import { ModelLink } from '../../components/model-link';
import { NotificationSwitch } from '../../components/notification-switch';
import { failedWords } from '../../components/operation-words';
import type { Node } from '../../components/node-facts';
import { RelativeTime } from '../../components/relative-time';
import { remedyOf, type Remedy } from '../../components/remedy';
import { StateDot } from '../../components/state-dot';
import { TextWithCode } from '../../components/text-with-code';
import { openOperations } from '../../layout/operations-store';
import classes from './attention-list.module.css';
import type { Attention } from './overview-queries';

/** The operations panel has all of them. */
const MOST_FAILURES = 5;

/** Operations that have failed; then what stands in the way of requests, worst first, each with the page where it can be mended. */
export function AttentionList({ attention }: { readonly attention: readonly Attention[] }) {
  const { data: operations = [] } = useQuery(operationsQuery);
  const { data: nodes = [] } = useQuery(nodesQuery);
  // The relay reports a full disk by its computer.
  const failures = operations.filter(
    (operation) => needsAttention(operation) && operation.failure?.code !== 'disk_full',
  );
  if (attention.length + failures.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="attention">
      <div className={classes.head}>
        <h2 id="attention" className={classes.title}>
          Needs attention
        </h2>
        <NotificationSwitch usable />
      </div>
      <ul className={classes.list}>
        {failures.slice(0, MOST_FAILURES).map((operation) => (
          <li key={operation.id} className={classes.item}>
            <FailedOperation operation={operation} />
          </li>
        ))}
        {failures.length > MOST_FAILURES && (
          <li className={classes.item}>
            <Button className={classes.more} size="compact-sm" variant="subtle" onClick={openOperations}>
              Show {count(failures.length - MOST_FAILURES)} more failed operations
            </Button>
          </li>
        )}
        {attention.map((item) => (
          <li key={`${item.code} ${item.node_id ?? ''} ${item.key_id ?? ''} ${item.message}`} className={classes.item}>
            <AttentionItem item={item} remedy={remedyFor(item, nodes)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type Advised = Remedy & Pick<Node, 'name'>;

/** What the page of its computer says of it, which is known of all of its problems but a full disk. */
function remedyFor({ code, node_id }: Attention, nodes: readonly Node[]): Advised | null {
  const node = code === 'disk_full' ? undefined : nodes.find((one) => one.node_id === node_id);
  const remedy = node && remedyOf(node, code === 'node_gone');
  return node === undefined || remedy == null ? null : { ...remedy, name: node.name };
}

const helpOf = ({ advice, commands = [] }: Remedy) => ({ advice, commands });

interface AttentionItemProps {
  readonly item: Attention;
  readonly remedy: Advised | null;
}

function AttentionItem({ item, remedy }: AttentionItemProps) {
  // The relay's sentence has the name of the engine that the command line takes.
  const message =
    remedy !== null && item.code === 'engine_problem' ? `${remedy.name}: ${remedy.problem}` : item.message;
  return (
    <>
      <span className={classes.icon}>
        <AttentionIcon />
      </span>
      <div className={classes.message}>
        <div>{message}</div>
        {item.since !== null && (
          <div className={classes.note}>
            <RelativeTime at={item.since} />
          </div>
        )}
      </div>
      <span className={classes.actions}>
        {remedy !== null && <HelpButton label="How to fix" {...helpOf(remedy)} />}
        <WayOut item={item} />
      </span>
    </>
  );
}

function FailedOperation({ operation }: { readonly operation: Operation }) {
  const subject = subjectOf(operation);
  return (
    <>
      <span className={classes.icon}>
        <StateDot state="failed" label="Failed" hidden />
      </span>
      <div className={classes.message}>
        <div>
          {failedWords(operation)}: <bdi>{subject}</bdi> on <bdi>{operation.node_name}</bdi>
        </div>
        {operation.failure !== null && (
          <div>
            <bdi>
              <TextWithCode text={operation.failure.message} />
            </bdi>{' '}
            <LogHelp operation={operation} />
          </div>
        )}
        <div className={classes.note}>
          <RelativeTime at={operation.finished_at} />
        </div>
      </div>
      <span className={classes.actions}>
        <FailureActions operation={operation} />
        <ModelLink operation={operation} absent={null}>
          View model
        </ModelLink>
      </span>
    </>
  );
}

function WayOut({ item: { place, node_id, key_id } }: { readonly item: Attention }) {
  switch (place) {
    case 'node':
      return node_id === null ? (
        <Link to="/computers">View computers</Link>
      ) : (
        <Link to="/computers/$nodeId" params={{ nodeId: node_id }}>
          View computer
        </Link>
      );
    case 'nodes':
      return <Link to="/computers">View computers</Link>;
    case 'keys':
      return (
        <Link to="/keys" search={key_id === null ? {} : { q: key_id }}>
          View key
        </Link>
      );
  }
}
