import { PageHead } from '../../layout/page-head';

export function ChatPage() {
  return <PageHead title="Chat" />;
}
