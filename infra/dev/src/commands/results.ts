import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Stage } from './levels.ts';

export interface FileResult {
  path: string;
  browser?: Stage['browser'];
  passed: number;
  seconds: number;
  failures: { test: string; error: string }[];
}

/** The fields that we read from the output of `jest --json`. */
interface JestResults {
  testResults: {
    name: string;
    status: string;
    message: string;
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Reads the file that `jest --json --outputFile` wrote; undefined if the run ended before it was written. */
export function readResults(file: string, root: string): FileResult[] | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const { testResults } = JSON.parse(text) as JestResults;
  return testResults.map(({ name, status, message, startTime, endTime, assertionResults }) => {
    const failures = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({ test: test.fullName, error: summary(test.failureMessages[0] ?? '') }));
    if (status === 'failed' && failures.length === 0)
      failures.push({ test: '(the file itself)', error: summary(message) });
    return {
      path: relative(root, name),
      passed: assertionResults.filter((test) => test.status === 'passed').length,
      seconds: (endTime - startTime) / 1000,
      failures,
    };
  });
}

/** Returns the first lines of a message, without colours and stack. */
function summary(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '));
  return lines.slice(0, 8).join(' | ').slice(0, 300);
}
