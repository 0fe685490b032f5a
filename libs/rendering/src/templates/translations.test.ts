/** Each translation of a certificate sentence has the values of the English one. */
import { LeftOut } from '@karaar/contracts/documents/http';
import { LANGUAGES } from '@karaar/contracts/limits';
import { untranslatedWords } from '@karaar/testing/latin-words';
import { SEAL_NOTES } from './seal-notes.ts';
import { agreement } from '../testing/samples.ts';
import { certificatePart } from './certificate.ts';
import { sheet } from './sheet.ts';
import { factsOf } from './facts.ts';
import { momentIn } from './format.ts';
import type { Html } from './html.ts';
import { SENTENCES as S, type Sentence } from './sentences.ts';
import { isTranslated, wordsOf } from './words.ts';

const at = '2026-11-21T03:04:05Z';
const name = 'Vikram Shah';
const LEFT_OUT = LeftOut.anyOf.map(({ const: part }) => part);
const document = { verifyUrl: 'https://karaar.example', logOrigin: 'karaar.example/log', totalPaise: 54_750 };

/** Every sentence of the certificate with words, in every variant. */
const SAID: [string, Sentence<never>, object][] = (
  [
    ['putTogether', { name, code: '7K3M9QXA', composedAt: at }],
    ['historyMade', { name, code: '7K3M9QXA', composedAt: at }],
    ['entryEvidence', { evidence: [{ of: 'sealedPdf', sha256: 'ef'.repeat(32) }] }],
    ['checkIt', document],
    ['seal', { signer: 'Karaar seal' }],
    ...(['B-B', 'B-T', 'B-LT'] as const).map((sealLevel) => ['sealTime', { sealLevel }] as const),
    ...Object.values(SEAL_NOTES).map((sealNote) => ['sealNote', { sealNote }] as const),
    ['sealOwnAuthority', { ...document, ownAuthority: true }],
    ['sealCertificate', { certFingerprint: 'ab'.repeat(32) }],
    ['log', document],
    ['chargeIs', document],
    ...[1, 2, 365].map((days) => ['chargedFor', { days }] as const),
    ['statements', { statementAmong: true }],
    ['liveMeans', { liveAmong: true }],
    ['statedMeans', { statedAmong: true }],
    ['approved', { approvedAt: at }],
    ...(['key', 'session'] as const).map(
      (approvedBy) => ['approvedBy', { approvedAt: at, approvedBy }] as const,
    ),
    ['oneImageTwice', { oneImageTwice: true, name }],
    ['sharedImage', { sharedImage: true, name }],
    ['sentBefore', { sentBefore: true, name }],
    ['event', { actor: 'Meera Nair', event: { key: 'eventPartyInvited', name }, at }],
    ...(['pdf', 'image', 'doc', 'docx'] as const).map((file) => ['inputFile', { file }] as const),
    ['inputPages', { pages: true }],
    ...[[3], [3, 5]].map((picturePages) => ['inputPictures', { picturePages }] as const),
    ['inputAccepted', { picturePages: [3], acceptedBy: name, acceptedAt: at }],
    ...LEFT_OUT.map((part) => ['inputLeftOut', { leftOut: [part] }] as const),
    ['inputLeftOutAccepted', { leftOut: ['scripts'], acceptedBy: name, leftOutAcceptedAt: at }],
    ...(['live', 'device', 'unstated'] as const).flatMap(
      (source) =>
        [
          ['inputFace', { faceSource: source }],
          ['inputEye', { eyeSource: source }],
        ] as const,
    ),
    ...(['drawn', 'typed', 'uploaded', 'unstated'] as const).map(
      (signMethod) => ['inputSign', { signMethod }] as const,
    ),
    ['inputStatement', { statement: 'cd'.repeat(32) }],
  ] as const
).map(([key, facts]) => [key, S[key] as Sentence<never>, facts]);

