/**
 * Acts on an account whose user has a passkey: a new number, the export, the deletion. Each needs its own
 * confirmation, valid once.
 */
import { jest } from '@jest/globals';
import { deletionRpc, exportRpc } from '@karaar/contracts/personal-data';
import type { StepUpAct } from '@karaar/contracts/step-up';
import { newPerson, startApi, type Api, type Person } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
type Signed = { person: Person; userId: string; charId: string; headers: { authorization: string } };

beforeAll(async () => {
  api = await startApi('auth-step-up');
  for (const rpc of Object.values(exportRpc))
    await api.world.serve(rpc, () => ({ items: [], next_cursor: null }));
  for (const rpc of Object.values(deletionRpc)) await api.world.serve(rpc, () => ({ blockers: [] }));
}, 120_000);
afterAll(() => api.stop());

/** Returns a signed-in user, by default with a passkey. */
async function someone(state: 'keys' | 'waiting' | 'none' = 'keys'): Promise<Signed> {
  const person = newPerson();
  await api.register(person);
  const { headers } = await api.signIn(person.phone);
  const { body } = await api.json('GET', '/users/profile', undefined, headers);
  const userId = String(body['user_id']);
  if (state !== 'none') api.stepUps.standings.set(userId, state);
  return { person, userId, charId: String(body['char_id']), headers };
}

type Headers = Record<string, string>;

const ACTS: Record<
  string,
  { send: (user: Signed, grant: Headers) => Promise<number | string>; act: StepUpAct }
> = {
  export: {
    act: { action: 'export' },
    send: async ({ headers }, grant) => {
      const answer = await fetch(`${api.url}/users/profile/export`, { headers: { ...headers, ...grant } });
      return answer.ok ? answer.status : codeOf((await answer.json()) as Headers);
    },
  },
  delete_account: {
    act: { action: 'delete_account' },
    send: async ({ person, headers, charId }, grant) => {
      await api.forgetLimits();
      await api.confirmAct({ phone: person.phone, headers }, { action: 'delete_account' });
      const body = { confirm_char_id: charId };
      return outcomeOf(await api.json('POST', '/users/profile/deletion', body, { ...headers, ...grant }));
    },
  },
};
const codeOf = (body: Record<string, unknown>) => String(body['code']);
const outcomeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  status < 300 ? status : codeOf(body);

describe.each(Object.entries(ACTS))('%s', (name, { act, send }) => {
  it('is done at once for a user without a passkey', async () => {
    expect(await send(await someone('none'), {})).toBe(200);
  });

  it('needs the grant of this user for this act', async () => {
    const user = await someone();
    const other = await someone();
    expect(await send(user, {})).toBe('step_up_required');
    const elsewhere = Object.entries(ACTS).find(([each]) => each !== name);
    for (const grant of [
      await api.stepUps.grant(other.userId, act),
      await api.stepUps.grant(user.userId, act, { forged: true }),
      await api.stepUps.grant(user.userId, elsewhere?.[1].act ?? act),
      await api.stepUps.grant(user.userId, { action: 'change_phone', phone_no: user.person.phone }),
    ])
      expect(await send(user, grant)).toBe('step_up_refused');
    expect(await send(user, await api.stepUps.grant(user.userId, act))).toBe(200);
  });

  it('is refused during the waiting time after the last passkey was removed', async () => {
    const user = await someone('waiting');
    expect(await send(user, await api.stepUps.grant(user.userId, act))).toBe('step_up_waiting');
  });
});

it('exports once per grant', async () => {
  const user = await someone();
  const grant = await api.stepUps.grant(user.userId, { action: 'export' });
  expect(await ACTS['export']?.send(user, grant)).toBe(200);
  expect(await ACTS['export']?.send(user, grant)).toBe('step_up_refused');
});

describe('another number', () => {
  /** Requests a code for a new number and confirms the change. Returns the number and the change. */
  async function proved(user: Signed) {
    const to = newPerson().phone;
    await api.json('POST', '/users/profile/phone', { phone_no: to }, user.headers);
    const otp = api.lastCode(to);
    const act = { action: 'change_phone', phone_no: to } as const;
    await api.confirmAct({ phone: user.person.phone, headers: user.headers }, act);
    const change = (grant: Headers = {}) =>
      api.json('PUT', '/users/profile/phone', { phone_no: to, otp }, { ...user.headers, ...grant });
    return { to, change, act };
  }
  const phoneOf = async ({ headers }: Signed) =>
    (await api.json('GET', '/users/profile', undefined, headers)).body['phone_no'];

  it('needs only the codes for a user without a passkey', async () => {
    const user = await someone('none');
    const { to, change } = await proved(user);
    expect((await change()).status).toBe(200);
    expect(await phoneOf(user)).toBe(to);
  });

  it('needs codes and passkey, for exactly this number, and keeps the code until then', async () => {
    const user = await someone();
    const { to, change, act } = await proved(user);
    expect(outcomeOf(await change())).toBe('step_up_required');
    const other = { action: 'change_phone', phone_no: newPerson().phone } as const;
    expect(outcomeOf(await change(await api.stepUps.grant(user.userId, other)))).toBe('step_up_refused');
    expect(await phoneOf(user)).toBe(user.person.phone);
    const grant = await api.stepUps.grant(user.userId, act);
    expect(outcomeOf(await change(grant))).toBe(200);
    expect(await phoneOf(user)).toBe(to);
    // A used grant is refused for the same number, even with new codes.
    await api.forgetLimits();
    await api.confirmAct({ phone: to, headers: user.headers }, act);
    await api.forgetLimits();
    await api.json('POST', '/users/profile/phone', { phone_no: to }, user.headers);
    const again = { phone_no: to, otp: api.lastCode(to) };
    expect(
      outcomeOf(await api.json('PUT', '/users/profile/phone', again, { ...user.headers, ...grant })),
    ).toBe('step_up_refused');
  });

  it('refuses a wrong code without using the confirmation up', async () => {
    const user = await someone();
    const { to, change, act } = await proved(user);
    const grant = await api.stepUps.grant(user.userId, act);
    const wrong = { phone_no: to, otp: 'ZZZZZZ' };
    expect(
      outcomeOf(await api.json('PUT', '/users/profile/phone', wrong, { ...user.headers, ...grant })),
    ).toBe('otp_wrong');
    expect(outcomeOf(await change(grant))).toBe(200);
  });
});
