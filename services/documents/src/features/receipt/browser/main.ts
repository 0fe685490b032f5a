/**
 * The script of the receipt page: verifies a PDF, or a court pack with its PDF, in the reader's browser, with
 * data from the page only. `npm run receipt` bundles it into `../generated/checker.js`.
 */
import { fromBase64 } from '@karaar/proof/bytes';
import { readCertificate } from '@karaar/proof/seal/certificate';
import { checkDocument, type DocumentFinding, type StatedPlace } from '@karaar/proof/seal/check';
import { parseKey } from '@karaar/proof/log/note';
import { checkPack, fileInPack, type PackFinding } from '@karaar/proof/pack';
import { fileOf } from '@karaar/proof/seal/sealed-file';
import type { LawWords } from '@karaar/contracts/cms/law';
import type { Key } from '../texts.ts';
import { checkApprovals, type ApprovalInReceipt, type FoundApproval, type Site } from './approvals.ts';
import {
  approvalWords,
  firstLanguage,
  isLanguage,
  languageNames,
  moment,
  noSealWords,
  packFaultWords,
  say,
  wholePackWords,
  wordsOf,
} from './words.ts';

/** The data in the page; DER in base64. */
type Receipt = {
  place: StatedPlace;
  keys: { log: string; witnesses: string[]; restarts: string[] };
  sealers: string[];
  roots: string[];
  timestampRoots: string[];
  site: Site;
  approvals: ApprovalInReceipt[];
  law: LawWords;
};

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the receipt has no #${id}`);
  return found;
};
const receipt = JSON.parse(element('receipt').textContent ?? '') as Receipt;
const certificates = (list: string[]) => list.map((text) => readCertificate(fromBase64(text)));

type Line = { ok: boolean; words: () => { title: string; finding: string; verdict: string } };

function sealLines(finding: DocumentFinding): Line[] {
  const { checks, seal } = finding;
  return checks.map((check) => ({ ok: check.ok, words: () => wordsOf(language, check, seal) }));
}

/** Returns one line for an intact pack, else one line per damaged file. */
function packLines(finding: PackFinding): Line[] {
  const count = finding.list?.files.length ?? 0;
  if (finding.valid) return [{ ok: true, words: () => wholePackWords(language, count) }];
  return finding.files.flatMap(({ name, fault }) =>
    fault ? [{ ok: false, words: () => packFaultWords(language, name, fault) }] : [],
  );
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

async function check(file: File): Promise<{ valid: boolean; lines: Line[] }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!isZip(bytes)) {
    return checkSealed(bytes);
  }
  const pack = await checkPack(bytes, parseKey(receipt.keys.log));
  const seal = await sealInPack(pack, bytes);
  return { valid: pack.valid && seal.valid, lines: [...packLines(pack), ...seal.lines] };
}

/** Checks the PDF of this receipt's agreement in the pack. A pack with the record alone lists no PDF. */
async function sealInPack(
  { list }: PackFinding,
  bytes: Uint8Array,
): Promise<{ valid: boolean; lines: Line[] }> {
  const code = receipt.place.document_code;
  const name = `agreement-${code}.pdf`;
  const sealed = fileInPack(bytes, name);
  if (sealed) return checkSealed(sealed);
  if (!list) return { valid: false, lines: [] };
  const isOther = list.code !== code;
  const isMissing = list.files.some((file) => file.name === name);
  if (isMissing) return { valid: false, lines: [] };
  return { valid: !isOther, lines: [{ ok: !isOther, words: () => noSealWords(language, isOther) }] };
}

async function checkSealed(bytes: Uint8Array): Promise<{ valid: boolean; lines: Line[] }> {
  const finding = await checkPdf(bytes);
  const found = await checkApprovals(receipt.approvals, receipt.site, receipt.place);
  return {
    valid: finding.valid && found.every(({ state }) => state !== 'broken'),
    lines: [...sealLines(finding), ...found.map(approvalLine)],
  };
}

