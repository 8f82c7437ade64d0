import { Link } from '@tanstack/react-router';
import type { pages } from './pages';

interface PageLinkProps {
  readonly page: (typeof pages)[number];
  readonly className: string | undefined;
  readonly onClick?: () => void;
}

/** A link of the navigation. `title` names the page where only its icon has room. */
export function PageLink({ page: { to, label, Icon }, className, onClick }: PageLinkProps) {
  return (
    <Link
      to={to}
      className={className}
      title={label}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      {...(onClick && { onClick })}
    >
      <Icon />
      <span>{label}</span>
    </Link>
  );
}
