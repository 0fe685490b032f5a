import type { ArticleBlock, ArticleListItem, ArticleRun } from '@karaar/contracts/cms/article';
import css from './article.module.css';

/** Renders a static page from its blocks. Creates each element; never inserts markup from the text. */
export function Article({ body, lang }: { body: readonly ArticleBlock[]; lang?: string }) {
  return (
    <article className={css.article} lang={lang}>
      {body.map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </article>
  );
}

const HEADINGS: Readonly<Record<number, 'h2' | 'h3' | 'h4'>> = { 2: 'h2', 3: 'h3', 4: 'h4' };

function BlockView({ block }: { block: ArticleBlock }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = HEADINGS[block.level] ?? 'h4';
      return (
        <Heading>
          <Runs runs={block.runs} />
        </Heading>
      );
    }
    case 'paragraph': {
      const lines = (
        <p>
          <Runs runs={block.runs} />
        </p>
      );
      return block.quoted ? <blockquote>{lines}</blockquote> : lines;
    }
    case 'list':
      return <List items={block.items} depth={0} />;
    case 'table':
      return <Table head={block.head} rows={block.rows} />;
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case 'rule':
      return <hr />;
  }
}

/** Items of one depth; deeper items are a list inside the item above. */
function List({ items, depth }: { items: readonly ArticleListItem[]; depth: number }) {
  const own = items.flatMap((item, index) => (item.depth === depth ? [{ item, index }] : []));
  const first = own[0]?.item;
  const Tag = first?.number === undefined ? 'ul' : 'ol';
  return (
    <Tag {...(Tag === 'ol' ? { start: first?.number } : {})}>
      {own.map(({ item, index }, at) => {
        const below = items.slice(index + 1, own[at + 1]?.index ?? items.length);
        return (
          <li key={index}>
            <Runs runs={item.runs} />
            {below.length > 0 && <List items={below} depth={depth + 1} />}
          </li>
        );
      })}
    </Tag>
  );
}

function Table({ head, rows }: { head: readonly ArticleRun[][]; rows: readonly ArticleRun[][][] }) {
  return (
    <div
      className={css.table}
      tabIndex={0}
      role="region"
      aria-label={head
        .flat()
        .map(({ text }) => text)
        .join(' ')}
    >
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                <Runs runs={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index}>
                  <Runs runs={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Runs({ runs }: { runs: readonly ArticleRun[] }) {
  return runs.map((run, index) => <Run key={index} run={run} />);
}

function Run({ run }: { run: ArticleRun }) {
  if (run.break) return <br />;
  const code = run.code ? <code>{run.text}</code> : <span>{run.text}</span>;
  const struck = run.deleted ? <del>{code}</del> : code;
  const stressed = run.emphasis ? <em>{struck}</em> : struck;
  const strong = run.strong ? <strong>{stressed}</strong> : stressed;
  if (run.href === undefined) return strong;
  return (
    <a href={run.href} rel="noopener">
      {strong}
    </a>
  );
}