const approvalLine = (found: FoundApproval): Line => ({
  ok: found.state !== 'broken',
  words: () => approvalWords(language, found),
});

async function checkPdf(bytes: Uint8Array): Promise<DocumentFinding> {
  return checkDocument(fileOf(bytes), {
    sha256: new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)),
    trust: {
      sealers: certificates(receipt.sealers),
      roots: certificates(receipt.roots),
      timestampRoots: certificates(receipt.timestampRoots),
    },
    place: receipt.place,
    keys: receipt.keys,
  });
}

type Outcome = {
  verdict: 'genuine' | 'forged' | 'unknown';
  title: Key;
  name: string;
  lines?: Line[];
};

let language = firstLanguage(navigator.languages);
let outcome: Outcome | undefined;

function draw(): void {
  const { place, keys } = receipt;
  document.documentElement.lang = language;
  const values = {
    code: place.document_code,
    log: keys.log.split('+')[0] ?? '',
    index: place.leaf_index,
    size: place.tree_size,
  };
  document.title = say(language, 'receiptTitle', values);
  for (const part of document.querySelectorAll<HTMLElement>('[data-text]'))
    part.textContent = say(language, part.dataset['text'] as Key, values);
  for (const part of document.querySelectorAll('time')) part.textContent = moment(language, part.dateTime);
  drawLaw();
  if (outcome) show(outcome);
}

/** An operator's own words may be in English only. */
function drawLaw(): void {
  const section = element('law');
  const own = receipt.law[language];
  const { title, lines } = own ?? receipt.law.en;
  section.lang = own ? language : 'en';
  const part = (tag: string, text: string): HTMLElement =>
    Object.assign(document.createElement(tag), { textContent: text });
  section.replaceChildren(
    part('h2', title),
    ...lines.map(({ text, heading }) => part(heading ? 'h3' : 'p', text)),
  );
}

function show({ verdict, title, name, lines = [] }: Outcome): void {
  const result = element('result');
  result.dataset['verdict'] = verdict;
  element('verdict').textContent = say(language, title, { name });
  element('checks').replaceChildren(
    ...lines.map(({ ok, words: wordsNow }) => {
      const words = wordsNow();
      const line = document.createElement('li');
      line.dataset['ok'] = String(ok);
      const [mark, spoken, heading, text] = ['span', 'span', 'b', 'p'].map((tag) =>
        document.createElement(tag),
      );
      if (!mark || !spoken || !heading || !text) return line;
      mark.className = 'mark';
      spoken.className = 'spoken';
      spoken.textContent = `${words.verdict}: `;
      heading.textContent = words.title;
      text.textContent = words.finding;
      line.append(mark, spoken, heading, text);
      return line;
    }),
  );
  result.hidden = false;
}

async function outcomeOf(file: File): Promise<Outcome> {
  const { name } = file;
  if (!globalThis.crypto?.subtle) return { verdict: 'unknown', title: 'noCrypto', name };
  try {
    const { valid, lines } = await check(file);
    const verdict = valid ? 'genuine' : 'forged';
    return { verdict, title: verdict, name, lines };
  } catch {
    return { verdict: 'unknown', title: 'unreadable', name };
  }
}

async function take(file: File | undefined): Promise<void> {
  if (!file) return;
  element('result').hidden = true;
  outcome = await outcomeOf(file);
  show(outcome);
}

const input = element('file');
input.addEventListener('change', () => {
  if (input instanceof HTMLInputElement) void take(input.files?.[0]);
});
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  void take(event.dataTransfer?.files[0]);
});
const chooser = element('language');
chooser.append(...languageNames.map((each) => new Option(each.name, each.language)));
if (chooser instanceof HTMLSelectElement) {
  chooser.value = language;
  chooser.addEventListener('change', () => {
    if (isLanguage(chooser.value)) language = chooser.value;
    draw();
  });
}
draw();
