/** Lint rule: texts for users are in the language files (libs/i18n/README.md), not in components. */

/** Attributes and properties whose text users read. */
const READ = new Set([
  ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-placeholder', 'aria-valuetext'],
  ...['title', 'placeholder', 'alt', 'label', 'hint', 'note', 'text', 'lead', 'error', 'instruction'],
  ...['heading', 'caption', 'summary', 'description', 'help', 'tooltip', 'confirm', 'cancel', 'message'],
]);

/** Functions and properties that show a text: `toast.error('…')`, `useTitle('…')`, `ask({ title: '…' })`. */
const SHOWING =
  /^(toast(\.\w+)?|useTitle|useConfirm|ask|alert|confirm|prompt|\w+\.setCustomValidity|document\.title)$/;

/** The product's name is the same in every language. */
const isText = (value) =>
  typeof value === 'string' && (value.match(/\p{L}+/gu) ?? []).some((word) => word !== 'Karaar');

/** The parts of an expression that can become its text. */
const PARTS = {
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['left', 'right'],
  JSXExpressionContainer: ['expression'],
  TSAsExpression: ['expression'],
  TSSatisfiesExpression: ['expression'],
};

/** Yields the literal texts that an expression can become. */
function* literals(node) {
  if (node?.type === 'Literal') {
    if (isText(node.value)) yield node;
  } else if (node?.type === 'TemplateLiteral') {
    if (node.quasis.some((quasi) => isText(quasi.value.cooked))) yield node;
  } else if (node?.type === 'ObjectExpression') {
    for (const property of node.properties)
      if (property.type === 'Property' && READ.has(property.key.name ?? property.key.value))
        yield* literals(property.value);
  } else {
    const parts = node?.operator === '+' ? ['left', 'right'] : (PARTS[node?.type] ?? []);
    for (const part of parts) yield* literals(node[part]);
  }
}

/** @type {import('eslint').Rule.RuleModule} */
export const noBareText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      bare: 'A person reads “{{text}}”: put it into the texts of this feature in all languages and say t(…) (libs/i18n/README.md).',
    },
  },
  create(context) {
    const source = context.sourceCode;
    const report = (node) =>
      context.report({
        node,
        messageId: 'bare',
        data: { text: source.getText(node).replace(/\s+/g, ' ').trim().slice(0, 60) },
      });
    const reportAll = (node) => {
      for (const literal of literals(node)) report(literal);
    };
    return {
      JSXText(node) {
        if (isText(node.value)) report(node);
      },
      'JSXElement > JSXExpressionContainer, JSXFragment > JSXExpressionContainer'(node) {
        reportAll(node);
      },
      JSXAttribute(node) {
        const { name } = node.name;
        if (READ.has(typeof name === 'string' ? name : name.name)) reportAll(node.value);
      },
      CallExpression(node) {
        if (SHOWING.test(source.getText(node.callee))) node.arguments.forEach(reportAll);
      },
      AssignmentExpression(node) {
        if (SHOWING.test(source.getText(node.left))) reportAll(node.right);
      },
    };
  },
};
