/** What a computer has to run models with. */
import { bytes } from '../../components/format';
import { Meter } from '../../components/meter';
import { engineTitle, memoryText, type Node } from '../../components/node-facts';
import classes from './computer-facts.module.css';

/** Each with its version and its problem below it. */
export function EngineList({ engines }: { readonly engines: Node['engines'] }) {
  return (
    <div className={classes.several}>
      {engines.map((engine) => (
        <div key={engine.name}>
          {titleOf(engine)}
          <span className={classes.note}>
            {engine.version}
            {engine.version !== null && engine.problem !== null && ' · '}
            {engine.problem !== null && <span className={classes.problem}>{engine.problem}</span>}
          </span>
        </div>
      ))}
    </div>
  );
}

/** Some begin with a small letter, as within sentences. */
function titleOf(engine: Node['engines'][number]): string {
  const title = engineTitle(engine);
  return engine.kind === 'llamacpp' ? `${title.slice(0, 1).toUpperCase()}${title.slice(1)}` : title;
}

export function GpuList({ gpus }: { readonly gpus: Node['gpus'] }) {
  return (
    <div className={classes.several}>
      {gpus.map((gpu, index) => (
        <Gpu key={index} gpu={gpu} />
      ))}
    </div>
  );
}

function Gpu({ gpu }: { readonly gpu: Node['gpus'][number] }) {
  const { name, backend, unified, total_bytes: total, free_bytes: free } = gpu;
  const isMeasured = !unified && free !== null;
  return (
    <div>
      {backend === null ? name : `${name} (${backend})`}
      {isMeasured ? (
        <span className={classes.note}>
          <Meter
            used={total - free}
            total={total}
            figure
            label={`Memory of ${name}`}
            text={memoryText(total - free, total)}
          />
        </span>
      ) : (
        <span className={classes.note}>{unified ? 'Shares the memory of the computer' : bytes(total)}</span>
      )}
    </div>
  );
}
