import fc from 'fast-check';
import {
  abandonFinalization,
  accept,
  acquaintedUsers,
  allApproved,
  approve,
  approveUser,
  cancel,
  createAgreement,
  createDraft,
  finalize,
  findParty,
  invite,
  involvedUsers,
  isGiven,
  isPendingAgreementOf,
  reject,
  removeUser,
  requestToJoin,
  startFinalization,
  selfVerify,
  withdraw,
  type Agreement,
} from './agreement.ts';
import { acceptContact, inviteContact, withdrawContact } from './agreement-contacts.ts';

const OWNER = 'owner';
const values = { id: 'd', primaryUserId: OWNER, rawFileCount: 1 };
const fresh = (rawFileCount = 1) => createAgreement({ ...values, rawFileCount });
const withInvited = () => invite(fresh(), OWNER, 'guest');
/** As read from the database, which does not store `reapproved`. */
const asStored = (agreement: Agreement): Agreement =>
  agreement.parties.some((party) => party.reapproved)
    ? { ...agreement, parties: agreement.parties.map(({ reapproved: _, ...party }) => party) }
    : agreement;
const approvalsIn = (agreement: Agreement): Record<string, boolean> =>
  Object.fromEntries(agreement.parties.map(({ userId, approved }) => [userId, approved]));
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'accepted';
};

describe('status', () => {
  it('[DOC-096] is pending from the start', () => {
    expect(fresh().status).toBe('pending');
    expect(withInvited().status).toBe('pending');
  });

  it('[DOC-100] [DOC-102] waits for the other parties after the primary user approved, then is approved', () => {
    const waiting = approve(withInvited(), OWNER, OWNER);
    expect(waiting.status).toBe('pending_approval');
    expect(accept(waiting, 'guest').status).toBe('approved');
  });

  it('[DOC-101] is approved when the primary user approves last', () => {
    const accepted = accept(withInvited(), 'guest');
    expect(accepted.status).toBe('pending');
    expect(approve(accepted, OWNER, OWNER).status).toBe('approved');
  });

  it('[DOC-105] goes back to pending_approval when a user is added to an approved document', () => {
    const approved = approve(accept(withInvited(), 'guest'), OWNER, OWNER);
    expect(invite(approved, OWNER, 'third').status).toBe('pending_approval');
  });

  it('[DOC-106] [DOC-107] becomes rejected when a party rejects, and reopens when that party is removed or invited again', () => {
    const rejected = reject(approve(withInvited(), OWNER, OWNER), 'guest');
    expect(rejected.status).toBe('rejected');
    expect(removeUser(rejected, OWNER, 'guest').status).toBe('pending');
    expect(invite(rejected, OWNER, 'guest').status).toBe('pending');
  });

  it('[DOC-104] never changes once finalized', () => {
    const final = finalize(startFinalization(approve(fresh(), OWNER, OWNER), OWNER));
    for (const run of [
      () => invite(final, OWNER, 'x'),
      () => requestToJoin(final, 'x'),
      () => approve(final, OWNER, OWNER),
      () => selfVerify(final, OWNER),
    ]) {
      expect(codeOf(run)).toBe('document_finalized');
    }
  });
});

