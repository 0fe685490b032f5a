/**
 * Lint rule: a text next to a conditional part has its own element. Chrome's page translation replaces text
 * nodes by <font> elements; React then cannot find the text node when it inserts or removes the part, and the
 * screen crashes.
 */
import ts from 'typescript';

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike;
const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.BooleanLike;

/** Elements that contain words: a `ReactNode` counts as text in them, and as a block elsewhere. */
const OF_WORDS = new Set(
  'a b button dd dt em figcaption h1 h2 h3 h4 h5 h6 label legend p small span strong summary td th'.split(
    ' ',
  ),
);

/** JSX drops whitespace with line breaks between elements, and comments. */
const isBlank = (node) =>
  (node.type === 'JSXText' && node.value.includes('\n') && node.value.trim() === '') ||
  (node.type === 'JSXExpressionContainer' && node.expression.type === 'JSXEmptyExpression');

/** Yields what an expression can show: for `a && b` only b, because an empty text is not shown. */
function* shown(node) {
  if (node.type === 'ConditionalExpression') {
    yield* shown(node.consequent);
    yield* shown(node.alternate);
  } else if (node.type === 'LogicalExpression') {
    if (node.operator !== '&&') yield* shown(node.left);
    yield* shown(node.right);
  } else yield node;
}

/** @type {import('eslint').Rule.RuleModule} */
export const noLooseText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      loose:
        'Put this text into an element of its own: something beside it comes and goes, and a page that the browser translates would fall.',
    },
  },
  create(context) {
    const { program, getTypeAtLocation } = context.sourceCode.parserServices;
    // The file belongs to no project.
    if (!program) return {};
    const checker = program.getTypeChecker();
    const typesOf = (node) => {
      const type = getTypeAtLocation(node);
      return type.isUnion() ? type.types : [type];
    };
    const isNode = (types) => types.some((type) => type.flags & ts.TypeFlags.BigIntLike);
    const isText = (node, ofWords) => {
      if (node.type === 'Literal' && node.value === '') return false;
      const types = typesOf(node);
      return isNode(types) ? ofWords : types.some((type) => type.flags & TEXT);
    };
    const mayBeText = (child, ofWords) =>
      child.type === 'JSXText' ||
      (child.type === 'JSXExpressionContainer' &&
        [...shown(child.expression)].some((node) => isText(node, ofWords)));
    const comesAndGoes = ({ type, expression }) => {
      if (type !== 'JSXExpressionContainer') return false;
      const types = typesOf(expression);
      const texts = types.filter((each) => each.flags & TEXT);
      return (
        types.some((each) => each.flags & NOTHING || checker.isArrayType(each)) ||
        (texts.length > 0 && texts.length < types.length)
      );
    };
    const look = ({ children, openingElement }) => {
      const own = children.filter((child) => !isBlank(child));
      if (own.length < 2 || !own.some(comesAndGoes)) return;
      const ofWords = OF_WORDS.has(openingElement?.name.name);
      for (const node of own) if (mayBeText(node, ofWords)) context.report({ node, messageId: 'loose' });
    };
    return { JSXElement: look, JSXFragment: look };
  },
};
