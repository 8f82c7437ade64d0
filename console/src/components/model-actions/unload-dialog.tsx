import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { useStartOperation } from '../../api/use-operations';
import { ConfirmDialog } from '../confirm-dialog';
import { count } from '../format';
import { ComputerChoice } from './computer-choice';
import { choiceOf, placeKey, type Placement } from './placement';
import { requestsOf } from './requests-of-model';

interface UnloadDialogProps {
  /** Where it is loaded; with several, which one is asked. */
  readonly places: readonly [Placement, ...Placement[]];
  readonly onClose: () => void;
}

/** Asks where requests run on the model, or it is loaded on several computers; else it unloads at once. */
export function UnloadDialog({ places, onClose }: UnloadDialogProps) {
  const [chosen, setChosen] = useState(placeKey(places[0]));
  const place = places.find((one) => placeKey(one) === chosen) ?? places[0];
  const { node, model } = place;
  const running = useQuery({
    queryKey: ['requests', 'running', 'of-model', placeKey(place)],
    queryFn: async () => requestsOf(place, (await bodyOf(api.GET('/api/requests/running'))).data).length,
    // Of the moment in which it is asked.
    gcTime: 0,
  });
  const { mutate, isPending, error } = useStartOperation(onClose);
  const unload = () => mutate({ kind: 'unload', node_id: node.node_id, model: model.key, engine: model.engine });
  const asksNothing = places.length === 1 && running.data === 0;
  const begun = useRef(false);
  useEffect(() => {
    if (!asksNothing || begun.current) return;
    begun.current = true;
    unload();
  });
  if (running.isPending || (asksNothing && error === null)) return null;
  return (
    <ConfirmDialog
      opened
      title={`Unload ${model.display_name}?`}
      action="Unload"
      harmless={running.data === 0}
      pending={isPending}
      error={error}
      onConfirm={unload}
      onClose={onClose}
    >
      <ComputerChoice choices={places.map(choiceOf)} chosen={placeKey(place)} onChoose={setChosen} />
      {runningText(running.data, node.name)}
    </ConfirmDialog>
  );
}

/** @param requests undefined: could not be asked */
function runningText(requests: number | undefined, computer: string): string {
  if (requests === undefined)
    return `Whether requests run on it on ${computer} is not known. Those that do may be cut off.`;
  if (requests === 0) return `No request runs on it on ${computer}. Requests are refused until it is loaded again.`;
  const run = requests === 1 ? '1 request runs' : `${count(requests)} requests run`;
  return `${run} on it on ${computer} now. Requests still running after 30 seconds are stopped.`;
}