describe('cancelling', () => {
  const approved = () => approve(accept(withInvited(), 'guest'), OWNER, OWNER);

  it('is for the creator, from any state between sending and finalization, and ends as rejected', () => {
    const rejected = reject(withInvited(), 'guest');
    for (const agreement of [fresh(), withInvited(), approved(), rejected, inviteContact(fresh(), OWNER)]) {
      expect(codeOf(() => cancel(agreement, 'guest'))).toBe('not_primary');
      const cancelled = cancel(agreement, OWNER);
      expect(cancelled).toMatchObject({ status: 'rejected', cancelled: true, openInvitations: 0 });
      expect(cancelled.parties).toEqual(agreement.parties);
      expect(codeOf(() => cancel(cancelled, OWNER))).toBe('document_cancelled');
    }
    expect(codeOf(() => cancel(createDraft(values), OWNER))).toBe('still_draft');
    const sealing = startFinalization(approved(), OWNER);
    expect(codeOf(() => cancel(sealing, OWNER))).toBe('being_finalized');
    expect(codeOf(() => cancel(finalize(sealing), OWNER))).toBe('document_finalized');
  });

  it('is final: every later act is refused', () => {
    const cancelled = cancel(requestToJoin(withInvited(), 'joiner'), OWNER);
    const acts: (() => unknown)[] = [
      () => accept(cancelled, 'guest'),
      () => reject(cancelled, 'guest'),
      () => selfVerify(cancelled, 'guest'),
      () => withdraw(cancelled, 'guest'),
      () => approve(cancelled, OWNER, OWNER),
      () => invite(cancelled, OWNER, 'third'),
      () => inviteContact(cancelled, OWNER),
      () => acceptContact(cancelled, 'third'),
      () => approveUser(cancelled, OWNER, 'joiner'),
      () => removeUser(cancelled, OWNER, 'guest'),
      () => requestToJoin(cancelled, 'third'),
      () => startFinalization(cancelled, OWNER),
    ];
    expect(acts.map(codeOf)).toEqual(acts.map(() => 'document_cancelled'));
    expect(isPendingAgreementOf(cancelled, 'guest')).toBe(false);
  });
});

describe('acquainted users', () => {
  it('are the creator and the parties who were admitted or accepted, not those who were only invited, asked to join or rejected', () => {
    expect(acquaintedUsers(withInvited())).toEqual([OWNER]);
    expect(acquaintedUsers(selfVerify(withInvited(), 'guest', false))).toEqual([OWNER]);
    expect(acquaintedUsers(reject(withInvited(), 'guest'))).toEqual([OWNER]);
    expect(acquaintedUsers(accept(withInvited(), 'guest'))).toEqual([OWNER, 'guest']);
    const asked = requestToJoin(withInvited(), 'joiner');
    expect(acquaintedUsers(asked)).toEqual([OWNER]);
    expect(acquaintedUsers(approveUser(asked, OWNER, 'joiner'))).toEqual([OWNER, 'joiner']);
    expect(acquaintedUsers(invite(asked, OWNER, 'joiner'))).toEqual([OWNER, 'joiner']);
  });
});

describe('approvals after a change of the parties', () => {
  const three = invite(withInvited(), OWNER, 'third');
  const all = approve(accept(accept(three, 'guest'), 'third'), OWNER, OWNER);

  const changes: [string, (agreement: Agreement) => Agreement, Record<string, boolean>][] = [
    ['a party is removed', (a) => removeUser(a, OWNER, 'third'), { [OWNER]: true, guest: false }],
    [
      'a party is added',
      (a) => invite(a, OWNER, 'fourth'),
      { [OWNER]: true, guest: false, third: false, fourth: false },
    ],
    [
      'a person who asked to join is admitted',
      (a) => approveUser(requestToJoin(a, 'fourth'), OWNER, 'fourth'),
      { [OWNER]: true, guest: false, third: false, fourth: false },
    ],
    ['a number is invited', (a) => inviteContact(a, OWNER), { [OWNER]: true, guest: false, third: false }],
    ['a party withdraws', (a) => withdraw(a, 'third'), { [OWNER]: false, guest: false }],
  ];
  it.each(changes)(
    'end when %s, except the creator’s own after the creator’s own change',
    (_, change, left) => {
      expect(all.status).toBe('approved');
      const changed = change(all);
      expect(approvalsIn(changed)).toEqual(left);
      expect(changed.status).toBe(left[OWNER] ? 'pending_approval' : 'pending');
      expect(codeOf(() => startFinalization(changed, OWNER))).toBe('not_approved');
      expect(findParty(changed, 'guest')).toMatchObject({ state: 'admitted', verified: true });
      expect(findParty(approve(changed, 'guest', 'guest'), 'guest')?.approved).toBe(true);
    },
  );

  it('end when an invitation to a number is withdrawn or accepted', () => {
    const open = inviteContact(all, OWNER);
    const others = approve(approve(open, 'guest', 'guest'), 'third', 'third');
    expect(approvalsIn(withdrawContact(others, OWNER))).toEqual({
      [OWNER]: true,
      guest: false,
      third: false,
    });
    expect(approvalsIn(acceptContact(others, 'fourth'))).toEqual({
      ...{ [OWNER]: true, guest: false, third: false, fourth: false },
    });
    expect(approvalsIn(acceptContact(others, 'guest'))).toEqual({ [OWNER]: true, guest: true, third: false });
  });

  it('stay when a person asks to join or is refused', () => {
    const asked = requestToJoin(all, 'fourth');
    expect(asked.status).toBe('approved');
    expect(removeUser(asked, OWNER, 'fourth')).toEqual(all);
  });
});

