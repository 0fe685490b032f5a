/**
 * A plugin for Prettier: a Markdown table that is wider than a line is written without padding. Prettier pads every row to the
 * longest cell, so that a change of one cell changes all rows, and no editor shows such a row anyway. It has this form itself,
 * for those who let it wrap no prose (`proseWrap: 'never'`), which is asked for here for tables alone.
 */
import * as markdown from 'prettier/plugins/markdown';

const { mdast } = markdown.printers;

/** Prettier takes the printer of the plugin that brings the parser. */
export const { parsers } = markdown;

export const printers = {
  mdast: {
    ...mdast,
    print: (path, options, ...rest) =>
      mdast.print(path, path.node.type === 'table' ? { ...options, proseWrap: 'never' } : options, ...rest),
  },
};
