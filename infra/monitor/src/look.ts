import { equal, toBase64 } from '@karaar/proof/bytes';
import { readKeyEntry, type TaggedKeyChange } from '@karaar/proof/approval/key-entry';
import { NotThere, Rewritten, type LogReader } from '@karaar/proof/log/log-reader';
import { verifyAnyCosignature } from '@karaar/proof/log/ml-dsa';
import { checkCheckpoint, type Policy, type PolicyFinding } from '@karaar/proof/log/policy';
import { subtreesOf } from '@karaar/proof/log/merkle';
import { rootOf } from '@karaar/proof/log/tiles';
import { alertOf, Found, type Alert } from './alerts.ts';
import { requireOneHistory, type Signed } from './history.ts';
import type { State } from './state.ts';

/** A source of checkpoints that others saw: a witness, another monitor, another network. */
export type View = { name: string; read: () => Promise<string> };

export type Watch = {
  reader: LogReader;
  policy: Policy;
  views: readonly View[];
  /** Tags of users and hashes of keys, in lower-case hex. Changes of these keys are reported. */
  interest: ReadonlySet<string>;
  auditMs: number;
};

type KeyChangeAt = TaggedKeyChange & { index: number };

export type Look = { state: State; alerts: readonly Alert[] };

/**
 * Checks a log and its views; never throws because of them. After a fault, the last verified tree is kept.
 */
export async function look(watch: Watch, before: State): Promise<Look> {
  const alerts: Alert[] = [];
  let state = before;
  try {
    state = await advance(watch, before, alerts);
  } catch (error) {
    alerts.push(alertFor(error, 'the log'));
  }
  for (const view of watch.views) {
    try {
      await compare(watch, state, view);
    } catch (error) {
      alerts.push(alertFor(error, view.name));
    }
  }
  return { state, alerts };
}

function alertFor(error: unknown, who: string): Alert {
  if (error instanceof Found) return error.alert;
  if (error instanceof Rewritten) return alertOf('rewritten', error.message);
  if (error instanceof NotThere) return alertOf('withheld', `${who}: ${error.message}`);
  if (error instanceof RangeError)
    return alertOf('unreachable', `${who} answers what is in no form of a log`);
  const cause = error instanceof Error ? error.message : String(error);
  return alertOf('unreachable', `${who} could not be read: ${cause}`);
}

async function advance(watch: Watch, before: State, alerts: Alert[]): Promise<State> {
  const { reader, policy, interest } = watch;
  const text = await noteOf(() => reader.checkpoint());
  const found = checkCheckpoint(text, policy, verifyAnyCosignature);
  const head = signedBy(found, text, 'the log');
  if (!equal(await rootOf(reader.tiles(head.size), head.size), head.root))
    throw new Found('rewritten', `the log's tiles are not those of the tree that it signed at ${head.size}`, [
      text,
    ]);
  // Before the cosignatures: a rewritten history is a fault with or without them.
  if (before.size > 0) await requireOneHistory(reader, lastOf(before), head);
  if (!found.confirmed)
    throw new Found(
      'unconfirmed',
      `too few witnesses have cosigned ${head.size} entries: ${cosignersOf(found)}`,
    );
  if (head.size < before.size)
    throw new Found('behind', `the log shows ${head.size} entries, and has shown ${before.size}`);
  const begun = subtreesOf(before.size, before.subtrees);
  const changes: KeyChangeAt[] = [];
  const read = await reader.entries({ from: before.size, size: head.size, begun }, (entry, index) => {
    const change = readKeyEntry(entry);
    if (change) changes.push({ ...change, index });
  });
  if (!equal(read.root, head.root))
    throw new Found('rewritten', `the entries do not give the root that was signed at ${head.size}`, [text]);
  alerts.push(...changes.filter((change) => isOfInterest(change, interest)).map(alertOfChange));
  const state: State = {
    ...before,
    size: head.size,
    root: toBase64(head.root),
    checkpoint: text,
    subtrees: read.subtrees.map(({ hash }) => toBase64(hash)),
  };
  if (Date.now() - Date.parse(before.audited_at) < watch.auditMs) return state;
  await audit(reader, head);
  return { ...state, audited_at: new Date().toISOString() };
}

/** Reads every entry again, to find one that was rewritten while the tiles were kept. */
async function audit(reader: LogReader, head: Signed): Promise<void> {
  const { root } = await reader.entries({ size: head.size });
  if (!equal(root, head.root))
    throw new Found('rewritten', `the entries no longer give the root that was signed at ${head.size}`, [
      head.text,
    ]);
}

async function compare({ reader, policy }: Watch, state: State, view: View): Promise<void> {
  const text = await noteOf(view.read);
  let found: PolicyFinding;
  try {
    found = checkCheckpoint(text, policy, verifyAnyCosignature);
  } catch (error) {
    if (error instanceof RangeError) throw new Found('foreign-view', `${view.name} gives no checkpoint`);
    throw error;
  }
  if (!found.log) throw new Found('foreign-view', `${view.name} gives a checkpoint of another log`);
  if (state.size > 0) await requireOneHistory(reader, lastOf(state), signedBy(found, text, view.name));
}

/** Reads a checkpoint. A missing one is an Error and not a fault, because the log has not promised it. */
async function noteOf(read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotThere) throw new Error(error.message, { cause: error });
    throw error;
  }
}

/** @throws Found if no log of the policy has signed the checkpoint */
function signedBy({ log, checkpoint }: PolicyFinding, text: string, from: string): Signed {
  if (!log)
    throw new Found('other-key', `${from} shows a checkpoint that the policy's log has not signed`, [text]);
  return { from, size: checkpoint.size, root: checkpoint.root, text };
}

const lastOf = ({ size, root, checkpoint }: State): Signed => ({
  from: 'what was seen before',
  size,
  root: Buffer.from(root, 'base64'),
  text: checkpoint,
});

const cosignersOf = ({ cosigned }: PolicyFinding): string =>
  cosigned.length === 0 ? 'none' : cosigned.map(({ name }) => name).join(', ');

const isOfInterest = ({ tag, keySha256 }: KeyChangeAt, interest: ReadonlySet<string>): boolean =>
  interest.has(tag) || interest.has(keySha256);

const alertOfChange = ({ action, tag, keySha256, at, index }: KeyChangeAt): Alert =>
  alertOf('key-of-interest', `entry ${index}: key ${keySha256} of ${tag} was ${action} at ${at}`);
