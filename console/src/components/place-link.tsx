import { LinkButton } from './link-button';
import type { Place } from './next-step';

interface PlaceLinkProps {
  readonly place: Place;
}

/** To where something can be done about a failed request. */
export function PlaceLink({ place }: PlaceLinkProps) {
  const look = { variant: 'default', size: 'xs' } as const;
  switch (place.kind) {
    case 'computer':
      return (
        <LinkButton {...look} to="/computers/$nodeId" params={{ nodeId: place.nodeId }}>
          Open {place.name}
        </LinkButton>
      );
    case 'model':
      return (
        <LinkButton {...look} to="/models" search={{ q: place.name }}>
          Open the model
        </LinkButton>
      );
    case 'models':
      return (
        <LinkButton {...look} to="/models">
          Open the models
        </LinkButton>
      );
    case 'key':
      return (
        <LinkButton {...look} to="/keys" search={{ q: place.keyId }}>
          Open the key
        </LinkButton>
      );
    case 'new-key':
      return (
        <LinkButton {...look} to="/keys" search={{ create: '1' }}>
          Create a key
        </LinkButton>
      );
    case 'add-computer':
      return (
        <LinkButton {...look} to="/computers" search={{ add: '1' }}>
          Add a computer
        </LinkButton>
      );
  }
}
