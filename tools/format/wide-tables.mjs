/**
 * A Prettier plugin that does not pad Markdown tables wider than a line: with padding, a change of one cell
 * changes all rows. Prettier has this format only for `proseWrap: 'never'`, so the plugin sets that option
 * for tables.
 */
import * as markdown from 'prettier/plugins/markdown';

const { mdast } = markdown.printers;

/** Prettier uses the printer of the plugin that has the parser. */
export const { parsers } = markdown;

export const printers = {
  mdast: {
    ...mdast,
    print: (path, options, ...rest) =>
      mdast.print(path, path.node.type === 'table' ? { ...options, proseWrap: 'never' } : options, ...rest),
  },
};
