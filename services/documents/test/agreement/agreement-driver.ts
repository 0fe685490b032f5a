/** Sends commands to the service over HTTP and reads the resulting document. */
import { contentHash, type ApprovalStatement } from '@karaar/proof/approval/approval';
import fc from 'fast-check';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import type { Context } from '../../src/context.ts';
import { approvalsOf } from '../../src/features/agreements/approvals/approvals.repository.ts';
import type { PageCounts } from '@karaar/rendering';
import {
  involved,
  NEW,
  OWNER,
  statusOf,
  step,
  type Actor,
  type Command,
  type Model,
} from './agreement-model.ts';
import { textPdf, verificationForm, type Api } from '../api.ts';

const actor = fc.constantFrom<Actor>(0, 1, 2, 3);
const target = fc.constantFrom<Actor>(1, 2, 3, 0);

/** A random command of a random user; commands that lead to further states are more frequent. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('invite' as const), actor: fc.constant<Actor>(0), target }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('accept' as const, 'reject' as const), actor }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('approve-user' as const, 'remove' as const),
      actor: fc.constant<Actor>(0),
      target,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('join' as const, 'self-verify' as const, 'approve' as const, 'finalize' as const),
      actor,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('approve' as const, 'only-verify' as const, 'withdraw' as const),
      actor,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant('approve-unread' as const), actor }),
      fc
        .record({ do: fc.constant('approve-for' as const), actor, target })
        .filter((each) => each.actor !== each.target),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), actor }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('approve' as const, 'finalize' as const),
      actor: fc.constant<Actor>(0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('invite' as const, 'approve-user' as const, 'remove' as const),
      actor,
      target,
    }),
  },
);

export type Play = { api: Api; users: readonly WorldUser[]; id: string; code: string };

export async function begin(api: Api, users: readonly WorldUser[]): Promise<Play> {
  const [owner] = users;
  if (!owner) throw new Error('The list of users is empty');
  return { api, users, ...(await api.create(owner)) };
}

const userOf = ({ users }: Play, actor: Actor): WorldUser => {
  const user = users[actor];
  if (!user) throw new Error(`No user ${actor}`);
  return user;
};

/** Sends a command; returns the status, and the text of a refusal. */
export async function send(play: Play, command: Command): Promise<{ status: number; detail: unknown }> {
  const { api, id, code } = play;
  const user = userOf(play, command.actor);
  const call = (method: string, path: string, body?: unknown) =>
    api.call(user, method, `/documents/${path}`, body);
  const form = async (path: string, fields: Record<string, string>, thumb = false) =>
    api.send(user, `/documents/${path}`, await verificationForm(fields, thumb));
  const other = 'target' in command ? userOf(play, command.target) : user;
  const sent = {
    invite: () => call('POST', `${id}/add-user`, { target_user_char_id: other.charId }),
    'approve-user': () => call('PUT', `${id}/approve-user/${other.userId}`),
    remove: () => call('DELETE', `${id}/remove-user/${other.userId}`),
    approve: () => call('PUT', `${id}/approve/${user.userId}`),
    'approve-unread': () => call('PUT', `${id}/approve/${user.userId}`, { content_hash: 'a'.repeat(64) }),
    'approve-for': () => call('PUT', `${id}/approve/${other.userId}`),
    withdraw: () => call('POST', `${id}/withdraw`, { reason: 'Moving away' }),
    cancel: () => call('POST', `${id}/cancel`, { reason: 'Another flat' }),
    join: () => form('join', { document_code: code }),
    accept: () => form(`${id}/respond-agreement`, { response: 'accept' }, true),
    reject: () => call('POST', `${id}/respond-agreement`, { response: 'reject' }),
    'self-verify': () => form(`${id}/self-verify-approve`, {}),
    'only-verify': () => form(`${id}/self-verify-approve`, { approve: 'false' }),
    finalize: () => api.send(user, `/documents/${id}/finalize`, new FormData(), 'PATCH'),
  }[command.do];
  const { status, body } = await sent();
  return { status, detail: body['detail'] };
}

export type Seen = {
  status: unknown;
  involved: unknown;
  approvals: Record<string, boolean>;
  requested: unknown[];
  verified: unknown[];
};

/** Returns the document as its owner sees it. */
export async function look(play: Play): Promise<Seen> {
  const { body } = await play.api.call(userOf(play, OWNER), 'GET', `/documents/${play.id}`);
  const approvals = Object.entries(body['user_approvals'] as Record<string, { approved: boolean }>);
  const parties = body['parties'] as { user_id: string; state: string; verified: boolean }[];
  return {
    status: body['status'],
    involved: body['involved_users'],
    approvals: Object.fromEntries(approvals.map(([actor, { approved }]) => [actor, approved])),
    requested: parties.filter(({ state }) => state === 'requested').map((party) => party.user_id),
    verified: parties.filter(({ verified }) => verified).map((party) => party.user_id),
  };
}

