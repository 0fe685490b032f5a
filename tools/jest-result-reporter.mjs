import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Leaves `test-results.json` in a project's folder: per test file its path, its counts and the first line of each
 * error. `npm test` adds them up, also of projects whose result came from the Nx cache.
 */
export default class ResultReporter {
  constructor(globalConfig) {
    this.rootDir = globalConfig.rootDir;
  }

  onRunComplete(_contexts, results) {
    const files = results.testResults.map((file) => fileResult(this.rootDir, file));
    writeFileSync(join(this.rootDir, 'test-results.json'), `${JSON.stringify({ files })}\n`);
  }
}

function fileResult(rootDir, result) {
  const failures = result.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ test: fullName, error: summary(failureMessages[0]) }));
  // The file could not be loaded, or its process crashed: that is one failure.
  if (result.testExecError !== undefined && result.testExecError !== null)
    failures.push({
      test: '(the file itself)',
      error: summary(result.testExecError.message ?? result.failureMessage),
    });
  const path = relative(rootDir, result.testFilePath);
  return { path, passed: result.numPassingTests, failures };
}

/** First lines of a message, without colours. */
function summary(message = 'no message') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '));
  return lines.slice(0, 8).join(' | ').slice(0, 300);
}
