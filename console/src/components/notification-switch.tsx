import { Switch } from '@mantine/core';
import { useState } from 'react';
import { notificationsSupported, setNotifications, useNotificationsOn } from '../api/notification-choice';

/** Nothing where the browser has no notifications, as without HTTPS. */
export function NotificationSwitch() {
  const on = useNotificationsOn();
  const [refused, setRefused] = useState(false);
  if (!notificationsSupported()) return null;
  return (
    <Switch
      label="Notify me in this browser"
      checked={on}
      error={refused && 'The browser does not allow it: change its settings for this site.'}
      onChange={({ currentTarget: { checked } }) =>
        void setNotifications(checked).then((granted) => setRefused(!granted))
      }
    />
  );
}
