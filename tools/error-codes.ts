/** The codes that services and the gateway put on the wire, from the source: `{ detail, code }` of libs/platform/src/errors. */
import ts from 'typescript';
import { sourceFiles, textOf } from './testing/source-files.ts';

/** Factories of libs/platform/src/errors whose first argument is the code. */
const FACTORIES = new Set([
  ...['badRequest', 'unauthorized', 'forbidden', 'notFound', 'conflict'],
  ...['unprocessable', 'unavailable', 'payloadTooLarge', 'unsupportedMedia'],
]);

/** `detail` is what people are told in English; undefined where it is put together when it happens. */
export type CodeUse = { code: string; at: string; detail?: string | undefined };

/** The codes of a file; where one is not a literal, `at` says so in `open`. */
function codesOf(path: string): { codes: CodeUse[]; open: string[] } {
  const file = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true);
  const codes: CodeUse[] = [];
  const open: string[] = [];
  const take = (node: ts.Expression | undefined, call: ts.Node, told?: ts.Expression): void => {
    const { line } = file.getLineAndCharacterOfPosition(call.getStart());
    const at = `${path}:${line + 1}`;
    const detail = told && ts.isStringLiteralLike(told) ? told.text : undefined;
    if (node && ts.isStringLiteral(node)) codes.push({ code: node.text, at, detail });
    else if (node && ts.isConditionalExpression(node)) {
      take(node.whenTrue, call, told);
      take(node.whenFalse, call, told);
    } else open.push(at);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && FACTORIES.has(node.expression.getText()))
      take(node.arguments[0], node, node.arguments[1]);
    if (ts.isCallExpression(node) && node.expression.getText() === 'tooManyRequests' && node.arguments[2])
      take(node.arguments[2], node, node.arguments[0]);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword && isAppError(node))
      take(node.arguments[1], node, node.arguments[2]);
    if (ts.isNewExpression(node) && node.expression.getText() === 'AppError')
      take(node.arguments?.[1], node, node.arguments?.[2]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  // What no factory makes: the answer to an error that nobody expected, or of a backing service that is away.
  for (const [, code] of textOf(path).matchAll(/^const \w+: WireBody = \{[^}]*?code: '(\w+)'/gms))
    if (code) codes.push({ code, at: path });
  // What is written down once, for as many as are turned away.
  for (const [, code] of textOf(path).matchAll(/JSON\.stringify\(\{ detail, code: '(\w+)' \}\)/g))
    if (code) codes.push({ code, at: path });
  return { codes, open };
}

/** Is this call of `super` in a class that extends AppError? */
function isAppError(call: ts.CallExpression): boolean {
  const parent = ts.findAncestor(call, ts.isClassDeclaration);
  return parent?.heritageClauses?.some(({ types }) => types[0]?.expression.getText() === 'AppError') === true;
}

/** Every code of the product, and the places whose code is not readable in the source. */
export function errorCodes(): { codes: CodeUse[]; open: string[] } {
  const files = sourceFiles('services/*/src/*.ts', 'libs/platform/src/*.ts', 'gateway/src/*.ts').filter(
    (path) => !/\.test\.ts$/.test(path),
  );
  const found = files.map(codesOf);
  return { codes: found.flatMap((each) => each.codes), open: found.flatMap((each) => each.open) };
}
