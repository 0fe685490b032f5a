/**
 * Each status, the acts that lead to it, and the acts that do not change it. races.slow.ts plays random
 * sequences.
 */
import { jest } from '@jest/globals';
import { DOCUMENT_STATUSES } from '@karaar/contracts/documents/status';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { draftForm, startApi, verificationForm, type Api } from '../api.ts';
import { begin, look, quickParts, send, type Play, type Seen } from './agreement-driver.ts';
import { OWNER, type Actor, type Command } from './agreement-model.ts';

jest.setTimeout(60_000);

let api: Api;
let users: WorldUser[];
let owner: WorldUser;

beforeAll(async () => {
  api = await startApi('documents-transitions', {}, await quickParts());
  users = [];
  for (const name of ['Asha Rao', 'Vikram Shah', 'Meera Nair', 'Nila Iyer'])
    users.push(await api.world.addUser(name));
  owner = users[OWNER]!;
}, 120_000);
afterAll(() => api.stop());

type Act = Exclude<Command, { target: Actor }>['do'];
const act = (actor: Actor, what: Act): Command => ({ do: what, actor });
const invite = (target: Actor): Command => ({ do: 'invite', actor: OWNER, target });
const approved = [invite(1), act(1, 'accept'), act(OWNER, 'approve')];

const WAYS = {
  pending: [invite(1)],
  pending_approval: [invite(1), act(OWNER, 'approve')],
  approved,
  finalized: [...approved, act(OWNER, 'finalize')],
  rejected: [invite(1), invite(2), act(1, 'reject')],
} as const;
type Submitted = keyof typeof WAYS;

const saveDraft = async (): Promise<string> => {
  const form = await draftForm({ save_as_draft: 'true' });
  return String((await api.send(owner, '/documents/create', form)).body['document_id']);
};
const statusOf = async (id: string) => (await api.call(owner, 'GET', `/documents/${id}`)).body['status'];

/** Performs acts that must all take effect; returns the document after the last one. */
async function after(acts: readonly Command[]): Promise<{ play: Play; seen: Seen }> {
  const play = await begin(api, users);
  for (const wanted of acts) {
    const { status, detail } = await send(play, wanted);
    expect({ wanted, detail, done: status < 300 }).toEqual({ wanted, detail: undefined, done: true });
  }
  return { play, seen: await look(play) };
}

/** Sends an act that must be refused with a text and leave the document unchanged. */
async function refusedIn({ play, seen }: { play: Play; seen: Seen }, wanted: Command, status?: number) {
  const answer = await send(play, wanted);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  refused({ wanted, status: answer.status, body: answer }, status ?? answer.status);
  expect({ wanted, ...(await look(play)) }).toEqual({ wanted, ...seen });
}

