import { subjectOf, type Operation } from '../api/operation-state';

type Kind = Operation['kind'];

export const doing: Readonly<Record<Kind, string>> = {
  install: 'Installing',
  load: 'Loading',
  unload: 'Unloading',
  remove: 'Removing',
};

const done: Readonly<Record<Kind, string>> = {
  install: 'Installed',
  load: 'Loaded',
  unload: 'Unloaded',
  remove: 'Removed',
};

const failed: Readonly<Record<Kind, string>> = {
  install: 'Install failed',
  load: 'Load failed',
  unload: 'Unload failed',
  remove: 'Removal failed',
};

/** "Load failed" */
export const failedWords = ({ kind }: Operation): string => failed[kind];

/** "Loading", "Loaded", "Load failed" or "Cancelled", without the model. */
export function stateWords(operation: Operation): string {
  switch (operation.state) {
    case 'queued':
    case 'running':
      return doing[operation.kind];
    case 'succeeded':
      return done[operation.kind];
    case 'failed':
      return failedWords(operation);
    case 'cancelled':
      return `${doing[operation.kind]} cancelled`;
  }
}

/** For the names of buttons: "load of qwen3:8b on studio" */
export const operationName = (operation: Operation): string =>
  `${operation.kind} of ${subjectOf(operation)} on ${operation.node_name}`;
