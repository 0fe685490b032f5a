/**
 * A page's Markdown (CommonMark with tables and strikethrough) as the cms service has parsed and sanitised
 * it: flat blocks of text runs. It is data, not HTML, so that an editor's text can never become markup of the
 * page.
 */
import { Type, type Static } from 'typebox';

/**
 * Text of one style. `href` is always a web, mail, telephone or site link. `break` ends the line after it.
 */
export const ArticleRun = Type.Object({
  text: Type.String(),
  strong: Type.Optional(Type.Literal(true)),
  emphasis: Type.Optional(Type.Literal(true)),
  deleted: Type.Optional(Type.Literal(true)),
  code: Type.Optional(Type.Literal(true)),
  href: Type.Optional(Type.String()),
  break: Type.Optional(Type.Literal(true)),
});
export type ArticleRun = Static<typeof ArticleRun>;

const Runs = Type.Array(ArticleRun);

export const ArticleListItem = Type.Object({
  /** The nesting depth of the item; 0 for the outermost. */
  depth: Type.Integer({ minimum: 0 }),
  /** The number of an ordered item; absent for a bulleted one. */
  number: Type.Optional(Type.Integer()),
  runs: Runs,
});
export type ArticleListItem = Static<typeof ArticleListItem>;

export const ArticleBlock = Type.Union([
  Type.Object({
    kind: Type.Literal('heading'),
    /** 2 to 4: the page's title is level 1. */
    level: Type.Integer({ minimum: 2, maximum: 4 }),
    runs: Runs,
  }),
  Type.Object({ kind: Type.Literal('paragraph'), quoted: Type.Optional(Type.Literal(true)), runs: Runs }),
  Type.Object({ kind: Type.Literal('list'), items: Type.Array(ArticleListItem) }),
  Type.Object({ kind: Type.Literal('table'), head: Type.Array(Runs), rows: Type.Array(Type.Array(Runs)) }),
  Type.Object({ kind: Type.Literal('code'), text: Type.String() }),
  Type.Object({ kind: Type.Literal('rule') }),
]);
export type ArticleBlock = Static<typeof ArticleBlock>;
