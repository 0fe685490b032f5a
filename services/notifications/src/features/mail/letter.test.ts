/** E-mails with dates, files, several reminders and hostile names. */
import { LANGUAGES } from '@karaar/contracts/limits';
import { NOTIFICATION_KINDS } from '@karaar/contracts/notifications/kinds';
import { composeDigest, composeLetter, unlinked, type LetterFacts } from './letter.ts';

const facts: LetterFacts = {
  kind: 'invited',
  language: 'en',
  name: 'Asha Rao',
  actorName: 'Vikram Shah',
  documentId: '0193a1b2-0000-7000-8000-000000000001',
  documentName: 'Lease of the shop',
  reason: null,
  amountPaise: 123_450,
  answerBy: null,
  nameInSubject: false,
  publicUrl: 'https://karaar.example',
};
it.each(LANGUAGES)('asks for an answer by a day in %s, with Latin digits, in text and HTML', (language) => {
  const { subject, text, html } = composeLetter({ ...facts, language, answerBy: '2026-12-12' });
  for (const words of [text, html]) {
    expect(words).toMatch(/12\D+2026/);
    expect(words).not.toContain('{day}');
  }
  expect(subject).not.toContain('2026');
  expect(composeLetter({ ...facts, language }).text).not.toContain('2026');
});

it.each(LANGUAGES)('says in %s whether the sealed files are attached, and why not', (language) => {
  const said = (['attached', 'too_large', 'unreadable'] as const).map((files) => {
    const { subject, text, html } = composeLetter({ ...facts, kind: 'sealed', language, files });
    expect(subject).not.toContain('PDF');
    for (const words of [text, html]) expect(words).toContain('PDF');
    return text;
  });
  expect(new Set(said).size).toBe(3);
});

it('writes the day in words', () => {
  const { text } = composeLetter({ ...facts, answerBy: '2026-12-12' });
  expect(text).toContain(
    'Vikram Shah asks you to agree on “Lease of the shop”. Please answer by 12 December 2026.',
  );
});

it.each(LANGUAGES)('has several reminders in one e-mail in %s, each with its own link', (language) => {
  const items = ['1', '2', '3'].map((nth) => ({
    actorName: nth === '3' ? null : `Vikram ${nth}`,
    documentId: facts.documentId?.replace(/1$/, nth) ?? null,
    documentName: `Lease ${nth}`,
    answerBy: nth === '2' ? '2026-12-12' : null,
  }));
  const { subject, text, html } = composeDigest({ ...facts, language }, items);
  expect(subject).toContain('3');
  expect(subject).not.toMatch(/Lease|Vikram/);
  for (const words of [subject, text, html]) expect(words).not.toMatch(/\{\w+\}|undefined|null/);
  for (const words of [text, html]) {
    for (const { documentId, documentName } of items) {
      expect(words).toContain(`https://karaar.example/document/${documentId}`);
      expect(words).toContain(documentName);
    }
    expect(words.match(/2026/g)).toHaveLength(1);
  }
  expect(html).not.toMatch(/<img|<script|url\(|src=|@import/);
});

it('has a different subject for each kind', () => {
  for (const language of LANGUAGES) {
    const subjects = NOTIFICATION_KINDS.map((kind) => composeLetter({ ...facts, kind, language }).subject);
    expect(new Set(subjects).size).toBe(NOTIFICATION_KINDS.length);
  }
});

it("has the document's name in the subject only if its owner allows that", () => {
  expect(composeLetter(facts).subject).toBe('You are asked to agree on a document');
  expect(composeLetter({ ...facts, nameInSubject: true }).subject).toBe(
    'You are asked to agree on a document: Lease of the shop',
  );
});

it('shows money in rupees, and the reason for a rejection', () => {
  expect(composeLetter({ ...facts, kind: 'paid' }).text).toContain('₹1,234.50');
  expect(composeLetter({ ...facts, kind: 'rejected', reason: 'Too dear' }).text).toContain(
    'Reason: Too dear',
  );
});

it('turns no text of other users into a link or HTML, and keeps it on one line', () => {
  const { subject, text, html } = composeLetter({
    ...facts,
    nameInSubject: true,
    actorName: '<b>Win at https://evil.example</b>',
    documentName: `Lease\r\nBcc: all@evil.example ${'x'.repeat(200)}`,
    reason: 'see www.evil.example <script>alert(1)</script>',
  });
  expect(html).not.toMatch(/<b>|<script>/);
  for (const words of [subject, text, html])
    expect(words).not.toMatch(/evil\.example|https:\/\/evil|all@evil/);
  expect(subject).not.toMatch(/[\r\n]/);
  expect([...subject].length).toBeLessThan(140);
});

it('adds only invisible joiners', () => {
  expect(unlinked('a.b@c.in/d: e.').replaceAll('\u2060', '')).toBe('a.b@c.in/d: e.');
});

it.each(LANGUAGES)('says in %s from which amount to which a share was changed', (language) => {
  const changed = {
    ...facts,
    kind: 'share_due' as const,
    language,
    amountPaise: 33_500,
    replacedPaise: 20_100,
  };
  const { text } = composeLetter(changed);
  expect(text.indexOf('₹201.00')).toBeGreaterThan(0);
  expect(text.indexOf('₹335.00')).toBeGreaterThan(text.indexOf('₹201.00'));
});
