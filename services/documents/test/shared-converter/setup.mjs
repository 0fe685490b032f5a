/** Starts the converter that all test files of documents share; tests that kill a converter start their own. */
import { startTestConverter } from '@karaar/testing/servers/converter';
import { rememberUploads } from './remember-uploads.mjs';

export default async function setup() {
  const converter = await startTestConverter();
  const remembering = await rememberUploads(converter.url);
  globalThis.documentsConverter = { stop: () => Promise.all([remembering.stop(), converter.stop()]) };
  // Jest forks its workers later, and they inherit the variable.
  process.env.TEST_CONVERTER_URL = remembering.url;
}
