/** Whether this browser notifies of what needs attention: a choice of one person in one browser, off until it is made. */
import { useSyncExternalStore } from 'react';

const KEY = 'ferry.notifications';
const listeners = new Set<() => void>();

const isSupported = (): boolean => 'Notification' in globalThis;

/** Off as well where the browser has taken the permission back. */
const isOn = (): boolean =>
  isSupported() && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on';

/** No page can ask again: only the settings of the browser change it. */
const isBlocked = (): boolean => isSupported() && Notification.permission === 'denied';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  globalThis.addEventListener('storage', listener);
  // Somebody who has just allowed them comes back to the page.
  globalThis.addEventListener('focus', listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener('storage', listener);
    globalThis.removeEventListener('focus', listener);
  };
}

export const useNotificationsOn = (): boolean => useSyncExternalStore(subscribe, isOn);

export const useNotificationsBlocked = (): boolean => useSyncExternalStore(subscribe, isBlocked);

export const notificationsSupported = isSupported;

/** Asks the browser for its permission first. */
export async function setNotifications(on: boolean): Promise<void> {
  const granted = !on || (await Notification.requestPermission()) === 'granted';
  if (granted) localStorage.setItem(KEY, on ? 'on' : 'off');
  for (const listener of listeners) listener();
}
