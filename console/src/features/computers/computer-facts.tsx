import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clustersQuery } from '../../api/queries';
import { CopyId } from '../../components/copy-id';
import { bytes, duration } from '../../components/format';
import { Meter } from '../../components/meter';
import { engineText, memoryText, platformText, type Node } from '../../components/node-facts';
import { RelativeTime } from '../../components/relative-time';
import { MemoryMeter, SlotMeter } from './computer-meters';
import classes from './computers.module.css';
import { LastSeen } from './last-seen';
import { ServiceState } from './service-state';

export function ComputerFacts({ node }: { readonly node: Node }) {
  const { data: clusters = [] } = useQuery(clustersQuery);
  const cluster = clusters.find(({ cluster_id }) => cluster_id === node.cluster_id)?.name ?? node.cluster_id;
  return (
    <>
      <dl className={classes.grid}>
        {/* Eight cells of the grid, so that no row has a gap: where there are GPUs, the engines take one instead of two. */}
        <Fact name={node.engines.length === 1 ? 'Engine' : 'Engines'} wide={node.gpus.length === 0}>
          {node.engines.length === 0 && (node.online ? 'None' : 'Unknown while offline')}
          {node.engines.map((engine) => (
            <Engine key={engine.name} engine={engine} />
          ))}
        </Fact>
        {node.gpus.length > 0 && (
          <Fact name={node.gpus.length === 1 ? 'GPU' : 'GPUs'}>
            {node.gpus.map((gpu, index) => (
              <Gpu key={index} gpu={gpu} />
            ))}
          </Fact>
        )}
        <Fact name="Cluster">{cluster}</Fact>
        <Fact name="Slots in use">
          <SlotMeter node={node} />
        </Fact>
        <Fact name="Memory in use">
          <MemoryMeter node={node} />
        </Fact>
        <Fact name="Round trip to the relay">
          {node.round_trip_ms === null ? '–' : `${duration(node.round_trip_ms)} · ${linkQuality(node.round_trip_ms)}`}
        </Fact>
        <Fact name="Last seen">
          <LastSeen node={node} />
        </Fact>
        <Fact name="Runs as a service">
          <ServiceState node={node} />
        </Fact>
      </dl>
      <details className={classes.more}>
        <summary>More facts</summary>
        <dl className={classes.grid}>
          <Fact name="System" wide>
            {platformText(node.platform)}
          </Fact>
          <Fact name="Ferry">{node.agent_version}</Fact>
          <Fact name="Joined">
            <RelativeTime at={node.created} />
          </Fact>
          <Fact name="Fingerprint" wide>
            {node.fingerprint}
          </Fact>
          <Fact name="Id" wide>
            <CopyId id={node.node_id} label="computer id" />
          </Fact>
        </dl>
      </details>
    </>
  );
}

function Engine({ engine }: { readonly engine: Node['engines'][number] }) {
  return (
    <div>
      {engineText(engine)}
      {engine.problem !== null && <span className={classes.quiet}> · {engine.problem}</span>}
    </div>
  );
}

function Gpu({ gpu }: { readonly gpu: Node['gpus'][number] }) {
  const { name, backend, unified, total_bytes: total, free_bytes: free } = gpu;
  return (
    <div>
      {backend === null ? name : `${name} (${backend})`}
      {unified ? (
        <span className={classes.quiet}> · shares the memory of the computer</span>
      ) : free === null ? (
        <span className={classes.quiet}> · {bytes(total)}</span>
      ) : (
        <Meter used={total - free} total={total} label={`Memory of ${name}`} text={memoryText(total - free, total)} />
      )}
    </div>
  );
}

/** What people notice of it: each request takes one round trip before its first token. */
function linkQuality(milliseconds: number): string {
  if (milliseconds < 50) return 'good';
  return milliseconds < 200 ? 'fair' : 'slow';
}

interface FactProps {
  readonly name: string;
  /** Takes two columns. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Fact({ name, wide = false, children }: FactProps) {
  return (
    <div className={wide ? classes.wide : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
