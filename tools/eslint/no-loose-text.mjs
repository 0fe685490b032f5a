/**
 * Lint rule: a text beside a part that comes and goes has an element of its own. A translating browser (Chrome's page
 * translation) puts <font> elements in the place of text nodes; React then finds no text node to insert a part before, or to
 * take away, and the screen falls.
 */
import ts from 'typescript';

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike;
const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.BooleanLike;

/** Elements that hold words: a `ReactNode` in one of them is taken for words, elsewhere for blocks. */
const OF_WORDS = new Set(
  'a b button dd dt em figcaption h1 h2 h3 h4 h5 h6 label legend p small span strong summary td th'.split(
    ' ',
  ),
);

/** What JSX throws away: lines without words between elements, and comments. */
const isBlank = (node) =>
  (node.type === 'JSXText' && node.value.includes('\n') && node.value.trim() === '') ||
  (node.type === 'JSXExpressionContainer' && node.expression.type === 'JSXEmptyExpression');

/** What an expression may show: of `a && b`, b alone, since an empty text is not shown. */
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
    // A file that no project has.
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
