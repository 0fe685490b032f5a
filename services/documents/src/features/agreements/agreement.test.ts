import fc from 'fast-check';
import {
  abandonFinalization,
  accept,
  allApproved,
  approve,
  approveUser,
  createAgreement,
  finalize,
  findParty,
  invite,
  involvedUsers,
  isPendingAgreementOf,
  reject,
  removeUser,
  requestToJoin,
  startFinalization,
  selfVerify,
  type Agreement,
} from './agreement.ts';

const OWNER = 'owner';
const fresh = (rawFileCount = 1) => createAgreement({ id: 'd', primaryUserId: OWNER, rawFileCount });
const withInvited = () => invite(fresh(), OWNER, 'guest');
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

  it('[DOC-100] [DOC-102] waits for the others after the primary approved, then is approved', () => {
    const waiting = approve(withInvited(), OWNER, OWNER);
    expect(waiting.status).toBe('pending_approval');
    expect(accept(waiting, 'guest').status).toBe('approved');
  });

  it('[DOC-101] is approved when the primary approves last', () => {
    const accepted = accept(withInvited(), 'guest');
    expect(accepted.status).toBe('pending');
    expect(approve(accepted, OWNER, OWNER).status).toBe('approved');
  });

  it('[DOC-105] goes back to pending_approval when a user is added to an approved document', () => {
    const approved = approve(accept(withInvited(), 'guest'), OWNER, OWNER);
    expect(invite(approved, OWNER, 'third').status).toBe('pending_approval');
  });

  it('[DOC-106] [DOC-107] is rejected by a party and reopened by removing that party', () => {
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

describe('parties', () => {
  it('[DOC-113] a joiner is not involved until the primary approves', () => {
    const requested = requestToJoin(fresh(), 'joiner');
    expect(involvedUsers(requested)).toEqual([OWNER]);
    expect(codeOf(() => selfVerify(requested, 'joiner'))).toBe('not_involved');
    const approved = approveUser(requested, OWNER, 'joiner');
    expect(involvedUsers(approved)).toEqual([OWNER, 'joiner']);
    expect(findParty(approved, 'joiner')?.approved).toBe(true);
  });

  it('[DOC-114] approve-user needs the verification of that user', () => {
    expect(codeOf(() => approveUser(withInvited(), OWNER, 'guest'))).toBe('not_verified');
  });

  it('[DOC-066] the primary cannot approve without a raw file', () => {
    expect(codeOf(() => approve(fresh(0), OWNER, OWNER))).toBe('upload_first');
  });

  it('[DASH-013] [DASH-029] an invitation is pending until it is answered, also after an early approval', () => {
    const early = approve(withInvited(), OWNER, OWNER);
    expect(isPendingAgreementOf(early, 'guest')).toBe(true);
    expect(isPendingAgreementOf(accept(early, 'guest'), 'guest')).toBe(false);
    expect(isPendingAgreementOf(reject(early, 'guest'), 'guest')).toBe(false);
    expect(isPendingAgreementOf(requestToJoin(fresh(), 'joiner'), 'joiner')).toBe(false);
    expect(isPendingAgreementOf(early, OWNER)).toBe(false);
  });

  it('only the primary user invites, approves users, removes and finalizes', () => {
    const agreement = accept(withInvited(), 'guest');
    for (const actor of ['guest', 'stranger']) {
      expect(codeOf(() => invite(agreement, actor, 'x'))).toBe('not_primary');
      expect(codeOf(() => approve(agreement, actor, actor))).toBe('not_primary');
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
    fc.record({ run: fc.constant((d: Agreement, u: string) => selfVerify(d, u)), actor: user, target: user }),
    fc.record({
      run: fc.constant((d: Agreement, u: string) => startFinalization(d, u)),
      actor: user,
      target: user,
    }),
    fc.record({ run: fc.constant((d: Agreement) => finalize(d)), actor: user, target: user }),
    fc.record({ run: fc.constant((d: Agreement) => abandonFinalization(d)), actor: user, target: user }),
  );

  it('[DOC-036] [DOC-103] [DOC-108] keeps the invariants and refuses with a code instead of half a change', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let agreement = fresh();
        for (const { run, actor, target } of commands) {
          const before = agreement;
          try {
            agreement = run(agreement, actor, target);
          } catch (error) {
            expect(typeof (error as { code?: unknown }).code).toBe('string');
            expect(agreement).toBe(before);
            continue;
          }
          expect(agreement.parties[0]).toMatchObject({ userId: OWNER, state: 'primary' });
          expect(new Set(agreement.parties.map((p) => p.userId)).size).toBe(agreement.parties.length);
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
            if (party.state === 'invited' || party.state === 'requested' || party.state === 'rejected') {
              expect(party.approved).toBe(false);
            }
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
