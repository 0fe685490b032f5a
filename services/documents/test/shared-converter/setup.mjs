/** Starts the converter that all test files of documents share; tests that kill a converter start their own. */
import { startTestConverter } from '@karaar/testing/servers/converter';

export default async function setup() {
  globalThis.documentsConverter = await startTestConverter();
  // Jest forks its workers later, and they inherit the variable.
  process.env.TEST_CONVERTER_URL = globalThis.documentsConverter.url;
}
