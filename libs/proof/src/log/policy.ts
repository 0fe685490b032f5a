/**
 * C2SP tlog-policy: the trusted logs, their witnesses, and how many of these must cosign a checkpoint. A
 * verifier gets such a file once, and needs nothing else from the log's operator.
 */
import { equal } from '../bytes.ts';
import {
  ALGORITHM,
  formatKey,
  parseCheckpoint,
  parseKey,
  parseNote,
  verifyCosignature,
  verifyNote,
  type Checkpoint,
  type CosignatureCheck,
  type Note,
  type NoteKey,
} from './note.ts';

/** A key, and its owner's address if it is needed. */
export type Known = { key: NoteKey; url?: string };

export type Policy = {
  logs: readonly Known[];
  witnesses: ReadonlyMap<string, Known>;
  /** Members are witnesses or groups defined before. */
  groups: ReadonlyMap<string, { threshold: number; members: readonly string[] }>;
  quorum: string;
};

const NONE = 'none';

/**
 * Parses a policy file.
 * @throws RangeError with the line number for anything else
 */
export function parsePolicy(text: string): Policy {
  // eslint-disable-next-line no-control-regex -- control characters are what a policy must not hold
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) throw new RangeError('a policy with control characters');
  if (!text.endsWith('\n')) throw new RangeError('a policy whose last line does not end');
  const reader = new PolicyReader();
  for (const [i, line] of text.slice(0, -1).split('\n').entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    if (words.length === 0 || words[0]?.startsWith('#')) continue;
    try {
      reader.take(words);
    } catch (error) {
      if (error instanceof RangeError)
        throw new RangeError(`line ${i + 1}: ${error.message}`, { cause: error });
      throw error;
    }
  }
  return reader.policy();
}

class PolicyReader {
  readonly #logs: Known[] = [];
  readonly #witnesses = new Map<string, Known>();
  readonly #groups = new Map<string, { threshold: number; members: readonly string[] }>();
  readonly #members = new Set<string>();
  #quorum: string | undefined;

  take([kind = '', ...words]: readonly string[]): void {
    if (kind === 'log') this.#log(words);
    else if (kind === 'witness') this.#witness(words);
    else if (kind === 'group') this.#group(words);
    else if (kind === 'quorum') this.#setQuorum(words);
    else throw new RangeError('an unknown line');
  }

