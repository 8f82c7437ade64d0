import { platformText } from '../../components/node-facts';
import { RelativeTime } from '../../components/relative-time';
import classes from './access.module.css';
import type { Device } from './access-queries';
import shared from '../../components/form.module.css';

/** What the device says of itself, and where it asked from. */
export function DeviceFacts({ device }: { readonly device: Device }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Name', device.name],
    ['Code', device.user_code],
    ['Asks from', device.ip],
    ['System', device.platform && platformText(device.platform)],
    ['Ferry', device.agent_version],
  ];
  return (
    <dl className={`${shared.facts} ${classes.facts}`}>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
      <dt>Expires</dt>
      <dd>
        <RelativeTime at={device.expires} />
      </dd>
    </dl>
  );
}
