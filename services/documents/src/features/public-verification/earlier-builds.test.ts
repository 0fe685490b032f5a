/** What was sealed and stated by earlier builds holds for the checks of today. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { contentHashV1, statementHash, type UploadedContent } from '@karaar/proof/approval/approval';
import { fromBase64 } from '@karaar/proof/bytes';
import { readCertificate } from '@karaar/proof/seal/certificate';
import { checkPlace, checkSeal, type StatedPlace } from '@karaar/proof/seal/check';
import { parseKey } from '@karaar/proof/log/note';
import { fileOf } from '@karaar/proof/seal/sealed-file';

const folder = new URL('testing/earlier-builds/', import.meta.url);
/** Composed, sealed and logged by the build before approvals were statements, of drawn people and one page of words. */
const sealed = await readFile(new URL('sealed.pdf', folder));
const told = JSON.parse(await readFile(new URL('sealed.json', folder), 'utf8')) as {
  sealer: string;
  root: string;
  place: StatedPlace;
  log: string;
};
const trust = {
  sealers: [readCertificate(fromBase64(told.sealer))],
  roots: [readCertificate(fromBase64(told.root))],
  timestampRoots: [],
};

it('a file that was sealed before approvals were statements is what it claims, and in its log', async () => {
  const { checks } = await checkSeal(fileOf(sealed), trust);
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
    ['file', true],
    ['coverage', true],
    ['signature', true],
    ['certificate', true],
  ]);
  const sha256 = createHash('sha256').update(sealed).digest();
  const keys = { log: parseKey(told.log), witnesses: [] };
  expect(checkPlace(told.place, sha256, keys).checks.every(({ ok }) => ok)).toBe(true);
  // One bit of it changed.
  const other = Uint8Array.from(sealed);
  other[1000] = (other[1000] ?? 0) ^ 1;
  expect((await checkSeal(fileOf(other), trust)).checks.every(({ ok }) => ok)).toBe(false);
});

it('a statement of version 1 has the hash that was kept with it, and its content the one of its time', () => {
  // As the build of version 1 has stored both.
  const statement =
    '{"approved_at":"2026-11-22T09:08:07.006Z","document":{"code":"AB12CD34",' +
    '"id":"0199aaaa-0000-7000-8000-000000000000","version":1},"files":[{"bytes":1234,"name":"किराया.pdf",' +
    `"sha256":"${'a'.repeat(64)}"}],"person":{"char_id":"ZX98YW76","name":"विक्रम शाह",` +
    '"user_id":"0199bbbb-0000-7000-8000-000000000000"},"role":"party","terms":{"description":"Line 1\\nLine 2",' +
    '"end_date":"2026-03-07","location":null,"name":"Rent \\"two rooms\\"","page_details":[{"description":"Terms",' +
    '"page_no":1}],"start_date":"2026-03-01"},"type":"karaar.approval","version":1}';
  expect(statementHash(statement)).toBe('82545a03cb71d1bafde9dc16373458e8842ebfd3d623889c188c3932d7de1005');
  expect(contentHashV1(JSON.parse(statement) as UploadedContent)).toBe(
    '07de2e61eea6d1acfe236b8c0c135cf40e18039e1d1c83e32cebafdd364af927',
  );
});