describe('a status', () => {
  it('[DOC-067] is one of six, and a document can reach each of them', async () => {
    const reached = new Set([await statusOf(await saveDraft())]);
    for (const [status, acts] of Object.entries(WAYS)) {
      const { seen } = await after(acts);
      expect(seen.status).toBe(status);
      reached.add(seen.status);
    }
    const six = ['draft', 'pending', 'pending_approval', 'approved', 'finalized', 'rejected'];
    expect([...reached].toSorted()).toEqual(six.toSorted());
    expect([...DOCUMENT_STATUSES].toSorted()).toEqual(six.toSorted());
    await expect(api.world.asOwner(`UPDATE documents SET status = 'closed'`)).rejects.toThrow(
      'documents_status_check',
    );
  });

  it.each<[string, readonly Command[]]>([
    ['after the only other party', approved],
    [
      'after two, one of whom had asked to join',
      [
        invite(1),
        { do: 'join', actor: 2 },
        { do: 'approve-user', actor: OWNER, target: 2 },
        act(2, 'approve'),
        act(1, 'self-verify'),
        act(OWNER, 'approve'),
      ],
    ],
  ])('[DOC-101] goes from pending to approved when the primary approves last, %s', async (_who, acts) => {
    expect((await after(acts.slice(0, -1))).seen.status).toBe('pending');
    expect((await after(acts)).seen.status).toBe('approved');
  });

  it.each<[string, readonly Command[]]>([
    ['who was invited, while pending', [invite(1), act(1, 'reject')]],
    ['who was invited, while pending_approval', [...WAYS.pending_approval, act(1, 'reject')]],
    [
      'who was admitted',
      [{ do: 'join', actor: 1 }, { do: 'approve-user', actor: OWNER, target: 1 }, act(1, 'reject')],
    ],
  ])('[DOC-106] becomes rejected by the reject of a party %s', async (_who, acts) => {
    expect((await after(acts)).seen.status).toBe('rejected');
  });

  it.each<[string, readonly Command[]]>([
    ['pending', WAYS.rejected],
    ['pending_approval', [...WAYS.pending_approval, act(1, 'reject')]],
  ])('[DOC-107] goes back to pending when the party who rejected in %s is removed', async (_status, acts) => {
    const { play, seen } = await after(acts);
    expect(seen.status).toBe('rejected');
    expect((await send(play, { do: 'remove', actor: OWNER, target: 1 })).status).toBe(200);
    const { status, approvals } = await look(play);
    expect({ status, primary: approvals[owner.userId] }).toEqual({ status: 'pending', primary: false });
  });
});

describe('an act outside the state machine', () => {
  /** Acts that would leave a status by a transition that the state machine does not have. */
  const REFUSED: [Submitted, readonly Command[]][] = [
    ['pending', [act(OWNER, 'finalize'), act(1, 'approve')]],
    ['pending_approval', [act(OWNER, 'finalize'), act(1, 'approve')]],
    ['approved', [act(1, 'accept'), act(1, 'reject'), act(OWNER, 'approve'), act(1, 'approve')]],
    [
      'rejected',
      [
        act(OWNER, 'approve'),
        act(OWNER, 'self-verify'),
        act(OWNER, 'finalize'),
        act(1, 'accept'),
        act(1, 'self-verify'),
        act(2, 'accept'),
        act(2, 'reject'),
      ],
    ],
  ];
  it.each(REFUSED)(
    '[DOC-108] is refused for a document that is %s, and changes nothing',
    async (status, acts) => {
      const start = await after(WAYS[status]);
      expect(start.seen.status).toBe(status);
      for (const wanted of acts) await refusedIn(start, wanted, 409);
    },
  );

  it('[DOC-108] is refused for a draft, and changes nothing', async () => {
    const id = await saveDraft();
    const add = { target_user_char_id: users[1]!.charId };
    refused(await api.call(owner, 'PUT', `/documents/${id}/approve/${owner.userId}`), 409);
    refused(await api.call(owner, 'POST', `/documents/${id}/add-user`, add), 409);
    refused(await api.send(owner, `/documents/${id}/self-verify-approve`, await verificationForm()), 409);
    refused(await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH'), 409);
    expect(await statusOf(id)).toBe('draft');
  });

  it('[DOC-064] [DOC-104] cannot change a finalized document, whoever sends it', async () => {
    const start = await after(WAYS.finalized);
    const everybody: Actor[] = [OWNER, 1, 3];
    const acts: Act[] = [
      'join',
      'accept',
      'reject',
      'withdraw',
      'cancel',
      'self-verify',
      'only-verify',
      'approve',
      'finalize',
    ];
    for (const who of everybody) for (const what of acts) await refusedIn(start, act(who, what));
    for (const target of everybody)
      for (const what of ['invite', 'approve-user', 'remove'] as const)
        await refusedIn(start, { do: what, actor: OWNER, target });
    const path = `/documents/${start.play.id}`;
    refused(await api.send(owner, path, await draftForm(), 'PUT'), 409);
    refused(await api.send(owner, `${path}/submit`, await verificationForm()), 409);
    refused(await api.call(owner, 'DELETE', path), 409);
    expect(await look(start.play)).toEqual(start.seen);
  });
});
