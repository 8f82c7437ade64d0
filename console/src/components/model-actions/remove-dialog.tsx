import { useState } from 'react';
import { useStartOperation } from '../../api/use-operations';
import { ConfirmDialog } from '../confirm-dialog';
import { bytes } from '../format';
import { ComputerChoice } from './computer-choice';
import { choiceOf, placeKey, type Placement } from './placement';

interface RemoveDialogProps {
  /** Where it can be removed; with several, which one is asked. */
  readonly places: readonly [Placement, ...Placement[]];
  readonly onClose: () => void;
}

export function RemoveDialog({ places, onClose }: RemoveDialogProps) {
  const [chosen, setChosen] = useState(placeKey(places[0]));
  const place = places.find((one) => placeKey(one) === chosen) ?? places[0];
  const { node, model } = place;
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
      <ComputerChoice choices={places.map(choiceOf)} chosen={placeKey(place)} onChoose={setChosen} />
      Its files on {node.name} are deleted{model.size_bytes === null ? '' : ` (${bytes(model.size_bytes)})`}. Other
      computers keep theirs.
    </ConfirmDialog>
  );
}
