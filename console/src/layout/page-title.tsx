import { useQuery } from '@tanstack/react-query';
import { whoAmIQuery } from '../api/queries';

/** @param service as the relay names itself: `ferry` unless it was configured */
export const installationName = (service: string | undefined): string =>
  service === undefined || service === 'ferry' ? 'Ferry' : service;

interface PageTitleProps {
  readonly title: string;
  /** Where no session tells the installation's name. */
  readonly installation?: string | undefined;
}

/** `document.title`: people with several installations tell their tabs apart by it. */
export function PageTitle({ title, installation }: PageTitleProps) {
  const { data: me } = useQuery({ ...whoAmIQuery, enabled: false });
  return <title>{`${title} · ${installationName(me?.service.name ?? installation)}`}</title>;
}
