import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { CutText } from './cut-text';
import shared from './table-section.module.css';

interface RequestLinkProps {
  readonly id: string;
  readonly children: ReactNode;
}

/** To a request. Lighter than the router's own link, which is the most expensive part of a row that is scrolled into sight. */
export function RequestLink({ id, children }: RequestLinkProps) {
  const navigate = useNavigate();
  const open = (event: MouseEvent) => {
    // Another tab or window is the browser's to open.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to: '/requests/$requestId', params: { requestId: id } });
  };
  return (
    <a className={shared.link} href={`${import.meta.env.BASE_URL}requests/${encodeURIComponent(id)}`} onClick={open}>
      {typeof children === 'string' ? <CutText text={children} /> : children}
    </a>
  );
}
