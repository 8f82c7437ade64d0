import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clustersQuery } from '../../api/queries';
import { CopyId } from '../../components/copy-id';
import { duration } from '../../components/format';
import { platformText, type Node } from '../../components/node-facts';
import { RelativeTime } from '../../components/relative-time';
import classes from './computer-facts.module.css';
import { gridOf } from './fact-grid';
import { MemoryMeter, SlotMeter } from './computer-meters';
import { EngineList, GpuList } from './engine-facts';
import { LastSeen } from './last-seen';
import { endOfConnection } from './link-events';
import { serviceHelp, ServiceText } from './service-state';

/** Of one that is online, what it has and what is in use of it; of another, the four facts that are still known. */
export function ComputerFacts({ node }: { readonly node: Node }) {
  const hasGpus = node.online && node.gpus.length > 0;
  const { columns, hasJoined } = gridOf(node);
  return (
    <>
      <dl className={classes.grid} data-columns={columns}>
        {node.online && <EngineFact node={node} />}
        {!node.online && (
          <Fact name="Last seen" note={endOfConnection(node.link_events)}>
            <LastSeen node={node} />
          </Fact>
        )}
        {hasGpus && (
          <Fact name={node.gpus.length === 1 ? 'GPU' : 'GPUs'} span={spanOf(node.gpus)}>
            <GpuList gpus={node.gpus} />
          </Fact>
        )}
        <Fact name="System" note={`Ferry ${node.agent_version}`}>
          {platformText(node.platform)}
        </Fact>
        <ClusterFact clusterId={node.cluster_id} />
        {hasJoined && <JoinedFact node={node} />}
        {node.online && <LiveFacts node={node} />}
      </dl>
      <details className={classes.more}>
        <summary>More facts</summary>
        <dl className={classes.grid}>
          {!hasJoined && <JoinedFact node={node} />}
          <Fact name="Id" span={hasJoined ? 'two' : 'one'}>
            <CopyId id={node.node_id} label="computer id" />
          </Fact>
          <Fact name="Fingerprint" span="two">
            {node.fingerprint}
          </Fact>
        </dl>
      </details>
    </>
  );
}

interface FactProps {
  readonly name: string;
  /** Below the value, smaller. */
  readonly note?: ReactNode;
  /** Columns that it takes. Default: one. */
  readonly span?: 'one' | 'two' | 'all';
  readonly children: ReactNode;
}

/** One cell of a grid of facts: label, value, note. */
function Fact({ name, note, span = 'one', children }: FactProps) {
  return (
    <div data-span={span}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}

/** Several have a line of their own: in a cell they would leave its neighbours empty. */
const spanOf = (listed: readonly unknown[]) => (listed.length > 1 ? 'all' : 'one');

interface FactOfProps {
  readonly node: Node;
}

function EngineFact({ node: { engines } }: FactOfProps) {
  return (
    <Fact name={engines.length === 1 ? 'Engine' : 'Engines'} span={spanOf(engines)}>
      {engines.length === 0 ? 'None' : <EngineList engines={engines} />}
    </Fact>
  );
}

function ClusterFact({ clusterId }: { readonly clusterId: string }) {
  const { data: clusters = [] } = useQuery(clustersQuery);
  return <Fact name="Cluster">{clusters.find(({ cluster_id }) => cluster_id === clusterId)?.name ?? clusterId}</Fact>;
}

const JoinedFact = ({ node }: FactOfProps) => (
  <Fact name="Joined">
    <RelativeTime at={node.created} />
  </Fact>
);

function LiveFacts({ node }: FactOfProps) {
  const { round_trip_ms: roundTrip } = node;
  return (
    <>
      <Fact name="Slots in use">
        <SlotMeter node={node} figure />
      </Fact>
      <Fact name="Memory in use">
        <MemoryMeter node={node} figure />
      </Fact>
      <Fact name="Round trip to the relay" note={roundTrip === null ? undefined : linkQuality(roundTrip)}>
        {roundTripText(roundTrip)}
      </Fact>
      <Fact name="Runs as a service" note={serviceHelp(node)}>
        <ServiceText node={node} />
      </Fact>
    </>
  );
}

/** It took some time, however little. */
const roundTripText = (milliseconds: number | null): string =>
  milliseconds !== null && milliseconds < 0.5 ? '< 1 ms' : duration(milliseconds);

/** What people notice of it: each request takes one round trip before its first token. */
function linkQuality(milliseconds: number): string {
  if (milliseconds < 50) return 'Good';
  return milliseconds < 200 ? 'Fair' : 'Slow';
}
