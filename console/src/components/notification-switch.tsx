import { Switch } from '@mantine/core';
import { useState } from 'react';
import {
  notificationsSupported,
  setNotifications,
  useNotificationsBlocked,
  useNotificationsOn,
} from '../api/notification-choice';
import classes from './notification-switch.module.css';

const WAY = 'allow notifications with the icon to the left of the address.';

interface NotificationSwitchProps {
  /** Nothing either where the browser blocks them: the settings say how to change that. */
  readonly usable?: boolean;
}

/** Nothing where the browser has no notifications, as without HTTPS. */
export function NotificationSwitch({ usable = false }: NotificationSwitchProps) {
  const on = useNotificationsOn();
  const blocked = useNotificationsBlocked();
  // Browsers ask quietly, or not at all; then nothing else would say why the switch stays off.
  const [asked, setAsked] = useState(false);
  if (!notificationsSupported() || (usable && blocked)) return null;
  const note = blocked
    ? `This browser blocks notifications of this site: ${WAY}`
    : asked && !on && `The browser has not allowed it yet: answer its question, or ${WAY}`;
  return (
    <Switch
      label="Notify me in this browser"
      checked={on}
      disabled={blocked}
      description={note}
      classNames={{ label: blocked ? (classes.label ?? '') : '', description: classes.note ?? '' }}
      onChange={({ currentTarget: { checked } }) => {
        setAsked(checked);
        void setNotifications(checked);
      }}
    />
  );
}
