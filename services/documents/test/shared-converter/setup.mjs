/** Starts the converter that all test files of documents use; one that kills its converter starts its own. */
import { startTestConverter } from '@karaar/testing/servers/converter';

export default async function setup() {
  globalThis.documentsConverter = await startTestConverter();
  // Jest's workers are forked later and inherit it.
  process.env.TEST_CONVERTER_URL = globalThis.documentsConverter.url;
}
