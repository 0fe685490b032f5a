import { parseMarkdown, type Block, type Inline } from './markdown.ts';
import css from './pages.module.css';

/** The text of a page, from its Markdown; pages are written in English. */
export function Article({ content }: { content: string }) {
  return (
    <article className={css.article} lang="en">
      {parseMarkdown(content).map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </article>
  );
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'heading') {
    const Heading = block.level === 2 ? 'h2' : 'h3';
    return (
      <Heading>
        <Line parts={block.content} />
      </Heading>
    );
  }
  if (block.kind === 'paragraph') {
    return (
      <p>
        <Line parts={block.content} />
      </p>
    );
  }
  const List = block.ordered ? 'ol' : 'ul';
  return (
    <List>
      {block.items.map((item, index) => (
        <li key={index}>
          <Line parts={item} />
        </li>
      ))}
    </List>
  );
}

function Line({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => {
    if (part.kind === 'strong') return <strong key={index}>{part.text}</strong>;
    if (part.kind === 'em') return <em key={index}>{part.text}</em>;
    if (part.kind === 'link') {
      return (
        <a key={index} href={part.href} rel="noopener">
          {part.text}
        </a>
      );
    }
    return part.text;
  });
}
