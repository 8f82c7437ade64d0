import { Select, Slider } from '@mantine/core';
import { useState } from 'react';
import { useStartOperation } from '../../api/use-operations';
import { fit, neededBytes } from '../fits';
import { FormDialog } from '../form-dialog';
import { count } from '../format';
import { LogHelp } from '../log-help';
import { Meter } from '../meter';
import { fitOf, memoryText, neededText } from '../node-facts';
import { failedWords } from '../operation-words';
import { RelativeTime } from '../relative-time';
import { TextWithCode } from '../text-with-code';
import { fitSentence } from './fit-sentence';
import { FitText } from './fit-text';
import { contextBytesOf, contextChoices } from './context-memory';
import { placeKey, type Placement } from './placement';
import classes from './model-actions.module.css';
import shared from '../form.module.css';

interface LoadDialogProps {
  /** Where it can be loaded, the first one chosen at first. */
  readonly places: readonly [Placement, ...Placement[]];
  readonly onClose: () => void;
}

/** Before a model is loaded: how much context, and what that costs beside the memory that is free. */
export function LoadDialog({ places, onClose }: LoadDialogProps) {
  const [chosen, setChosen] = useState(placeKey(places[0]));
  const place = places.find((one) => placeKey(one) === chosen) ?? places[0];
  const { node, model, failure } = place;
  const choices = contextChoices(model.context_length);
  const [index, setIndex] = useState(-1);
  const tokens = choices[index];
  const start = useStartOperation(onClose);
  const size = model.size_bytes;
  const contextBytes = tokens === undefined || size === null ? undefined : contextBytesOf(size, tokens);
  const verdict = fit(size, node, contextBytes);
  const sentence = fitSentence(verdict, {
    sizeBytes: size,
    computer: node,
    tokens,
    leastTokens: choices[0],
    elsewhere: places.length > 1,
  });
  const own = node.gpus.filter(({ unified }) => !unified);
  const pool = own.length > 0 ? gpuPool(own) : node.memory;
  return (
    <FormDialog
      title={`Load ${model.display_name}`}
      action={verdict === 'does_not_fit' ? 'Load anyway' : 'Load'}
      grave={verdict === 'does_not_fit'}
      ready
      pending={start.isPending}
      error={start.error}
      onSubmit={() =>
        start.mutate({
          kind: 'load',
          node_id: node.node_id,
          model: model.key,
          engine: model.engine,
          ...(tokens !== undefined && { context_tokens: tokens }),
        })
      }
      onClose={onClose}
    >
      <div className={shared.form}>
        {places.length > 1 && (
          <Select
            label="Computer"
            data={places.map((one) => ({
              value: placeKey(one),
              label: placeText(one),
            }))}
            value={placeKey(place)}
            onChange={(key) => setChosen(key ?? '')}
          />
        )}
        <p className={classes.quiet}>
          {places.length === 1 && `On ${[node.name, freeText(node)].filter(Boolean).join(', ')}. `}
          <FitText fit={verdict}>{sentence}</FitText>
          {verdict !== 'unknown' && ' Estimated from the size of its file.'}
        </p>
        {failure !== undefined && failure.failure !== null && (
          <p className={classes.failed}>
            <strong>
              It failed to {failure.kind} on {node.name},{' '}
              <RelativeTime at={failure.finished_at ?? failure.updated_at} />:
            </strong>{' '}
            <bdi>
              <TextWithCode text={failure.failure.message} />
            </bdi>{' '}
            <LogHelp operation={failure} />
          </p>
        )}
        {places
          .filter((other) => other !== place)
          .map(
            ({ node: { node_id, name }, failure: other }) =>
              other && (
                <p key={node_id} className={classes.failed}>
                  <strong>
                    It failed to {other.kind} on {name}, <RelativeTime at={other.finished_at ?? other.updated_at} />.
                  </strong>{' '}
                  <LogHelp operation={other} />
                </p>
              ),
          )}
        <p className={classes.quiet}>Requests are answered once it is loaded.</p>
        {choices.length > 0 && (
          <div>
            <div className={classes.sliderHead}>
              <span id="context">Context</span>
              <strong>{tokens === undefined ? 'as the engine decides' : `${count(tokens)} tokens`}</strong>
            </div>
            <Slider
              thumbProps={{ 'aria-labelledby': 'context' }}
              min={-1}
              max={choices.length - 1}
              step={1}
              value={index}
              onChange={setIndex}
              label={null}
              marks={choices.map((_, value) => ({ value }))}
            />
            <div className={classes.sliderEnds}>
              <span>automatic</span>
              <span>{count(choices.at(-1))}</span>
            </div>
          </div>
        )}
        {pool !== null && size !== null && (
          <div>
            <div className={classes.sliderHead}>
              <span>Memory</span>
              <strong>{neededText(neededBytes(size, contextBytes), pool.free_bytes)}</strong>
            </div>
            <Meter
              used={neededBytes(size, contextBytes)}
              total={pool.free_bytes}
              label="Memory that it needs of what is free"
              wide
            />
          </div>
        )}
      </div>
    </FormDialog>
  );
}

/** "annex · 22 of 24 GB free · does not fit: 43 of 22 GB · load failed" */
const placeText = ({ node, model, failure }: Placement): string =>
  [node.name, freeText(node), fitOf(model.size_bytes, node).text, failure && failedWords(failure).toLowerCase()]
    .filter(Boolean)
    .join(' · ');

/** Empty: it does not report its memory. */
const freeText = ({ memory }: Placement['node']): string =>
  memory === null ? '' : `${memoryText(memory.free_bytes, memory.total_bytes)} free`;

/** null: a driver does not say how much is free. */
function gpuPool(gpus: Placement['node']['gpus']): { readonly free_bytes: number } | null {
  if (gpus.some(({ free_bytes }) => free_bytes === null)) return null;
  return { free_bytes: gpus.reduce((sum, { free_bytes }) => sum + (free_bytes ?? 0), 0) };
}