/** Returns names, codes and hashes with their markup, and the other digits. */
function valuesOf({ markup }: Html): { marked: string[]; digits: string[] } {
  const marked = [...markup.matchAll(/<(?:bdi|span class="mono[^"]*")>([^<]*)</g)].map(([, value]) => value!);
  return { marked: marked.sort(), digits: (markup.match(/\d+/g) ?? []).sort() };
}
/** Returns the certificate's own words: without names, codes, hashes and names of standards. */
const ownWords = ({ markup }: Html): string =>
  markup
    .replace(/<(bdi|span class="mono[^"]*")>[^<]*<\/\w+>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/DocMDP P=1|PAdES B-(B|T|LT)|\bIST\b/g, ' ');

describe.each(LANGUAGES.filter(isTranslated))('in %s', (language) => {
  const words = wordsOf(language);

  it.each(SAID)('“%s” has every value of the English one, and no English', (_key, sentence, facts) => {
    // Each sentence has other facts.
    const [own, english] = [sentence.from(facts as never, words)!, sentence.from(facts as never)!];
    expect(valuesOf(own)).toEqual(valuesOf(english));
    expect(untranslatedWords(ownWords(own))).toEqual([]);
    expect(ownWords(own)).toMatch(/\p{L}/u);
  });

  it('translates the labels of values', () => {
    for (const { label } of [S.chargedFor, S.dailyRate, S.total])
      expect(untranslatedWords(label!(words).markup)).toEqual([]);
  });

  it('writes times in Indian time with Latin digits', () => {
    expect(momentIn(language)(at)).toMatch(/\b21\b.*\b2026\b.*\b08:34:05 IST$/);
    expect(momentIn(language)(at)).not.toContain('Nov');
  });

  it('translates known history events, and marks the others, as recorded, as English', async () => {
    const input = await agreement({
      languages: [language],
      auditTrail: [
        { at, actor: 'Asha Rao', action: 'Invited Vikram Shah', type: 'party.invited', subject: name },
        { at, actor: 'Asha Rao', action: 'Invited someone', type: 'party.invited' },
        { at, actor: 'Asha Rao', action: 'Did what has no words', type: 'party.levitated' },
        { at, actor: 'Asha Rao', action: 'Wrote before types' },
      ],
    });
    const part = certificatePart(factsOf(input), { qrSvg: '', hashes: [], words });
    const page = part.body.markup;
    expect(page).toContain(
      words.say('eventPartyInvited', { name: S.entryDetail.from({ detail: name })! }).markup,
    );
    expect(page).not.toContain('Invited Vikram Shah');
    for (const kept of ['Invited someone', 'Did what has no words', 'Wrote before types'])
      expect(page).toContain(`<span lang="en">${kept}</span>`);
    expect(sheet({ title: 'x', code: 'x', parts: [part] })).toContain(`lang="${language}-IN"`);
  });

  it('shows the operator’s words about the law in this language, and in English where they are missing', async () => {
    const law = { en: { title: 'Ours', lines: [{ text: 'In English' }] } };
    const page = async (more: object) =>
      certificatePart(factsOf(await agreement({ languages: [language], law: { ...law, ...more } })), {
        qrSvg: '',
        hashes: [],
        words,
      }).body.markup;
    const own = await page({ [language]: { title: 'T', lines: [{ text: `Words in ${language}` }] } });
    expect(own).toContain(`<p class="small">Words in ${language}</p>`);
    expect(own).not.toContain('In English');
    expect(await page({})).toMatch(/<div lang="en"><h2>Ours<\/h2>\s*<p class="small">In English<\/p><\/div>/);
  });

  it('marks a seal note without a translation as English', () => {
    expect(S.sealNote.from({ sealNote: 'A new reason.' }, words)?.markup).toBe(
      '<span lang="en">A new reason.</span>',
    );
  });
});

it('throws an error for a text without its value, and leaves no gap', () => {
  expect(() => wordsOf('hi').say('approvedAt')).toThrow('The text "approvedAt" needs "when"');
});