describe('parties', () => {
  const admittedBy: [string, (agreement: Agreement) => Agreement][] = [
    ['the creator who approves the request', (agreement) => approveUser(agreement, OWNER, 'joiner')],
    ['the creator who invites the person', (agreement) => invite(agreement, OWNER, 'joiner')],
  ];
  it.each(admittedBy)(
    '[DOC-077] [DOC-113] a joiner is admitted by %s, and still has to approve',
    (_, admit) => {
      const requested = requestToJoin(fresh(), 'joiner');
      expect(involvedUsers(requested)).toEqual([OWNER]);
      expect(codeOf(() => selfVerify(requested, 'joiner'))).toBe('not_involved');
      expect(codeOf(() => approve(requested, 'joiner', 'joiner'))).toBe('not_involved');
      const admitted = admit(approve(requested, OWNER, OWNER));
      expect(involvedUsers(admitted)).toEqual([OWNER, 'joiner']);
      expect(findParty(admitted, 'joiner')).toMatchObject({
        state: 'admitted',
        approved: false,
        verified: true,
      });
      expect(admitted.status).toBe('pending_approval');
      expect(admit(admitted)).toBe(admitted);
      const approved = approve(admitted, 'joiner', 'joiner');
      expect(findParty(approved, 'joiner')).toMatchObject({ state: 'approved', approved: true });
      expect(approved.status).toBe('approved');
      expect(approveUser(approved, OWNER, 'joiner')).toBe(approved);
    },
  );

  it('[DOC-089] only a verified user can approve, and only for that user', () => {
    expect(codeOf(() => approve(withInvited(), 'guest', 'guest'))).toBe('verify_first');
    expect(codeOf(() => approve(withInvited(), 'guest', OWNER))).toBe('not_primary');
    expect(codeOf(() => approve(withInvited(), 'stranger', 'stranger'))).toBe('not_involved');
    expect(codeOf(() => approve(withInvited(), OWNER, 'guest'))).toBe('own_approval_only');
    expect(codeOf(() => approve(withInvited(), OWNER, 'stranger'))).toBe('party_not_found');
    const verified = selfVerify(withInvited(), 'guest', false);
    expect(findParty(verified, 'guest')).toMatchObject({ state: 'invited', approved: false, verified: true });
    expect(isPendingAgreementOf(verified, 'guest')).toBe(true);
    expect(findParty(approve(verified, 'guest', 'guest'), 'guest')?.state).toBe('approved');
  });

  it('an admitted person can reject with a reason, be invited again and then approve', () => {
    const admitted = approveUser(requestToJoin(fresh(), 'joiner'), OWNER, 'joiner');
    const rejected = reject(approve(admitted, OWNER, OWNER), 'joiner', 'Too dear');
    expect(rejected.status).toBe('rejected');
    expect(findParty(rejected, 'joiner')).toMatchObject({ state: 'rejected', rejectReason: 'Too dear' });
    expect(codeOf(() => approveUser(rejected, OWNER, 'joiner'))).toBe('document_rejected');
    const again = invite(rejected, OWNER, 'joiner');
    expect(again.status).toBe('pending');
    expect(findParty(again, 'joiner')).toMatchObject({
      state: 'invited',
      rejectReason: null,
      verified: true,
    });
    expect(findParty(approve(again, 'joiner', 'joiner'), 'joiner')?.approved).toBe(true);
  });

  it('verifying again replaces the user’s own approval, or withdraws it without a new one', () => {
    const approved = approve(accept(withInvited(), 'guest'), OWNER, OWNER);
    const reapproved = selfVerify(approved, 'guest');
    expect(reapproved.status).toBe('approved');
    expect(findParty(reapproved, 'guest')).toMatchObject({
      state: 'approved',
      approved: true,
      reapproved: true,
    });
    const withdrawn = selfVerify(approved, 'guest', false);
    expect(withdrawn.status).toBe('pending_approval');
    expect(findParty(withdrawn, 'guest')).toMatchObject({
      state: 'admitted',
      approved: false,
      verified: true,
    });
    expect(selfVerify(approved, OWNER, false).status).toBe('pending');
    expect(findParty(selfVerify(reapproved, 'guest', false), 'guest')?.reapproved).toBeUndefined();
  });

  it('a party who withdraws is removed, and the document waits for the primary user’s approval again', () => {
    const approved = approve(
      accept(accept(invite(withInvited(), OWNER, 'third'), 'guest'), 'third'),
      OWNER,
      OWNER,
    );
    expect(approved.status).toBe('approved');
    const left = withdraw(approved, 'guest');
    expect(left.status).toBe('pending');
    expect(approvalsIn(left)).toEqual({ [OWNER]: false, third: false });
    expect(approve(approve(left, OWNER, OWNER), 'third', 'third').status).toBe('approved');
    expect(withdraw(reject(withInvited(), 'guest'), 'guest').status).toBe('pending');
    expect(codeOf(() => withdraw(approved, OWNER))).toBe('creator_stays');
    for (const who of ['stranger', 'joiner'])
      expect(codeOf(() => withdraw(requestToJoin(approved, 'joiner'), who))).toBe('not_involved');
    expect(codeOf(() => withdraw(startFinalization(approved, OWNER), 'guest'))).toBe('being_finalized');
    expect(codeOf(() => withdraw(finalize(startFinalization(approved, OWNER)), 'guest'))).toBe(
      'document_finalized',
    );
  });

  it('[DOC-114] admitting a user requires that user’s verification', () => {
    expect(codeOf(() => approveUser(withInvited(), OWNER, 'guest'))).toBe('not_verified');
  });

  it('[DOC-066] the primary user cannot approve without a raw file', () => {
    expect(codeOf(() => approve(fresh(0), OWNER, OWNER))).toBe('upload_first');
  });

  it('[DASH-013] [DASH-029] an invitation is pending until its user answers, also after an early approval of the primary user', () => {
    const early = approve(withInvited(), OWNER, OWNER);
    expect(isPendingAgreementOf(early, 'guest')).toBe(true);
    expect(isPendingAgreementOf(accept(early, 'guest'), 'guest')).toBe(false);
    expect(isPendingAgreementOf(reject(early, 'guest'), 'guest')).toBe(false);
    expect(isPendingAgreementOf(requestToJoin(fresh(), 'joiner'), 'joiner')).toBe(false);
    expect(isPendingAgreementOf(early, OWNER)).toBe(false);
  });

  it('only the primary user invites, admits, removes and finalizes', () => {
    const agreement = accept(withInvited(), 'guest');
    for (const actor of ['guest', 'stranger']) {
      expect(codeOf(() => invite(agreement, actor, 'x'))).toBe('not_primary');
      expect(codeOf(() => approve(agreement, actor, OWNER))).toBe('not_primary');
      expect(codeOf(() => approveUser(agreement, actor, 'guest'))).toBe('not_primary');
      expect(codeOf(() => removeUser(agreement, actor, 'guest'))).toBe('not_primary');
      expect(codeOf(() => startFinalization(agreement, actor))).toBe('not_primary');
    }
    expect(codeOf(() => removeUser(agreement, OWNER, OWNER))).toBe('cannot_remove_primary');
  });
});

