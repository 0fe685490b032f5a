import { compileMessage } from '@lingui/message-utils/compileMessage';

/**
 * Webpack loader for a feature's texts (`texts/<language>.json`): compiles each ICU message to plain data for
 * the browser's runtime, so that no message parser is in a bundle.
 */
export default function textsLoader(source) {
  const compiled = Object.entries(JSON.parse(source)).map(([key, message]) => [key, compileMessage(message)]);
  // As JSON text: engines parse it much faster than the same code.
  const json = JSON.stringify(JSON.stringify(Object.fromEntries(compiled)));
  return `export default JSON.parse(${json});`;
}
