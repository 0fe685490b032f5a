/**
 * Lint rule: a text next to other content has its own element. Chrome's page translation replaces text nodes
 * by <font> elements. React then cannot find the text node: the screen crashes when React inserts or removes
 * a part next to it, or removes the text, and a changed text is not shown. React replaces all content of an
 * element whose only child is a text.
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

/** The types of a value that React can show. */
function showing(context) {
  const { program, getTypeAtLocation } = context.sourceCode.parserServices;
  const checker = program.getTypeChecker();
  const parts = (type) => (type.isUnion() ? type.types : [type]);
  const has = (types, flags) => types.some((type) => type.flags & flags);
  const isNode = (types) => has(types, ts.TypeFlags.BigIntLike);
  const typesOf = (node) => parts(getTypeAtLocation(node));
  return {
    typesOf,
    has,
    isText: (node, ofWords) => {
      if (node.type === 'Literal' && node.value === '') return false;
      const types = typesOf(node);
      return isNode(types) ? ofWords : has(types, TEXT);
    },
    isTexts: (node) =>
      typesOf(node)
        .filter((type) => checker.isArrayType(type))
        .flatMap((type) => checker.getTypeArguments(type).map(parts))
        .some((types) => !isNode(types) && has(types, TEXT)),
    isList: (types) => types.some((type) => checker.isArrayType(type)),
    /** Returns true for a component that may show nothing. */
    mayBeNothing: ({ openingElement }) =>
      getTypeAtLocation(openingElement.name)
        .getCallSignatures()
        .map((signature) => parts(signature.getReturnType()))
        .some((types) => !isNode(types) && has(types, NOTHING)),
  };
}

const hasKey = ({ openingElement }) => openingElement.attributes.some((each) => each.name?.name === 'key');
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
    // The file belongs to no project.
    if (!context.sourceCode.parserServices.program) return {};
    const { typesOf, has, isText, isTexts, isList, mayBeNothing } = showing(context);
    const report = (node) => context.report({ node, messageId: 'loose' });

    const mayBeText = (child, ofWords) =>
      child.type === 'JSXText' ||
      (child.type === 'JSXExpressionContainer' &&
        [...shown(child.expression)].some((node) => isText(node, ofWords) || isTexts(node)));
    const comesAndGoes = (child) => {
      if (child.type === 'JSXElement') return hasKey(child) || mayBeNothing(child);
      if (child.type !== 'JSXExpressionContainer') return false;
      const types = typesOf(child.expression);
      const isOnlyText = types.every((type) => has([type], TEXT));
      return (
        (child.expression.type === 'ConditionalExpression' && !isOnlyText) ||
        has(types, NOTHING) ||
        isList(types) ||
        (has(types, TEXT) && !isOnlyText)
      );
    };
    const look = ({ type, children, openingElement }) => {
      const own = children.filter((child) => !isBlank(child));
      const texts = own.filter((child) => mayBeText(child, OF_WORDS.has(openingElement?.name.name)));
      // A text that never changes may stay between elements that stay.
      const fixed = own.some(comesAndGoes) || type === 'JSXFragment' ? () => false : isFixed;
      const isAlone = own.length < 2 && type === 'JSXElement' && !own.some(isListed);
      if (!isAlone) texts.filter((child) => !fixed(child)).forEach(report);
    };
    const isFixed = ({ type }) => type === 'JSXText';
    const isListed = (child) => child.type === 'JSXExpressionContainer' && isTexts(child.expression);
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
