import { useStartOperation } from '../../api/use-operations';
import { ConfirmDialog } from '../confirm-dialog';
import { bytes } from '../format';
import type { Placement } from './placement';

interface RemoveDialogProps {
  readonly place: Placement;
  readonly onClose: () => void;
}

export function RemoveDialog({ place: { node, model }, onClose }: RemoveDialogProps) {
  const { mutate, isPending, error } = useStartOperation(onClose);
  return (
    <ConfirmDialog
      opened
      title={`Remove ${model.display_name}?`}
      action="Remove model"
      pending={isPending}
      error={error}
      onConfirm={() => mutate({ kind: 'remove', node_id: node.node_id, model: model.key, engine: model.engine })}
      onClose={onClose}
    >
      Its files on {node.name} are deleted{model.size_bytes === null ? '' : ` (${bytes(model.size_bytes)})`}. Other
      computers keep theirs.
    </ConfirmDialog>
  );
}
