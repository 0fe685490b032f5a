/**
 * Checks export and erasure against every table of this service: a forgotten table or column fails here
 * unless it has a reason.
 */
import { deletionRpc, exportRpc } from '@karaar/contracts/personal-data';
import { ID_ALONE, forgottenOf, named, type Reasons } from '@karaar/testing/made-up/personal-data';
import { strFromU8, unzipSync } from 'fflate';
import { newPerson, startApi, type Api } from './api.ts';

/** Tables with personal data that the export leaves out, and why. */
const NOT_EXPORTED: Reasons = {
  'the profile is told as it is, not by a made-up row (next test)': ['users'],
  'told by documents, as the agreements that two share': ['shared_documents'],
  'of admins, who are not users': [
    'admin_audit',
    'admin_passkeys',
    'admin_places',
    'admin_recovery_codes',
    'passkey_ceremonies',
  ],
  'hashes alone': ['contact_proofs', 'known_browsers'],
};

/** Columns that an erasure leaves, and why. */
const STAYS: Reasons = {
  'the tombstone: the id and the 8-character ID are never given to anybody else': ['deleted_users.id'],
  [ID_ALONE]: ['sessions.subject_id', 'shared_documents.people'],
  'what admins did is kept; a user stands there by the 8-character ID': ['action', 'reason', 'target']
    .flatMap((column) => [`admin_audit.${column} by admin_id`, `admin_audit.${column} by target_id`])
    .concat('admin_audit.admin_id', 'admin_audit.target_id'),
  'an admin, who is not a user': [
    ...['public_key', 'name', 'transports'].map((column) => `admin_passkeys.${column} by admin_id`),
    ...['public_key', 'name', 'transports'].map((column) => `admin_passkeys.${column} by credential_id`),
    'admin_passkeys.admin_id',
    'admin_passkeys.credential_id',
    'admin_places.admin_id',
    'admin_places.place_key',
    'admin_recovery_codes.admin_id',
    'admin_recovery_codes.digest',
    'passkey_ceremonies.admin_id',
    'passkey_ceremonies.challenge',
    'passkey_ceremonies.purpose',
  ],
  'one of two words': ['sessions.audience'],
  'by hashes, for two hours': [
    'contact_proofs.contact_key',
    'contact_proofs.invitation_id',
    'contact_proofs.proof_hash',
  ],
};

let api: Api;
beforeAll(async () => {
  api = await startApi('auth-personal');
  const { world } = api;
  for (const rpc of Object.values(exportRpc))
    await world.serve(rpc, () => ({ items: [], next_cursor: null }));
  for (const rpc of Object.values(deletionRpc)) await world.serve(rpc, () => ({ blockers: [] }));
}, 120_000);
afterAll(() => api.stop());

/** Columns of an account that the export has under another name, or leaves out. */
const EXPORTED_AS: Record<string, string | undefined> = {
  id: 'user_id',
  email_proved_at: 'email_proved',
  govt_id_image: 'id-image.jpg',
  moving_to: 'phone_move',
  moves_at: 'phone_move',
  // Counts changes for the other services.
  version: undefined,
};

it('exports every column of an account', async () => {
  const person = newPerson();
  await api.register(person);
  const { headers } = await api.signIn(person.phone);
  const answer = await fetch(`${api.url}/users/profile/export`, { headers });
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  const profile = JSON.parse(strFromU8(files['profile.json'] ?? new Uint8Array())) as object;
  const row = await api.service.foundation.db
    .selectFrom('users')
    .selectAll()
    .where('phone_no', '=', person.phone)
    .executeTakeFirstOrThrow();
  const names = Object.keys(row).map((column) => (column in EXPORTED_AS ? EXPORTED_AS[column] : column));
  const exported = [...Object.keys(profile), ...Object.keys(files)];
  expect(names.filter((name) => name !== undefined && !exported.includes(name))).toEqual([]);
});

it('exports and erases all personal data, except for data with a stated reason', async () => {
  const person = newPerson();
  await api.register(person);
  const { headers } = await api.signIn(person.phone);
  const { body: profile } = await api.json('GET', '/users/profile', undefined, headers);
  const { left, notExported } = await forgottenOf(
    {
      url: api.world.ownerUrl,
      userId: String(profile['user_id']),
      things: ['id', 'document_id'],
      people: ['users.id'],
    },
    {
      exportData: async () => {
        const answer = await fetch(`${api.url}/users/profile/export`, { headers });
        expect(answer.status).toBe(200);
        const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
        return Object.entries(files).flatMap(([name, bytes]) =>
          name.endsWith('.json') ? [JSON.parse(strFromU8(bytes)) as unknown] : [],
        );
      },
      erase: async () => {
        await api.confirmAct({ phone: person.phone, headers }, { action: 'delete_account' });
        const confirm = { confirm_char_id: profile['char_id'] };
        const answer = await api.json('POST', '/users/profile/deletion', confirm, headers);
        expect(answer).toMatchObject({ status: 200 });
      },
      stays: named(STAYS).length,
    },
  );
  expect(left).toEqual(named(STAYS));
  expect(notExported).toEqual(named(NOT_EXPORTED));
});
