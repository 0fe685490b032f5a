import fc from 'fast-check';
import {
  accept,
  approve,
  approveUser,
  createAgreement,
  createDraft,
  finalize,
  findParty,
  invite,
  isOutstanding,
  reject,
  removeUser,
  requestToJoin,
  selfVerify,
  startFinalization,
  withdraw,
  type Agreement,
} from './agreement.ts';
import { inviteContact } from './agreement-contacts.ts';
import { askedLine, askInvitedToAnswerBy, askToAnswerBy, byDay } from './answer-by.ts';

const TODAY = '2026-11-25';
const DAY = '2026-12-12';
const OWNER = 'owner';
const fresh = () => createAgreement({ id: 'd', primaryUserId: OWNER, rawFileCount: 1 });
const withGuest = () => invite(fresh(), OWNER, 'guest');
const ask = (agreement: Agreement, day: string | null = DAY, user = 'guest', actor = OWNER) =>
  askToAnswerBy(agreement, actor, user, day, TODAY);
const dayOf = (agreement: Agreement, user = 'guest') => findParty(agreement, user)?.answerBy ?? null;
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'accepted';
};

it('sets, changes and removes the day of an invited or admitted party', () => {
  const admitted = approveUser(requestToJoin(withGuest(), 'joiner'), OWNER, 'joiner');
  for (const user of ['guest', 'joiner']) {
    const asked = ask(admitted, DAY, user);
    expect(dayOf(asked, user)).toBe(DAY);
    expect(asked.status).toBe(admitted.status);
    const changed = ask(asked, '2026-12-24', user);
    expect(dayOf(changed, user)).toBe('2026-12-24');
    expect(dayOf(ask(changed, null, user), user)).toBeNull();
  }
});

it('changes nothing if the day is the same, also after it has passed', () => {
  const asked = ask(withGuest());
  expect(ask(asked)).toBe(asked);
  expect(askToAnswerBy(asked, OWNER, 'guest', DAY, '2027-01-01')).toBe(asked);
  const dateless = withGuest();
  expect(ask(dateless, null)).toBe(dateless);
});

it('accepts days from today to one year ahead', () => {
  for (const day of [TODAY, '2027-11-25']) expect(dayOf(ask(withGuest(), day))).toBe(day);
  for (const day of ['2026-11-24', '2027-11-26', '2026-11-31', 'soon', ''])
    expect(codeOf(() => ask(withGuest(), day))).toBe('validation');
});

it('lets only the creator set a day, and only while the document can change', () => {
  const asked = withGuest();
  expect(codeOf(() => ask(asked, DAY, 'guest', 'guest'))).toBe('not_primary');
  expect(codeOf(() => ask(asked, DAY, 'guest', 'stranger'))).toBe('not_primary');
  expect(codeOf(() => ask(asked, DAY, 'stranger'))).toBe('party_not_found');
  const draft = createDraft({ id: 'd', primaryUserId: OWNER, rawFileCount: 1 });
  expect(codeOf(() => ask(draft, DAY, OWNER))).toBe('still_draft');
  expect(codeOf(() => ask(draft, DAY, OWNER, 'stranger'))).toBe('document_not_found');
  const approved = approve(accept(asked, 'guest'), OWNER, OWNER);
  const sealing = startFinalization(approved, OWNER);
  expect(codeOf(() => ask(sealing))).toBe('being_finalized');
  expect(codeOf(() => ask(finalize(sealing)))).toBe('document_finalized');
});

it('rejects a day for a party who has nothing to answer', () => {
  const guest = withGuest();
  expect(codeOf(() => ask(guest, DAY, OWNER))).toBe('no_answer_awaited');
  expect(codeOf(() => ask(accept(guest, 'guest')))).toBe('no_answer_awaited');
  expect(codeOf(() => ask(reject(guest, 'guest')))).toBe('no_answer_awaited');
  expect(codeOf(() => ask(requestToJoin(guest, 'joiner'), DAY, 'joiner'))).toBe('no_answer_awaited');
});

it('removes the day with the answer, also for a party who is invited again or verifies without approving', () => {
  expect(dayOf(accept(ask(withGuest()), 'guest'))).toBeNull();
  const again = invite(reject(ask(withGuest()), 'guest'), OWNER, 'guest');
  expect(dayOf(again)).toBeNull();
  expect(dayOf(selfVerify(accept(ask(withGuest()), 'guest'), 'guest', false))).toBeNull();
});

type Step = (agreement: Agreement) => Agreement;
const USERS = ['guest', 'joiner'];
const steps: Step[] = USERS.flatMap((user): Step[] => [
  (agreement) => invite(agreement, OWNER, user),
  (agreement) => requestToJoin(agreement, user),
  (agreement) => approveUser(agreement, OWNER, user),
  (agreement) => accept(agreement, user),
  (agreement) => reject(agreement, user),
  (agreement) => selfVerify(agreement, user, false),
  (agreement) => selfVerify(agreement, user),
  (agreement) => withdraw(agreement, user),
  (agreement) => removeUser(agreement, OWNER, user),
  (agreement) => ask(agreement, DAY, user),
  (agreement) => ask(agreement, '2027-01-05', user),
  (agreement) => ask(agreement, null, user),
]);

it('gives only outstanding parties a day, and changes neither answers nor status, in any order of acts', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...steps), { maxLength: 30 }), (acts) => {
      let dated = fresh();
      let plain = fresh();
      for (const act of acts) {
        const isAsk = steps.indexOf(act) % 12 >= 9;
        dated = attempted(act, dated);
        if (!isAsk) plain = attempted(act, plain);
        for (const party of dated.parties) if (party.answerBy) expect(isOutstanding(party)).toBe(true);
        expect({ ...dated, parties: dated.parties.map(withoutDay) }).toEqual({
          ...plain,
          parties: plain.parties.map(withoutDay),
        });
      }
    }),
  );
});

const withoutDay = ({ answerBy: _, ...party }: Agreement['parties'][number]) => party;
function attempted(act: Step, agreement: Agreement): Agreement {
  try {
    return act(agreement);
  } catch (error) {
    expect(error).toHaveProperty('code');
    return agreement;
  }
}

it('applies the same rules to an open invitation', () => {
  const open = inviteContact(fresh(), OWNER);
  const asked = askInvitedToAnswerBy(open, OWNER, DAY, TODAY);
  expect(asked).toEqual(open);
  expect(asked).not.toBe(open);
  expect(codeOf(() => askInvitedToAnswerBy(open, 'stranger', DAY, TODAY))).toBe('not_primary');
  expect(codeOf(() => askInvitedToAnswerBy(open, OWNER, '2026-11-24', TODAY))).toBe('validation');
  expect(codeOf(() => askInvitedToAnswerBy({ ...open, finalizing: true }, OWNER, null, TODAY))).toBe(
    'being_finalized',
  );
});

it('composes the texts for the history', () => {
  expect(askedLine('Vikram', DAY)).toBe('Asked Vikram to answer by 12 Dec 2026');
  expect(askedLine('Vikram', null)).toBe('Took away the date by which Vikram is asked to answer');
  expect([byDay(DAY), byDay(null)]).toEqual([', to answer by 12 Dec 2026', '']);
  // The text is composed before the rules reject the day.
  expect(byDay('2026-13-45')).toContain('2026-13-45');
});
