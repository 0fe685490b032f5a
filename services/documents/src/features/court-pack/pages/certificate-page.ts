/**
 * A draft of the certificate under section 63(4)(c) of the Bharatiya Sakshya Adhiniyam, 2023, in the two
 * parts of its Schedule. Facts from the record are filled in; facts that only the signer can state stay open.
 */
import { escapeHtml } from '@karaar/rendering';
import { CERTIFICATE, type CertificateWords } from './certificate-words.ts';
import { indianTime, packPage, type PackFacts } from './page.ts';

export function certificatePage(language: 'en' | 'hi', facts: PackFacts): string {
  const words = CERTIFICATE[language];
  const values: Record<string, string> = {
    person: facts.person ?? '',
    code: facts.code,
    name: facts.name,
    keeper: facts.host,
    sealedAt: indianTime(facts.sealedAt),
    sha256: facts.sha256,
  };
  const paragraphs = (list: readonly string[]) =>
    list.map((text) => `<p>${filled(signed(text, facts), values, words)}</p>`).join('\n');
  return packPage(
    language,
    `${words.title} · ${facts.code}`,
    `<p class="note">${escapeHtml(words.draft)}</p>
<h1>${escapeHtml(words.title)}</h1>
<p>${escapeHtml(words.source)}</p>
<section>
<h2>${escapeHtml(words.partA)}</h2>
${paragraphs(words.party)}
</section>
<section class="part">
<h2>${escapeHtml(words.partB)}</h2>
${paragraphs(words.expert)}
</section>`,
  );
}

/** In a pack for an admin, the signer's name stays open. */
const signed = (text: string, { person }: PackFacts): string =>
  person === null ? text.replace('{person}', '{open:30}') : text;

const TOKEN = /\{(\w+)(?::([^}]*))?\}/g;

/** `{open:20}` is a field of that width, `{tick:Server}` a box to tick, `{sha256}` a value of the record. */
function filled(text: string, values: Record<string, string>, words: CertificateWords): string {
  return escapeHtml(text).replace(TOKEN, (_, kind: string, argument = '') => {
    if (kind === 'open') return `<input class="open" size="${Number(argument)}" aria-label="${words.open}">`;
    if (kind === 'tick') return `<label><input type="checkbox" autocomplete="off"> ${argument}</label>`;
    const value = values[kind];
    if (value === undefined) throw new Error(`the certificate has no value {${kind}}`);
    return `<b class="${kind === 'sha256' ? 'hash' : 'known'}">${escapeHtml(value)}</b>`;
  });
}