/** Returns the same document according to the model. */
export function expected(play: Play, model: Model): Seen {
  const id = (actor: Actor) => userOf(play, actor).userId;
  return {
    status: statusOf(model),
    involved: involved(model).map(id),
    approvals: Object.fromEntries([
      [id(OWNER), model.ownerApproved],
      ...model.others.filter(([, s]) => s !== 'requested').map(([who, s]) => [id(who), s === 'approved']),
    ]) as Record<string, boolean>,
    requested: model.others.filter(([, s]) => s === 'requested').map(([who]) => id(who)),
    verified: [
      id(OWNER),
      ...model.others.filter(([who]) => model.verified.includes(who)).map(([who]) => id(who)),
    ],
  };
}

/**
 * Plays a sequence. Throws at the first response or state that differs from the model. Returns the number of
 * effects.
 */
export async function playSequence(play: Play, commands: readonly Command[]): Promise<number> {
  let model = NEW;
  let effects = 0;
  for (const [index, wanted] of commands.entries()) {
    const { answer, after } = step(model, wanted);
    const got = await send(play, wanted);
    const seen = await look(play);
    const want = { answer, ...expected(play, after) };
    const is = { answer: got.status, ...seen };
    if (JSON.stringify(want) !== JSON.stringify(is) || (answer >= 400 && !got.detail)) {
      throw new Error(
        `Command ${index} ${JSON.stringify(wanted)}: expected ${JSON.stringify(want)}, got ${JSON.stringify(is)} ${JSON.stringify(got.detail)}`,
      );
    }
    if (after !== model) effects += 1;
    model = after;
  }
  const events = await play.api.call(userOf(play, OWNER), 'GET', `/documents/${play.id}/events`);
  const own = listIn<{ type: string }>(events.body).filter(
    ({ type }) => type !== 'document.finalized' && type !== 'document.logged',
  );
  await sameApprovals(play, model);
  // One line for the creation, one for each effect (repeated commands add none), and one for each ended approval.
  const lines = effects + 1 + model.ended;
  if (own.length !== lines) throw new Error(`${own.length} lines of history instead of ${lines}`);
  return effects;
}

/** Checks that each approval has a row whose statement matches its hash, and that ended approvals are withdrawn. */
async function sameApprovals({ api, id }: Play, { given, withdrawn }: Model): Promise<void> {
  const rows = await approvalsOf(api.service.foundation.db, id);
  const ended = rows.filter((row) => row.withdrawn_at !== null).length;
  if (rows.length !== given || ended !== withdrawn)
    throw new Error(`${rows.length} approvals, ${ended} withdrawn, for ${given} and ${withdrawn}`);
  const pages = await api.service.foundation.db
    .selectFrom('raw_files')
    .select('preview_sha256')
    .where('document_id', '=', id)
    .orderBy('ordinal')
    .execute();
  for (const { statement, content_hash, user_id, approved_at } of rows) {
    const said = JSON.parse(String(statement)) as ApprovalStatement;
    const own = said.person.user_id === user_id && said.approved_at === approved_at.toISOString();
    const read = said.files.every((file, i) => file.pages_sha256 === pages[i]?.preview_sha256);
    if (!own || !read || said.files.length !== pages.length || contentHash(said) !== content_hash)
      throw new Error(`A statement differs from its approval: ${statement}`);
  }
}

const sequence = fc.array(command, { minLength: 3, maxLength: 14 });

/**
 * Plays many random sequences, some concurrently, each on its own document. Throws with the commands of the
 * first sequence that differs from the model.
 *
 * @param seed the same seed produces the same sequences
 * @returns the number of commands, and how many had an effect
 */
export async function playMany(
  api: Api,
  users: readonly WorldUser[],
  options: { count: number; seed: number; atOnce: number },
): Promise<{ commands: number; effects: number }> {
  const all = fc.sample(sequence, { numRuns: options.count, seed: options.seed });
  let [next, commands, effects] = [0, 0, 0];
  const worker = async () => {
    for (let mine = all[next++]; mine; mine = all[next++]) {
      try {
        const played = await playSequence(await begin(api, users), mine);
        effects += played;
      } catch (error) {
        next = all.length;
        throw new Error(`Seed ${options.seed}: ${JSON.stringify(mine)}`, { cause: error });
      }
      commands += mine.length;
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, worker));
  return { commands, effects };
}

/** Sequences do not test rendering or photo checks, so fixed results replace them. */
export async function quickParts(): Promise<Pick<Context, 'renderer' | 'photoCheck'>> {
  const pdf = await textPdf('final');
  const pages: PageCounts = { agreement: 1, files: [1], raw: 1, signatures: 1, certificate: 1, total: 1 };
  return {
    photoCheck: async () => ({ ok: true, boxes: [] }),
    renderer: {
      composeFinalPdf: async () => ({ pdf, pages }),
      prepareUpload: async () => ({
        pdf,
        pages: 1,
        pictures: [],
        texts: ['final'],
        leftOut: [],
        redrawn: [],
        thumbnail: new Uint8Array([0xff, 0xd8, 0xff]),
      }),
      printAccount: async () => pdf,
      printHistory: async () => pdf,
      close: async () => undefined,
    },
  };
}
