import { hasQuorum, checkCheckpoint, parsePolicy, writePolicy } from './policy.ts';
import { formatKey } from './note.ts';
import { parties } from '../testing/small-tlog.ts';

const { log, witnesses, checkpoint } = parties('log.example/a', ['w1.example', 'w2.example', 'w3.example']);
const [w1, w2, w3] = witnesses;
if (!w1 || !w2 || !w3) throw new Error('expected three witnesses');
const lines = witnesses.map(({ ed25519 }, i) => `witness W${i + 1} ${formatKey(ed25519.key)}\n`).join('');
const policyOf = (rest: string) => parsePolicy(`log ${formatKey(log.key)}\n${lines}${rest}`);

describe('a policy file', () => {
  it("is parsed in C2SP's format: comments, blanks, tabs, addresses, nested groups", () => {
    const policy = parsePolicy(
      [
        '# a policy',
        `\tlog ${formatKey(log.key)} https://log.example/a`,
        '',
        `witness X ${formatKey(w1.ed25519.key)}`,
        `witness  Y\t${formatKey(w2.mlDsa.key)} https://w2.example`,
        `witness Z ${formatKey(w3.ed25519.key)}  `,
        'group XY all X Y',
        '  # Z stands for itself',
        'group either any XY Z',
        'quorum either',
        '',
      ].join('\n'),
    );
    expect(policy.logs[0]?.url).toBe('https://log.example/a');
    expect(policy.witnesses.get('Y')?.url).toBe('https://w2.example');
    expect(hasQuorum(policy, new Set(['X']))).toBe(false);
    expect(hasQuorum(policy, new Set(['X', 'Y']))).toBe(true);
    expect(hasQuorum(policy, new Set(['Z']))).toBe(true);
    expect(hasQuorum(policy, new Set(['another']))).toBe(false);
  });

  it('of two in three needs any two', () => {
    const policy = policyOf('group g 2 W1 W2 W3\nquorum g\n');
    for (const names of [
      ['W1', 'W2'],
      ['W1', 'W3'],
      ['W2', 'W3'],
      ['W1', 'W2', 'W3'],
    ])
      expect(hasQuorum(policy, new Set(names))).toBe(true);
    for (const names of [[], ['W1'], ['W2'], ['W3']]) expect(hasQuorum(policy, new Set(names))).toBe(false);
  });

  it.each([
    ['no quorum', ''],
    ['two quorums', 'quorum W1\nquorum W2\n'],
    ['a quorum of nobody that is known', 'quorum W4\n'],
    ['a quorum before its group', 'quorum g\ngroup g any W1\n'],
    ['a member that comes later', 'group g any h\ngroup h any W1\nquorum g\n'],
    ['a member twice', 'group g any W1 W1\nquorum g\n'],
    ['a member of two groups', 'group g any W1\ngroup h any W1\nquorum g\n'],
    ['more than there are', 'group g 3 W1 W2\nquorum g\n'],
    ['none of them', 'group g 0 W1 W2\nquorum g\n'],
    ['a number with a zero before it', 'group g 02 W1 W2\nquorum g\n'],
    ['a group of nobody', 'group g any\nquorum W1\n'],
    ['a name twice', 'group W1 any W2\nquorum W1\n'],
    ['the name of nobody', 'group none any W1\nquorum none\n'],
    ['a key twice', `witness W4 ${formatKey(w1.ed25519.key)}\nquorum W1\n`],
    ['a key of a log as a witness', `witness W4 ${formatKey(log.key)}\nquorum W1\n`],
    ['a key of a witness as a log', `log ${formatKey(w1.ed25519.key)}\nquorum W1\n`],
    ['another word', 'quorums W1\nquorum W1\n'],
    ['a carriage return', 'quorum W1\r\n'],
    ['a last line without an end', 'quorum W1'],
  ])('with %s is refused', (_, rest) => {
    expect(() => policyOf(rest)).toThrow(RangeError);
  });
});

describe('a checkpoint', () => {
  const policy = policyOf('group g 2 W1 W2 W3\nquorum g\n');

  it('is confirmed by a log of the policy with its quorum', () => {
    const found = checkCheckpoint(checkpoint([w1.ed25519, w3.ed25519]), policy);
    expect(found.cosigned.map(({ name }) => name)).toEqual(['W1', 'W3']);
    expect(found).toMatchObject({ confirmed: true, checkpoint: { size: 1 } });
  });

  it('is not confirmed by one witness that signs twice, or by another log', () => {
    expect(checkCheckpoint(checkpoint([w1.ed25519, w1.ed25519]), policy).confirmed).toBe(false);
    const other = parties('log.example/a', []);
    const theirs = parsePolicy(`log ${formatKey(other.log.key)}\n${lines}group g 2 W1 W2 W3\nquorum g\n`);
    const found = checkCheckpoint(checkpoint([w1.ed25519, w2.ed25519]), theirs);
    expect(found).toMatchObject({ confirmed: false, log: undefined });
    expect(found.cosigned).toHaveLength(2);
  });
});

it('a log publishes a policy that it can parse, with one or two keys per witness', () => {
  const text = writePolicy({
    log: { key: log.key, url: 'https://log.example/a' },
    witnesses: [
      { keys: [w1.ed25519.key] },
      { keys: [w2.ed25519.key, w2.mlDsa.key] },
      { keys: [w3.ed25519.key] },
    ],
    quorum: 2,
  });
  const policy = parsePolicy(text);
  expect([...policy.witnesses.keys()]).toEqual([
    'w1.example',
    'w2.example:ed25519',
    'w2.example:ml-dsa-44',
    'w3.example',
  ]);
  // Two keys of one witness count as one witness.
  expect(hasQuorum(policy, new Set(['w2.example:ed25519', 'w2.example:ml-dsa-44']))).toBe(false);
  expect(hasQuorum(policy, new Set(['w2.example:ml-dsa-44', 'w3.example']))).toBe(true);
  expect(parsePolicy(writePolicy({ log, witnesses: [], quorum: 0 })).quorum).toBe('none');
});