  policy(): Policy {
    if (this.#quorum === undefined) throw new RangeError('a policy without a quorum');
    return {
      logs: this.#logs,
      witnesses: this.#witnesses,
      groups: this.#groups,
      quorum: this.#quorum,
    };
  }

  #log([key = '', url, ...more]: readonly string[]): void {
    const known = knownOf(key, url, more);
    if (known.key.algorithm !== ALGORITHM.ed25519) throw new RangeError('not the key of a log');
    if (this.#logs.some((one) => equal(one.key.publicKey, known.key.publicKey)))
      throw new RangeError('a log twice');
    this.#logs.push(known);
  }

  #witness([name = '', key = '', url, ...more]: readonly string[]): void {
    const known = knownOf(key, url, more);
    if (known.key.algorithm === ALGORITHM.ed25519) throw new RangeError('not the key of a witness');
    if ([...this.#witnesses.values()].some((one) => equal(one.key.publicKey, known.key.publicKey)))
      throw new RangeError('a witness twice');
    this.#witnesses.set(this.#fresh(name), known);
  }

  #group([name = '', count = '', ...members]: readonly string[]): void {
    if (members.length === 0) throw new RangeError('a group without members');
    for (const member of members) {
      if (!this.#isDefined(member)) throw new RangeError(`${member} is not defined before`);
      if (this.#members.has(member)) throw new RangeError(`${member} is a member twice`);
      this.#members.add(member);
    }
    const threshold =
      count === 'any'
        ? 1
        : count === 'all'
          ? members.length
          : /^[1-9]\d{0,5}$/.test(count)
            ? Number(count)
            : 0;
    if (threshold < 1 || threshold > members.length) throw new RangeError('not a number of members');
    this.#groups.set(this.#fresh(name), { threshold, members });
  }

  #setQuorum([name = '', ...more]: readonly string[]): void {
    if (this.#quorum !== undefined || more.length > 0) throw new RangeError('not exactly one quorum');
    if (name !== NONE && !this.#isDefined(name)) throw new RangeError(`${name} is not defined before`);
    this.#quorum = name;
  }

  #isDefined(name: string): boolean {
    return this.#witnesses.has(name) || this.#groups.has(name);
  }

  #fresh(name: string): string {
    if (name === '' || name === NONE || this.#isDefined(name)) throw new RangeError('not a name of its own');
    return name;
  }
}

function knownOf(key: string, url: string | undefined, more: readonly string[]): Known {
  if (more.length > 0) throw new RangeError('more than a key and an address');
  return url === undefined ? { key: parseKey(key) } : { key: parseKey(key), url };
}

/**
 * Returns the policy that a log publishes: `quorum` of these witnesses must cosign. A witness with several
 * keys counts if one of them signed; to require all keys, replace `any` with `all`.
 * @param quorum 0 for a log without witnesses
 */
export function writePolicy(given: {
  log: Known;
  witnesses: readonly { keys: readonly NoteKey[] }[];
  quorum: number;
}): string {
  const lines = [`log ${formatKey(given.log.key)}${given.log.url ? ` ${given.log.url}` : ''}`];
  const names = given.witnesses.map(({ keys }) => {
    const [first, ...others] = keys;
    if (!first) throw new RangeError('a witness without a key');
    const { name } = first;
    if (others.length === 0) lines.push(`witness ${name} ${formatKey(first)}`);
    else {
      const own = keys.map((key) => `${name}:${KEY_WORD[key.algorithm]}`);
      keys.forEach((key, i) => lines.push(`witness ${own[i]} ${formatKey(key)}`));
      lines.push(`group ${name} any ${own.join(' ')}`);
    }
    return name;
  });
  if (given.quorum > 0) lines.push(`group witnesses ${given.quorum} ${names.join(' ')}`);
  lines.push(`quorum ${given.quorum > 0 ? 'witnesses' : NONE}`, '');
  return lines.join('\n');
}

const KEY_WORD = {
  [ALGORITHM.ed25519]: 'log',
  [ALGORITHM.cosignatureV1]: 'ed25519',
  [ALGORITHM.mlDsa44]: 'ml-dsa-44',
} as const;

export type PolicyFinding = {
  /** The log of the policy that signed; undefined if none did. */
  log: Known | undefined;
  checkpoint: Checkpoint;
  note: Note;
  /** Witnesses that cosigned, by their names in the policy; time in seconds. */
  cosigned: readonly { name: string; time: number }[];
  /** True if a log of the policy signed and the quorum cosigned. */
  confirmed: boolean;
};

/**
 * Checks a signed checkpoint against a policy.
 * @param check verifies cosignatures; ML-DSA-44 needs `verifyAnyCosignature` of `ml-dsa.ts`
 * @throws RangeError for a text that is not a signed checkpoint
 */
export function checkCheckpoint(
  text: string,
  policy: Policy,
  check: CosignatureCheck = verifyCosignature,
): PolicyFinding {
  const note = parseNote(text);
  const checkpoint = parseCheckpoint(note.body);
  const log = policy.logs.find(({ key }) => key.name === checkpoint.origin && verifyNote(note, key));
  const cosigned = [...policy.witnesses].flatMap(([name, { key }]) => {
    const time = check(note, key);
    return time === undefined ? [] : [{ name, time }];
  });
  const names = new Set(cosigned.map(({ name }) => name));
  return { log, checkpoint, note, cosigned, confirmed: log !== undefined && hasQuorum(policy, names) };
}

/** Returns true if these witnesses, by their names in the policy, reach its quorum. */
export function hasQuorum({ groups, quorum }: Policy, cosigned: ReadonlySet<string>): boolean {
  const has = (name: string): boolean => {
    const group = groups.get(name);
    return group ? group.members.filter(has).length >= group.threshold : cosigned.has(name);
  };
  return quorum === NONE || has(quorum);
}
