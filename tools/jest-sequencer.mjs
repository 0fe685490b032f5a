import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/**
 * Seconds of the test files that take longest, by the end of their paths. Jest knows them by itself only where it ran
 * before; in a new clone it begins with the files that are longest to read, and one of these would be what all wait for.
 */
const seconds = Object.entries(
  JSON.parse(readFileSync(new URL('./long-tests.json', import.meta.url), 'utf8')),
);

/** Begins with the longest of them, so that none is alone at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const known = ({ path }) => seconds.find(([end]) => path.endsWith(end))?.[1] ?? 0;
    return super.sort(tests).toSorted((a, b) => known(b) - known(a));
  }
}
