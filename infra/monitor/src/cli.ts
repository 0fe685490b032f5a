/** `karaar-monitor`: follows a log, prints the last checkpoint, and verifies the proof of a document. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { checkDocumentProof } from '@karaar/proof/document-proof';
import { userTag } from '@karaar/proof/approval/key-entry';
import { httpLog, readText } from '@karaar/proof/log/log-reader';
import { verifyAnyCosignature } from '@karaar/proof/log/ml-dsa';
import { parsePolicy, type Policy } from '@karaar/proof/log/policy';
import { EXIT, follow } from './follow.ts';
import type { View } from './look.ts';

export type Output = { out: (line: string) => void; err: (line: string) => void };

export const USAGE = `karaar-monitor follow --policy FILE --state FILE [--log URL] [--once] [--every SECONDS]
               [--audit-every SECONDS] [--view URL|FILE]... [--user ID]... [--key SHA256]...
  Reads the log and tells when it shows two histories, rewrites an entry or hides one, and when a key of
  interest is added or removed. Each finding is one line of JSON.
karaar-monitor checkpoint --state FILE
  Prints the last checkpoint that was verified, for other monitors (--view).
karaar-monitor verify --policy FILE DOCUMENT PROOF
  Does the proof (.tlog-proof) hold for the document?
Exit: 0 nothing found, 1 wrong use or proof does not hold, 2 the log is at fault, 3 a key of interest (--once),
      4 the log could not be read or verified to its end (--once).`;

class Usage extends Error {
  override name = 'Usage';
}

export async function run(args: readonly string[], output: Output): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === 'follow') return await followLog(rest, output);
    if (command === 'checkpoint') return await showCheckpoint(rest, output);
    if (command === 'verify') return await verifyProof(rest, output);
    if (command === '--help') {
      output.out(USAGE);
      return EXIT.clean;
    }
    throw new Usage(command === undefined ? 'no command' : `no command ${command}`);
  } catch (error) {
    const isUse =
      error instanceof Usage || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
    output.err(error instanceof Error ? error.message : String(error));
    if (isUse) output.err(USAGE);
    return EXIT.failed;
  }
}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;

async function followLog(args: readonly string[], { out }: Output): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      policy: text,
      state: text,
      log: text,
      once: { type: 'boolean' },
      every: text,
      'audit-every': text,
      view: texts,
      user: texts,
      key: texts,
    },
  });
  const policy = await readPolicy(values.policy);
  const [log, ...more] = policy.logs;
  if (!log || more.length > 0) throw new Usage('the policy must name exactly one log');
  const url = values.log ?? log.url;
  if (!url) throw new Usage('--log, where the policy does not say where its log is read');
  const keys = (values.key ?? []).map((key) => {
    if (!/^[0-9a-f]{64}$/.test(key)) throw new Usage('--key is a SHA-256 in lower-case hex');
    return key;
  });
  return follow({
    watch: {
      reader: httpLog(url),
      policy,
      views: [...witnessViews(policy), ...(values.view ?? []).map(viewOf)],
      interest: new Set([...keys, ...(values.user ?? []).map(userTag)]),
      auditMs: seconds(values['audit-every'], 86_400) * 1_000,
    },
    log: log.key,
    statePath: required(values.state, '--state'),
    everyMs: seconds(values.every, 60) * 1_000,
    once: values.once ?? false,
    tell: (alert) => out(JSON.stringify(alert)),
  });
}

/** Returns the newest checkpoint of each witness whose URL the policy names. */
const witnessViews = (policy: Policy): View[] => {
  const urls = new Set([...policy.witnesses.values()].flatMap(({ url }) => (url === undefined ? [] : [url])));
  return [...urls].map((url) => viewOf(`${url.replace(/\/$/, '')}/checkpoint`));
};

const viewOf = (place: string): View => ({
  name: place,
  read: () => (/^https?:\/\//.test(place) ? readText(place) : readFile(place, 'utf8')),
});

async function showCheckpoint(args: readonly string[], { out }: Output): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { state: text } });
  const state = JSON.parse(await readFile(required(values.state, '--state'), 'utf8')) as {
    checkpoint: string;
  };
  if (state.checkpoint === '') throw new Error('nothing is verified yet');
  out(state.checkpoint.replace(/\n$/, ''));
  return EXIT.clean;
}

async function verifyProof(args: readonly string[], { out }: Output): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { policy: text },
    allowPositionals: true,
  });
  const [document, proof, ...more] = positionals;
  if (document === undefined || proof === undefined || more.length > 0)
    throw new Usage('a document and its proof');
  const hash = createHash('sha256');
  await pipeline(createReadStream(document), hash);
  const found = checkDocumentProof(
    await readFile(proof, 'utf8'),
    new Uint8Array(hash.digest()),
    await readPolicy(values.policy),
    verifyAnyCosignature,
  );
  out(JSON.stringify(found));
  return found.ok ? EXIT.clean : EXIT.failed;
}

const readPolicy = async (path: string | undefined): Promise<Policy> =>
  parsePolicy(await readFile(required(path, '--policy'), 'utf8'));

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new Usage(`${name} is missing`);
  return value;
}

function seconds(value: string | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  if (!/^\d{1,8}$/.test(value)) throw new Usage('a number of seconds');
  return Number(value);
}
