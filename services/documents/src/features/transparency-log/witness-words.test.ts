import { ALGORITHM, noteKey } from '@karaar/proof/log/note';
import { LogBroken } from './log.errors.ts';
import { quorumOf } from './log-identity.ts';
import { WitnessWords } from './witness-words.ts';
import type { Witness } from '../../context.ts';

const witness = (name: string): Witness => ({
  key: noteKey(name, ALGORITHM.cosignatureV1, new Uint8Array(32)),
  url: 'http://127.0.0.1:9',
});
const [a, b, c] = [witness('a'), witness('b'), witness('c')];

describe('the quorum', () => {
  it('is the smallest majority by default', () => {
    expect([[], [a], [a, b], [a, b, c]].map((some) => quorumOf(some))).toEqual([0, 1, 2, 2]);
    expect(quorumOf([a, b, c], 3)).toBe(3);
  });

  it('must be a majority of the witnesses, each counted once', () => {
    for (const [some, wanted] of [
      [[a, b, c], 1],
      [[a, b], 1],
      [[a], 2],
      [[], 1],
    ] as const)
      expect(() => quorumOf(some, wanted)).toThrow(RangeError);
    expect(() => quorumOf([a, a, b])).toThrow(RangeError);
  });
});

describe('a log with three witnesses', () => {
  const words = () => new WitnessWords(['a', 'b', 'c'], 2);

  it('waits until two agree, but not for the third', () => {
    const heard = words();
    expect(heard.awaitsQuorum()).toBe(true);
    heard.agrees('a', 'now');
    expect(heard.awaitsQuorum()).toBe(true);
    heard.agrees('b', 'now');
    expect(heard.awaitsQuorum()).toBe(false);
  });

  it('continues while one refuses, and halts when two do', () => {
    const heard = words();
    heard.refuses('c', 'c knows more');
    expect(heard.awaitsQuorum()).toBe(true);
    heard.agrees('a', 'now');
    heard.agrees('b', 'now');
    expect(heard.awaitsQuorum()).toBe(false);
    heard.refuses('b', 'b knows more');
    expect(() => heard.awaitsQuorum()).toThrow(LogBroken);
    expect(() => heard.awaitsQuorum()).toThrow('c knows more; b knows more');
  });

  it('waits for two again after it has forgotten their answers', () => {
    const heard = words();
    heard.agrees('a', 'now');
    heard.agrees('b', 'now');
    heard.forget();
    expect(heard.awaitsQuorum()).toBe(true);
  });
});

it('a log without witnesses does not wait', () => {
  expect(new WitnessWords([], 0).awaitsQuorum()).toBe(false);
});

it('a log with one witness halts when it refuses', () => {
  const heard = new WitnessWords(['a'], 1);
  heard.refuses('a', 'a knows more');
  expect(() => heard.awaitsQuorum()).toThrow(LogBroken);
});
