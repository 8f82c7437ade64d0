/** What is in use of a computer. */
import { Meter } from '../../components/meter';
import { memoryText, slotsOf, slotsText, vramOf, type Node } from '../../components/node-facts';
import classes from './computers.module.css';

interface SlotMeterProps {
  readonly node: Node;
  /** Its text is a value among others. */
  readonly figure?: boolean;
}

export function SlotMeter({ node, figure = false }: SlotMeterProps) {
  const slots = slotsOf(node);
  if (slots === null) return <span className={classes.quiet}>–</span>;
  return <Meter {...slots} cells figure={figure} label={`Slots of ${node.name}`} text={slotsText(slots)} />;
}

interface MemoryMeterProps extends SlotMeterProps {
  /** Before the figures. */
  readonly kind?: string;
}

export function MemoryMeter({ node, kind = '', figure = false }: MemoryMeterProps) {
  if (node.memory === null) return <span className={classes.quiet}>–</span>;
  const { total_bytes: total, free_bytes: free } = node.memory;
  const used = total - free;
  return (
    <Meter
      used={used}
      total={total}
      figure={figure}
      label={`Memory of ${node.name}`}
      text={`${kind}${memoryText(used, total)}`}
    />
  );
}

/** Memory of the computer, and of graphics processors that have their own. */
export function MemoryMeters({ node }: { readonly node: Node }) {
  const vram = vramOf(node);
  if (vram === null || node.memory === null) return <MemoryMeter node={node} />;
  return (
    <span className={classes.meters}>
      <MemoryMeter node={node} kind="RAM " />
      <Meter {...vram} label={`Graphics memory of ${node.name}`} text={`VRAM ${memoryText(vram.used, vram.total)}`} />
    </span>
  );
}
