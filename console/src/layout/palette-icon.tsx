import {
  ComputersIcon,
  CopyIcon,
  KeysIcon,
  ModelsIcon,
  OperationsIcon,
  OverviewIcon,
  PlusIcon,
  RequestsIcon,
  UserIcon,
} from '../components/icons';
import { pages } from './pages';
import type { PaletteAction } from './palette-actions';

type Icon = typeof PlusIcon;

const kinds: Readonly<Record<Exclude<PaletteAction['kind'], 'page' | 'command'>, Icon>> = {
  computer: ComputersIcon,
  model: ModelsIcon,
  request: RequestsIcon,
  cluster: OverviewIcon,
  copy: CopyIcon,
};

const commands: Readonly<Record<string, Icon>> = {
  key: KeysIcon,
  install: ModelsIcon,
  invite: UserIcon,
  operations: OperationsIcon,
};

function iconOf({ id, kind, effect }: PaletteAction): Icon {
  switch (kind) {
    case 'page':
      return pages.find(({ to }) => effect.kind === 'go' && to === effect.to)?.Icon ?? OverviewIcon;
    case 'command':
      return commands[id] ?? PlusIcon;
    default:
      return kinds[kind];
  }
}

export function PaletteIcon({ action }: { readonly action: PaletteAction }) {
  const Icon = iconOf(action);
  return <Icon />;
}
