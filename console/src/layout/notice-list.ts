/** A file of its own, whose name says what is fetched after a start. */
export { Notifications, notificationsStore } from '@mantine/notifications';
