/** Shows the memory and the device of a loaded model in tables. */
import type { Schemas } from '../../core/api/management-api.types.js';
import { formatBytes } from '../../core/output/quantities.js';
import type { Column } from '../../core/output/table.js';

type Memory = Partial<Pick<Schemas['NodeModel'], 'memory' | 'device' | 'gpu_layers'>>;

/** In front of other expendable columns, because a model on the wrong device is slow. */
export const memoryColumns: readonly Column<Memory>[] = [
  { heading: 'VRAM', value: ({ memory }) => bytesText(memory?.vram_bytes), align: 'right', optional: true },
  {
    heading: 'RAM',
    value: ({ memory }) => bytesText(memory?.ram_bytes),
    align: 'right',
    optional: true,
    expendable: 3,
  },
  { heading: 'DEVICE', value: deviceText, optional: true, min: 10, expendable: 1 },
];

/** Empty where nothing is taken: a model without a graphics processor has no VRAM. */
const bytesText = (bytes: number | undefined): string => (bytes === undefined || bytes === 0 ? '' : formatBytes(bytes));

/** `NVIDIA H200`; `NVIDIA H200 20/37` where the processor computes the other layers. */
function deviceText({ device, gpu_layers: layers }: Memory): string {
  if (device == null) return '';
  const isSplit = layers != null && layers.on_gpu > 0 && layers.on_gpu < layers.total;
  return isSplit ? `${device} ${String(layers.on_gpu)}/${String(layers.total)}` : device;
}
