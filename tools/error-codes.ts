/**
 * Finds the error codes that services and the gateway send: the `code` of `{ detail, code }`
 * (libs/base/src/errors).
 */
import ts from 'typescript';
import { sourceFiles, textOf } from './testing/source-files.ts';

/** Factories in libs/base/src/errors whose first argument is the code. */
const FACTORIES = new Set([
  ...['badRequest', 'unauthorized', 'forbidden', 'notFound', 'conflict'],
  ...['unprocessable', 'unavailable', 'payloadTooLarge', 'unsupportedMedia'],
]);

/** `detail` is the English text for users, or undefined if it is composed at run time. */
export type CodeUse = { code: string; at: string; detail?: string | undefined };

/** Returns the codes of a file; `open` has the places whose code is not a literal. */
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
  // Responses to unexpected errors and unavailable backing services, which no factory makes.
  for (const [, code] of textOf(path).matchAll(/^const \w+: WireBody = \{[^}]*?code: '(\w+)'/gms))
    if (code) codes.push({ code, at: path });
  // Responses that are serialised once, for rate limits.
  for (const [, code] of textOf(path).matchAll(/JSON\.stringify\(\{ detail, code: '(\w+)' \}\)/g))
    if (code) codes.push({ code, at: path });
  return { codes, open };
}

/** Returns true if this `super` call is in a class that extends AppError. */
function isAppError(call: ts.CallExpression): boolean {
  const parent = ts.findAncestor(call, ts.isClassDeclaration);
  return parent?.heritageClauses?.some(({ types }) => types[0]?.expression.getText() === 'AppError') === true;
}

/** Returns every code of the product, and the places whose code is not a literal. */
export function errorCodes(): { codes: CodeUse[]; open: string[] } {
  const files = sourceFiles(
    'services/*/src/*.ts',
    'libs/base/src/*.ts',
    'libs/bus/src/*.ts',
    'libs/db/src/*.ts',
    'libs/http/src/*.ts',
    'libs/observability/src/*.ts',
    'libs/service/src/*.ts',
    'libs/sms/src/*.ts',
    'libs/storage/src/*.ts',
    'gateway/src/*.ts',
  ).filter((path) => !/\.test\.ts$/.test(path));
  const found = files.map(codesOf);
  return { codes: found.flatMap((each) => each.codes), open: found.flatMap((each) => each.open) };
}
