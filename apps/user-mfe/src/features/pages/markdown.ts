/**
 * The Markdown of the static pages as a tree: headings, paragraphs, lists, bold, italic and links. Anything else
 * is text. A tree, not HTML: what an editor types can never become markup of the page.
 */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'strong' | 'em'; text: string }
  | { kind: 'link'; text: string; href: string };

export type Block =
  | { kind: 'heading'; level: 2 | 3; content: Inline[] }
  | { kind: 'paragraph'; content: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] };

const INLINE = /\*\*([^*]+)\*\*|\*([^*]+)\*|_([^_]+)_|\[([^\]]+)\]\(([^)\s]+)\)/g;
const SAFE_LINK = /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i;

/** The parts of a line. A link to anywhere but the web, mail, phone or this site is shown as text. */
export function parseInline(line: string): Inline[] {
  const parts: Inline[] = [];
  let at = 0;
  for (const match of line.matchAll(INLINE)) {
    const [whole, strong, star, underscore, label, href] = match;
    if (match.index > at) parts.push({ kind: 'text', text: line.slice(at, match.index) });
    const em = star ?? underscore;
    if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (em !== undefined) parts.push({ kind: 'em', text: em });
    else if (label !== undefined && href !== undefined && SAFE_LINK.test(href)) {
      parts.push({ kind: 'link', text: label, href });
    } else parts.push({ kind: 'text', text: whole });
    at = match.index + whole.length;
  }
  if (at < line.length) parts.push({ kind: 'text', text: line.slice(at) });
  return parts;
}

const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBER = /^\s*\d+[.)]\s+(.*)$/;
const HEADING = /^(#{1,6})\s+(.*)$/;

function parseBlock(chunk: string): Block[] {
  const lines = chunk.split('\n');
  const heading = HEADING.exec(lines[0] ?? '');
  if (heading) {
    const level = (heading[1]?.length ?? 1) <= 2 ? 2 : 3;
    const rest = lines.slice(1).join('\n').trim();
    return [
      { kind: 'heading', level, content: parseInline(heading[2] ?? '') },
      ...(rest ? parseBlock(rest) : []),
    ];
  }
  for (const [pattern, ordered] of [
    [BULLET, false],
    [NUMBER, true],
  ] as const) {
    const items = lines.map((line) => pattern.exec(line)?.[1]);
    if (items.every((item) => item !== undefined))
      return [{ kind: 'list', ordered, items: items.map(parseInline) }];
  }
  return [{ kind: 'paragraph', content: parseInline(lines.map((line) => line.trim()).join(' ')) }];
}

/** The blocks of a page; blank lines part them. */
export function parseMarkdown(source: string): Block[] {
  return source
    .replaceAll('\r\n', '\n')
    .split(/\n\s*\n/)
    .map((chunk) => chunk.trim())
    .filter(Boolean)
    .flatMap(parseBlock);
}
