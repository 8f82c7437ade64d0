/** What a model writes is hostile text: no HTML of it is rendered, no image is fetched, and links leave only for the web. */
import { isValidElement, lazy, Suspense, type ComponentProps, type ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../../components/code-block';
import classes from './chat-markdown.module.css';
import { languageName } from './language-name';

const HighlightedCode = lazy(() => import('./highlighted-code'));

const plugins = [remarkGfm];

const components = {
  a: Link,
  img: ({ alt, src }: ComponentProps<'img'>) => (
    <span className={classes.image}>
      [image{alt ? `: ${alt}` : ''}
      {typeof src === 'string' && src !== '' ? ` ${src}` : ''}]
    </span>
  ),
  pre: Code,
  table: ({ children }: ComponentProps<'table'>) => (
    <div className={classes.table} tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  // Tasks are not there to be ticked.
  input: ({ checked }: ComponentProps<'input'>) => <span>{checked ? '☑' : '☐'}</span>,
};

/** Keeps what leads to the web or to an e-mail program; everything else stays text. */
const isHarmless = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href);

function Link({ href, children }: ComponentProps<'a'>) {
  if (href === undefined || !isHarmless(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  );
}

function Code({ children }: ComponentProps<'pre'>) {
  const { text, language } = codeOf(children);
  if (language === undefined) return <CodeBlock code={text} title="Code" />;
  return (
    <CodeBlock code={text} title={languageName(language)}>
      <Suspense fallback={text}>
        <HighlightedCode code={text} language={language} />
      </Suspense>
    </CodeBlock>
  );
}

function codeOf(children: ReactNode): { readonly text: string; readonly language: string | undefined } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) {
    return { text: typeof children === 'string' ? children : '', language: undefined };
  }
  const { className, children: inner } = children.props;
  const text = Array.isArray(inner) ? inner.join('') : typeof inner === 'string' ? inner : '';
  return { text: text.replace(/\n$/, ''), language: /language-(\S+)/.exec(className ?? '')?.[1] };
}

export default function ChatMarkdown({ text }: { readonly text: string }) {
  return (
    <div className={classes.text}>
      <ReactMarkdown remarkPlugins={plugins} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
