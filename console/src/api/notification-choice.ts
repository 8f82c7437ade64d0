/** Whether this browser notifies of what needs attention: a choice of one person in one browser, off until it is made. */
import { useSyncExternalStore } from 'react';

const KEY = 'ferry.notifications';
const listeners = new Set<() => void>();

const isSupported = (): boolean => 'Notification' in globalThis;

/** Off as well where the browser has taken the permission back. */
const isOn = (): boolean =>
  isSupported() && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  globalThis.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener('storage', listener);
  };
}

export const useNotificationsOn = (): boolean => useSyncExternalStore(subscribe, isOn);

export const notificationsSupported = isSupported;

/** Asks the browser for its permission first. @returns false: it was refused */
export async function setNotifications(on: boolean): Promise<boolean> {
  const granted = !on || (await Notification.requestPermission()) === 'granted';
  if (granted) localStorage.setItem(KEY, on ? 'on' : 'off');
  for (const listener of listeners) listener();
  return granted;
}
