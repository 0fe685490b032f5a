import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Leaves `test-results.json` beside a project's package.json, so that `npm test` can add up the
 * counts of all projects, also of those whose result came from the Nx cache.
 */
export default class ResultReporter {
  constructor(globalConfig) {
    this.rootDir = globalConfig.rootDir;
  }

  onRunComplete(_contexts, results) {
    const failedSuites = results.numRuntimeErrorTestSuites;
    const summary = { passed: results.numPassedTests, failed: results.numFailedTests + failedSuites };
    writeFileSync(join(this.rootDir, 'test-results.json'), `${JSON.stringify(summary)}\n`);
  }
}