describe('any sequence of commands by any actors', () => {
  const users = ['owner', 'a', 'b', 'c'];
  const user = fc.constantFrom(...users);
  const command = fc.oneof(
    fc.record({ run: fc.constant(invite), actor: user, target: user }),
    fc.record({ run: fc.constant(approve), actor: user, target: user }),
    fc.record({ run: fc.constant(approveUser), actor: user, target: user }),
    fc.record({ run: fc.constant(removeUser), actor: user, target: user }),
    fc.record({
      run: fc.constant((d: Agreement, u: string) => requestToJoin(d, u)),
      actor: user,
      target: user,
    }),
    fc.record({ run: fc.constant((d: Agreement, u: string) => accept(d, u)), actor: user, target: user }),
    fc.record({ run: fc.constant((d: Agreement, u: string) => reject(d, u)), actor: user, target: user }),
    fc.record({
      run: fc.constantFrom(
        (d: Agreement, u: string) => selfVerify(d, u),
        (d: Agreement, u: string) => selfVerify(d, u, false),
        (d: Agreement, u: string) => withdraw(d, u),
      ),
      actor: user,
      target: user,
    }),
    fc.record({
      run: fc.constant((d: Agreement, u: string) => startFinalization(d, u)),
      actor: user,
      target: user,
    }),
    fc.record({ run: fc.constant((d: Agreement) => finalize(d)), actor: user, target: user }),
    fc.record({ run: fc.constant((d: Agreement) => abandonFinalization(d)), actor: user, target: user }),
    fc.record({
      run: fc.constantFrom(
        (d: Agreement, u: string) => inviteContact(d, u),
        (d: Agreement, u: string) => withContact(d, () => withdrawContact(d, u)),
        (d: Agreement, u: string) => withContact(d, () => acceptContact(d, u)),
      ),
      actor: user,
      target: user,
    }),
  );
  /** The service calls these only for an open invitation. */
  const withContact = (agreement: Agreement, run: () => Agreement): Agreement =>
    agreement.openInvitations > 0 ? run() : agreement;
  const whoMustApprove = (agreement: Agreement): string =>
    JSON.stringify([involvedUsers(agreement).sort(), agreement.openInvitations]);

  it('keeps an approval only while the parties are those that its user approved with, except for the creator’s own changes', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let agreement = fresh();
        const approvedWith = new Map<string, string>();
        for (const { run, actor, target } of commands) {
          const before = (agreement = asStored(agreement));
          try {
            agreement = run(agreement, actor, target);
          } catch {
            continue;
          }
          const now = whoMustApprove(agreement);
          for (const party of agreement.parties) {
            const { userId } = party;
            if (isGiven(findParty(before, userId), party)) approvedWith.set(userId, now);
            const own =
              userId === actor || (userId === OWNER && agreement.openInvitations < before.openInvitations);
            if (party.approved && own) approvedWith.set(userId, now);
            if (party.approved) expect([userId, approvedWith.get(userId)]).toEqual([userId, now]);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('[DOC-036] [DOC-103] [DOC-108] keeps the invariants, and a refused command has an error code and changes nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let agreement = fresh();
        for (const { run, actor, target } of commands) {
          const before = (agreement = asStored(agreement));
          try {
            agreement = run(agreement, actor, target);
          } catch (error) {
            expect(typeof (error as { code?: unknown }).code).toBe('string');
            expect(agreement).toBe(before);
            continue;
          }
          expect(agreement.parties[0]).toMatchObject({ userId: OWNER, state: 'primary' });
          expect(new Set(agreement.parties.map((p) => p.userId)).size).toBe(agreement.parties.length);
          for (const party of agreement.parties) {
            // Only a user's own act gives that user's approval.
            if (isGiven(findParty(before, party.userId), party)) expect(party.userId).toBe(actor);
          }
          if (before.status === 'finalized') expect(agreement).toEqual(before);
          if (agreement.status === 'approved' || agreement.status === 'finalized') {
            expect(allApproved(agreement)).toBe(true);
            expect(agreement.parties.filter((p) => p.state !== 'requested').every((p) => p.verified)).toBe(
              true,
            );
          }
          if (before.finalizing && agreement.status !== 'finalized') {
            expect(agreement.parties).toBe(before.parties);
          }
          if (agreement.status === 'rejected') {
            expect(agreement.parties.some((p) => p.state === 'rejected')).toBe(true);
          }
          for (const party of agreement.parties) {
            if (party.state === 'approved') expect(party.approved && party.verified).toBe(true);
            if (party.state !== 'approved' && party.state !== 'primary') expect(party.approved).toBe(false);
            if (party.state === 'admitted') expect(party.verified).toBe(true);
            if (party.state !== 'rejected') expect(party.rejectReason ?? null).toBe(null);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('invitations to a number or an address', () => {
  const approvedByBoth = () => approve(accept(withInvited(), 'guest'), OWNER, OWNER);

  it('keep the document waiting, but do not involve a user', () => {
    const waiting = approve(accept(inviteContact(withInvited(), OWNER), 'guest'), OWNER, OWNER);
    expect(waiting.status).toBe('pending_approval');
    expect(involvedUsers(waiting)).toEqual([OWNER, 'guest']);
    expect(codeOf(() => startFinalization(waiting, OWNER))).toBe('not_approved');
    expect(inviteContact(approvedByBoth(), OWNER).status).toBe('pending_approval');
  });

  it('end when withdrawn or accepted; the user who accepts is invited and approves like any party', () => {
    const waiting = approve(inviteContact(approvedByBoth(), OWNER), 'guest', 'guest');
    const alone = withdrawContact(waiting, OWNER);
    expect(alone.status).toBe('pending_approval');
    expect(approve(alone, 'guest', 'guest').status).toBe('approved');
    const joined = acceptContact(waiting, 'third');
    expect(findParty(joined, 'third')).toMatchObject({ state: 'invited', approved: false });
    expect({ open: joined.openInvitations, status: joined.status }).toEqual({
      open: 0,
      status: 'pending_approval',
    });
    expect(approve(accept(joined, 'third'), 'guest', 'guest').status).toBe('approved');
  });

  it('admit a person who has asked to join, and leave an existing party unchanged', () => {
    const asked = requestToJoin(inviteContact(fresh(), OWNER), 'guest');
    expect(findParty(acceptContact(asked, 'guest'), 'guest')?.state).toBe('admitted');
    const invited = approve(inviteContact(approvedByBoth(), OWNER), 'guest', 'guest');
    expect(acceptContact(invited, 'guest').status).toBe('approved');
  });

  it('are sent and withdrawn only by the creator, accepted only by others, and only while the document is open', () => {
    const waiting = inviteContact(withInvited(), OWNER);
    expect(codeOf(() => inviteContact(waiting, 'guest'))).toBe('not_primary');
    expect(codeOf(() => withdrawContact(waiting, 'guest'))).toBe('not_primary');
    expect(codeOf(() => acceptContact(waiting, OWNER))).toBe('own_invitation');
    const running = { ...waiting, finalizing: true };
    for (const act of [inviteContact, withdrawContact])
      expect(codeOf(() => act(running, OWNER))).toBe('being_finalized');
    expect(codeOf(() => acceptContact(running, 'third'))).toBe('being_finalized');
    expect(codeOf(() => inviteContact({ ...waiting, openInvitations: 20 }, OWNER))).toBe(
      'too_many_open_invitations',
    );
  });
});
