/**
 * Turns Markdown (CommonMark, tables, strikethrough, bare links) into the blocks that readers see. Node kinds
 * that are not listed below (HTML, images, footnotes) stay the text that was typed.
 */
import type { ArticleBlock, ArticleListItem, ArticleRun } from '@karaar/contracts/cms/article';
import type { List, Nodes, PhrasingContent, RootContent, TableRow } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { safeHref } from './safe-href.ts';

type Marks = Omit<ArticleRun, 'text' | 'break'>;

/** Returns the blocks of a text. Every text is valid Markdown, so it never throws. */
export function readArticle(content: string): ArticleBlock[] {
  const tree = fromMarkdown(content, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const source = (node: Nodes): string =>
    content.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
  const addresses = new Map<string, string>();
  collectAddresses(tree.children, addresses);
  const reader = createReader(source, createRunReader(source, addresses));
  return reader.blocks(tree.children, false);
}

/** A `[label]: address` line may follow its use. The first line of a label counts. */
function collectAddresses(nodes: readonly Nodes[], into: Map<string, string>): void {
  for (const node of nodes) {
    if (node.type === 'definition' && !into.has(node.identifier)) into.set(node.identifier, node.url);
    if ('children' in node) collectAddresses(node.children, into);
  }
}

const look = ({ text: _text, ...marks }: ArticleRun): string => JSON.stringify(marks);

function joined(runs: readonly ArticleRun[]): ArticleRun[] {
  const result: ArticleRun[] = [];
  for (const run of runs) {
    const last = result.at(-1);
    if (last && !run.break && look(last) === look(run))
      result[result.length - 1] = { ...last, text: last.text + run.text };
    else result.push(run);
  }
  return result;
}

type ReadRuns = (nodes: readonly PhrasingContent[], marks?: Marks) => ArticleRun[];

function createRunReader(source: (node: Nodes) => string, addresses: ReadonlyMap<string, string>): ReadRuns {
  const link = (url: string | undefined, children: PhrasingContent[], marks: Marks): ArticleRun[] => {
    const href = url === undefined ? undefined : safeHref(url);
    return runs(children, href === undefined ? marks : { ...marks, href });
  };

  function run(node: PhrasingContent, marks: Marks): ArticleRun[] {
    switch (node.type) {
      case 'text':
        return [{ text: node.value.replaceAll('\n', ' '), ...marks }];
      case 'strong':
        return runs(node.children, { ...marks, strong: true });
      case 'emphasis':
        return runs(node.children, { ...marks, emphasis: true });
      case 'delete':
        return runs(node.children, { ...marks, deleted: true });
      case 'inlineCode':
        return [{ text: node.value, ...marks, code: true }];
      case 'break':
        return [{ text: '', break: true }];
      case 'link':
        return link(node.url, node.children, marks);
      case 'linkReference':
        return link(addresses.get(node.identifier), node.children, marks);
      case 'footnoteReference':
      case 'html':
      case 'image':
      case 'imageReference':
        return [{ text: source(node), ...marks }];
    }
  }

  const runs: ReadRuns = (nodes, marks = {}) => joined(nodes.flatMap((node) => run(node, marks)));
  return runs;
}

function createReader(source: (node: Nodes) => string, runs: ReadRuns) {
  /** Returns the lines of an item. Paragraphs after the first begin on a new line. */
  function itemRuns(nodes: readonly RootContent[]): ArticleRun[] {
    return nodes
      .filter(({ type }) => type !== 'list')
      .flatMap((node, index) => {
        const lines = node.type === 'paragraph' ? runs(node.children) : [{ text: source(node) }];
        return index === 0 ? lines : [{ text: '', break: true as const }, ...lines];
      });
  }

  function items(list: List, depth: number): ArticleListItem[] {
    const first = list.start ?? 1;
    return list.children.flatMap((item, index) => [
      { depth, ...(list.ordered ? { number: first + index } : {}), runs: itemRuns(item.children) },
      ...item.children.flatMap((child) => (child.type === 'list' ? items(child, depth + 1) : [])),
    ]);
  }

  const cells = (row: TableRow): ArticleRun[][] => row.children.map((cell) => runs(cell.children));

  function block(node: RootContent, quoted: boolean): ArticleBlock[] {
    switch (node.type) {
      case 'heading':
        return [{ kind: 'heading', level: Math.min(4, Math.max(2, node.depth)), runs: runs(node.children) }];
      case 'paragraph':
        return [{ kind: 'paragraph', ...(quoted ? { quoted: true } : {}), runs: runs(node.children) }];
      case 'list':
        return [{ kind: 'list', items: items(node, 0) }];
      case 'blockquote':
        return blocks(node.children, true);
      case 'table': {
        const [head, ...rows] = node.children;
        return [{ kind: 'table', head: head ? cells(head) : [], rows: rows.map(cells) }];
      }
      case 'code':
        return [{ kind: 'code', text: node.value }];
      case 'thematicBreak':
        return [{ kind: 'rule' }];
      case 'definition':
        return [];
      case 'break':
      case 'delete':
      case 'emphasis':
      case 'footnoteDefinition':
      case 'footnoteReference':
      case 'html':
      case 'image':
      case 'imageReference':
      case 'inlineCode':
      case 'link':
      case 'linkReference':
      case 'listItem':
      case 'strong':
      case 'tableCell':
      case 'tableRow':
      case 'text':
      case 'yaml':
        return [{ kind: 'paragraph', runs: [{ text: source(node) }] }];
    }
  }

  const blocks = (nodes: readonly RootContent[], quoted: boolean): ArticleBlock[] =>
    nodes.flatMap((node) => block(node, quoted));

  return { blocks };
}
