/**
 * Lint rule: a text next to other content has its own element. Chrome's page translation replaces text nodes
 * by <font> elements. React then cannot find the text node: the screen crashes when React inserts or removes
 * a part next to it, or removes the text, and a changed text is not shown. React replaces all content of an
 * element whose only child is a text.
 */
import ts from 'typescript';

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike;

/** Elements that contain words: a `ReactNode` counts as text in them, and as a block elsewhere. */
const OF_WORDS = new Set(
  'a b button dd dt em figcaption h1 h2 h3 h4 h5 h6 label legend p small span strong summary td th'.split(
    ' ',
  ),
);

/** Browsers do not translate blanks, and JSX drops comments. */
const isBlank = (node) =>
  (node.type === 'JSXText' && node.value.trim() === '') ||
  (node.type === 'JSXExpressionContainer' &&
    (node.expression.type === 'JSXEmptyExpression' || node.expression.value?.trim?.() === ''));

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

/** Components have names in upper case. */
const isComponent = (node) => /^[A-Z]/.test((node.id ?? node.parent?.id)?.name ?? '');

/** @type {import('eslint').Rule.RuleModule} */
export const noLooseText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      loose:
        'Put this text into an element of its own, or join it with its neighbours to one text: once the browser has translated the page, React finds it no more.',
    },
  },
  create(context) {
    const { program, getTypeAtLocation } = context.sourceCode.parserServices;
    // The file belongs to no project.
    if (!program) return {};
    const checker = program.getTypeChecker();
    const parts = (type) => (type.isUnion() ? type.types : [type]);
    const isNode = (types) => types.some((type) => type.flags & ts.TypeFlags.BigIntLike);
    const hasText = (types, ofWords) => (isNode(types) ? ofWords : types.some((type) => type.flags & TEXT));
    const isText = (node, ofWords) =>
      !(node.type === 'Literal' && node.value === '') && hasText(parts(getTypeAtLocation(node)), ofWords);
    const isTexts = (node) =>
      parts(getTypeAtLocation(node))
        .filter((type) => checker.isArrayType(type))
        .some((type) => checker.getTypeArguments(type).some((each) => hasText(parts(each), false)));

    const report = (node) => context.report({ node, messageId: 'loose' });
    const look = ({ type, children, openingElement }) => {
      const own = children.filter((child) => !isBlank(child));
      const isAlone = type === 'JSXElement' && own.length < 2;
      const ofWords = OF_WORDS.has(openingElement?.name.name);
      for (const child of own) {
        const values = child.type === 'JSXExpressionContainer' ? [...shown(child.expression)] : [];
        if (values.some(isTexts)) report(child);
        else if (!isAlone && (child.type === 'JSXText' || values.some((node) => isText(node, ofWords))))
          report(child);
      }
    };
    /** A text that a component returns is a bare text in its parent. */
    const lookAtReturn = (result, component) => {
      if (!result || !isComponent(component)) return;
      for (const node of shown(result)) if (isText(node, false)) report(node);
    };
    return {
      JSXElement: look,
      JSXFragment: look,
      ReturnStatement: (node) => {
        let at = node.parent;
        while (at && !/Function/.test(at.type)) at = at.parent;
        if (at) lookAtReturn(node.argument, at);
      },
      ArrowFunctionExpression: (node) => node.expression && lookAtReturn(node.body, node),
    };
  },
};
