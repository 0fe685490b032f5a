/** The offline receipt: one HTML file that verifies a PDF without loading anything. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { LawText, LawWords } from '@karaar/contracts/cms/law';
import type { LogProof } from '@karaar/contracts/documents/log';
import { escapeHtml, fontFaces, SANS } from '@karaar/rendering';
import type { ReceiptApproval } from '../transparency-log/signed-approvals.ts';
import { TEXTS, type Key } from './texts.ts';

export type ReceiptData = {
  proof: LogProof;
  /** In DER: sealing certificates, their roots, roots of timestamp authorities. */
  sealers: readonly Uint8Array[];
  roots: readonly Uint8Array[];
  timestampRoots: readonly Uint8Array[];
  /** The origin of the pages on which passkeys sign. */
  origin: string;
  approvals: readonly ReceiptApproval[];
  /** The words about the law that the sealed PDF shows. */
  law: LawWords;
};

const SCRIPT = readFileSync(new URL('./generated/checker.js', import.meta.url), 'utf8').trim();

const WORDS = Object.values(TEXTS).flatMap(Object.values).join('');

/** The fonts are embedded, so that the page looks the same on any machine, years later. */
const styleFor = (
  words: string,
): string => `${fontFaces(words)}:root{color-scheme:light dark;--paper:#faf8f4;--sheet:#fff;--ink:#1b1a17;--faint:#6b6557;--line:#e6e0d4;--blue:#1f3a8a;--red:#b4232a;--green:#1c6642}
@media(prefers-color-scheme:dark){:root{--paper:#14130f;--sheet:#1e1c17;--ink:#f1ede4;--faint:#a59e8d;--line:#38342a;--blue:#9db4ff;--red:#ff8d8d;--green:#7fd6a8}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 '${SANS}',system-ui,sans-serif}
main{max-width:680px;margin:0 auto;padding:32px 16px}h1{font-size:28px;line-height:1.2;margin:0 0 8px}p{margin:0 0 16px}
.faint,dt{color:var(--faint)}.sheet{background:var(--sheet);border:1px solid var(--line);border-radius:10px;padding:20px;margin:24px 0}
label.drop{display:block;border:1px dashed var(--blue);border-radius:10px;padding:32px 16px;text-align:center;font-weight:600;color:var(--blue);cursor:pointer}
input:focus-visible{outline:2px solid var(--blue);outline-offset:4px}input::file-selector-button{font:inherit}input{font:inherit;display:block;margin:12px auto 0;max-width:100%}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 16px;margin:0}dd{margin:0;overflow-wrap:anywhere}
h2{font-size:20px;margin:0 0 12px}h3{font-size:16px;margin:16px 0 8px}#result[data-verdict=genuine] h2{color:var(--green)}#result[data-verdict=forged] h2{color:var(--red)}
.language{display:block;text-align:right;margin:0 0 16px;color:var(--faint)}select{font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--line);border-radius:6px;padding:8px;min-height:44px}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}li p{margin:4px 0 0}
.mark{display:inline-block;width:.4em;height:.8em;margin:0 .6em .1em .2em;border:solid;border-width:0 .15em .15em 0;rotate:45deg}
[data-ok=false] .mark{width:.8em;margin-left:0;border:0;rotate:none;background:linear-gradient(45deg,#0000 43%,currentColor 43% 57%,#0000 57%),linear-gradient(-45deg,#0000 43%,currentColor 43% 57%,#0000 57%)}
ul{list-style:none;margin:0;padding:0}li{padding:12px 0;border-top:1px solid var(--line)}li[data-ok=false]{color:var(--red)}`;

const csp = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const base64 = (list: readonly Uint8Array[]): string[] =>
  list.map((der) => Buffer.from(der).toString('base64'));

const lawHtml = ({ title, lines }: LawText): string =>
  [
    `<h2>${escapeHtml(title)}</h2>`,
    ...lines.map(({ text, heading }) =>
      heading ? `<h3>${escapeHtml(text)}</h3>` : `<p>${escapeHtml(text)}</p>`,
    ),
  ].join('');

/** Returns the page. Its Content-Security-Policy allows exactly this script and no loading. */
export function receiptPage({ proof, ...trust }: ReceiptData): string {
  const { keys, ...place } = proof;
  const data = JSON.stringify({
    place,
    keys,
    sealers: base64(trust.sealers),
    roots: base64(trust.roots),
    timestampRoots: base64(trust.timestampRoots),
    // Host and protocol only: the page contains no URL.
    site: { protocol: new URL(trust.origin).protocol, host: new URL(trust.origin).host },
    approvals: trust.approvals,
    law: trust.law,
  }).replaceAll('<', '\\u003c');
  const style = styleFor(`${WORDS}${JSON.stringify(trust.law)}`);
  const policy = `default-src 'none'; script-src ${csp(SCRIPT)}; style-src ${csp(style)}; font-src data:; base-uri 'none'; form-action 'none'`;
  /** The script replaces the text by the reader's language; without scripts the page shows English. */
  const text = (tag: string, key: Key): string =>
    `<${tag} data-text="${key}">${escapeHtml(TEXTS.en[key].replace('{code}', proof.document_code))}</${tag}>`;
  const fact = (key: Key, value: string): string => `${text('dt', key)}<dd>${value}</dd>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Karaar ${escapeHtml(proof.document_code)}</title>
<style>${style}</style>
</head>
<body>
<main>
<label class="language" for="language">${text('span', 'language')} <select id="language"></select></label>
${text('h1', 'receiptTitle')}
${text('p', 'receiptLead')}
<label class="drop" for="file">${text('span', 'drop')}
<input id="file" type="file" accept="application/pdf,.pdf,application/zip,.zip"></label>
<section id="result" class="sheet" role="status" hidden><h2 id="verdict"></h2><ul id="checks"></ul></section>
<section class="sheet"><dl>
${fact('code', escapeHtml(proof.document_code))}
${fact('sealedAt', `<time datetime="${escapeHtml(proof.sealed_at)}">${escapeHtml(proof.sealed_at)}</time>`)}
${fact('hash', escapeHtml(proof.sha256))}
${fact('place', '<span data-text="placeValue"></span>')}
</dl></section>
<section class="sheet" id="law">${lawHtml(trust.law.en)}</section>
<p class="faint" data-text="keep">${escapeHtml(TEXTS.en.keep)}</p>
</main>
<script type="application/json" id="receipt">${data}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
