import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { needsAttention, subjectOf, type Operation } from '../../api/operation-state';
import { nodesQuery, operationsQuery } from '../../api/queries';
import { FailureActions } from '../../components/failure-actions';
import { AttentionIcon } from '../../components/icons';
import { count } from '../../components/format';
import { LogHelp } from '../../components/log-help';
import { ModelLink } from '../../components/model-link';
import { NotificationSwitch } from '../../components/notification-switch';
import { failedWords } from '../../components/operation-words';
import type { Node } from '../../components/node-facts';
import { RelativeTime } from '../../components/relative-time';
import { remedyOf } from '../../components/remedy';
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
            <Button size="compact-sm" variant="subtle" onClick={openOperations}>
              Show {count(failures.length - MOST_FAILURES)} more failed operations
            </Button>
          </li>
        )}
        {attention.map((item) => (
          <li key={`${item.code} ${item.node_id ?? ''} ${item.key_id ?? ''} ${item.message}`} className={classes.item}>
            <span className={classes.icon}>
              <AttentionIcon />
            </span>
            <div className={classes.message}>
              <div>{messageOf(item, nodes)}</div>
              {item.since !== null && (
                <div className={classes.note}>
                  <RelativeTime at={item.since} />
                </div>
              )}
            </div>
            <span className={classes.actions}>
              <WayOut item={item} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Of an engine as the page of its computer names it: the relay's sentence has the name that the command line takes. */
function messageOf({ code, node_id, message }: Attention, nodes: readonly Node[]): string {
  const node = code === 'engine_problem' ? nodes.find((one) => one.node_id === node_id) : undefined;
  const remedy = node && remedyOf(node);
  return node === undefined || remedy == null ? message : `${node.name}: ${remedy.problem}`;
}

function FailedOperation({ operation }: { readonly operation: Operation }) {
  const subject = subjectOf(operation);
  return (
    <>
      <span className={classes.icon} data-failed>
        <AttentionIcon />
      </span>
      <div className={classes.message}>
        <div>
          {failedWords(operation)}: <bdi>{subject}</bdi> on <bdi>{operation.node_name}</bdi>
        </div>
      </div>
      <div className={classes.detail}>
        {operation.failure !== null && (
          <>
            <bdi>
              <TextWithCode text={operation.failure.message} />
            </bdi>{' '}
            <LogHelp operation={operation} />
          </>
        )}
        <div className={classes.note}>
          <RelativeTime at={operation.finished_at} />
        </div>
      </div>
      <span className={classes.actions}>
        <ModelLink operation={operation} absent={null}>
          View model
        </ModelLink>
        <FailureActions operation={operation} />
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
