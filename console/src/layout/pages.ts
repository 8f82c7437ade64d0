import {
  ChatIcon,
  ComputersIcon,
  KeysIcon,
  ModelsIcon,
  OverviewIcon,
  RequestsIcon,
  SettingsIcon,
  UsageIcon,
} from '../components/icons';

/** The pages of the navigation, in its order. */
export const pages = [
  { to: '/', label: 'Overview', Icon: OverviewIcon },
  { to: '/computers', label: 'Computers', Icon: ComputersIcon },
  { to: '/models', label: 'Models', Icon: ModelsIcon },
  { to: '/keys', label: 'Keys', Icon: KeysIcon },
  { to: '/chat', label: 'Chat', Icon: ChatIcon },
  { to: '/usage', label: 'Usage', Icon: UsageIcon },
  { to: '/requests', label: 'Requests', Icon: RequestsIcon },
  { to: '/settings', label: 'Settings', Icon: SettingsIcon },
] as const;
