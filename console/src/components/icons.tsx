/** 16 px line icons. They repeat a label beside them, so screen readers skip them. */
import type { ReactNode } from 'react';

function icon(drawing: ReactNode) {
  return function Icon({ size = 16 }: { readonly size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {drawing}
      </svg>
    );
  };
}

export const OverviewIcon = icon(<path d="M2.5 8.5v5h4v-5zm7-6v4h4v-4zm-7 0v3h4v-3zm7 7v4h4v-4z" />);
export const ComputersIcon = icon(<path d="M2 3h12v8H2zm4 11h4M8 11v3" />);
export const ModelsIcon = icon(<path d="m8 1.8 5.5 3v6.4L8 14.2l-5.5-3V4.8zm0 6.2 5.4-3M8 8 2.6 5M8 8v6" />);
export const KeysIcon = icon(<path d="M5.5 13a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4m2-4.6L13 3m-2.5 2.5L12 7" />);
export const ChatIcon = icon(<path d="M2 3h12v8.5H7L4 14v-2.5H2z" />);
export const UsageIcon = icon(<path d="M2.5 13.5h11M4 11V8m4 3V3m4 8V6" />);
export const RequestsIcon = icon(<path d="M2.5 4h11m-11 4h11m-11 4H9" />);
export const SettingsIcon = icon(
  <path d="M3 4.5h3m4 0h3M3 11.5h5m4 0h1M8 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6m2 7a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6" />,
);
export const MoreIcon = icon(<path d="M2.5 4.5h11m-11 3.5h11m-11 3.5h11" />);
export const ActionsIcon = icon(<path strokeWidth="2" d="M3 8h.01M8 8h.01M13 8h.01" />);
export const CopyIcon = icon(<path d="M5.5 5.5h8v8h-8zm-2 5h-1v-8h8v1" />);
export const EditIcon = icon(<path d="m3 13 .8-3.2 7.1-7.1 2.4 2.4-7.1 7.1zm6.2-8.6 2.4 2.4" />);
export const CheckIcon = icon(<path d="m3 8.5 3.2 3.2L13 4.8" />);
export const SearchIcon = icon(<path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9m3.3-1.2 3.2 3.2" />);
export const ChevronDownIcon = icon(<path d="m4.5 6.5 3.5 3.5 3.5-3.5" />);
export const ChevronRightIcon = icon(<path d="m6.5 4.5 3.5 3.5-3.5 3.5" />);
export const ArrowUpIcon = icon(<path d="M8 13V3M4 7l4-4 4 4" />);
export const ArrowDownIcon = icon(<path d="M8 3v10m4-4-4 4-4-4" />);
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const AttentionIcon = icon(<path d="M8 2.2 14.5 13.5h-13zM8 6.5v3.2m0 1.8v.1" />);
export const SunIcon = icon(
  <path d="M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M8 1.5V3m0 10v1.5M1.5 8H3m10 0h1.5M3.4 3.4l1.1 1.1m7 7 1.1 1.1m0-9.2-1.1 1.1m-7 7-1.1 1.1" />,
);
export const MoonIcon = icon(<path d="M13.3 9.7A5.8 5.8 0 0 1 6.3 2.7a5.8 5.8 0 1 0 7 7" />);
export const ScreenIcon = icon(<path d="M2 3h12v8H2zm4 11h4" />);
export const UserIcon = icon(
  <path d="M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8m-5.5 5.8c.6-2.4 2.8-3.6 5.5-3.6s4.9 1.2 5.5 3.6" />,
);
export const OperationsIcon = icon(<path d="M8 2v7m-3-3 3 3 3-3M2.5 10.5v3h11v-3" />);
export const RefreshIcon = icon(<path d="M13 8a5 5 0 1 1-1.5-3.6L13 6m0-3.5V6H9.5" />);
