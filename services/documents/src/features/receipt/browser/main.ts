/**
 * The receipt's script: verifies a PDF in the reader's browser with what the page itself holds. Bundled into
 * `../generated/checker.js` by `npm run receipt`.
 */
import { fromBase64 } from '@karaar/proof/bytes';
import { readCertificate } from '@karaar/proof/certificate';
import { checkDocument, type DocumentFinding, type StatedPlace } from '@karaar/proof/check';
import { fileOf } from '@karaar/proof/sealed-file';
import type { Key } from '../texts.ts';
import { firstLanguage, isLanguage, languageNames, moment, say, wordsOf } from './words.ts';

/** What the page holds; base64 for DER. */
type Receipt = {
  place: StatedPlace;
  keys: { log: string; witnesses: string[]; restarts?: string[] };
  sealers: string[];
  roots: string[];
  timestampRoots: string[];
};

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the receipt has no #${id}`);
  return found;
};
const receipt = JSON.parse(element('receipt').textContent ?? '') as Receipt;
const certificates = (list: string[]) => list.map((text) => readCertificate(fromBase64(text)));

async function check(file: File): Promise<DocumentFinding> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return checkDocument(fileOf(bytes), {
    sha256: new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
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
  finding?: DocumentFinding;
};

let language = firstLanguage(navigator.languages);
let outcome: Outcome | undefined;

/** Puts everything that the page says into the language that is chosen now. */
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
  if (outcome) show(outcome);
}

function show({ verdict, title, name, finding }: Outcome): void {
  const result = element('result');
  result.dataset['verdict'] = verdict;
  element('verdict').textContent = say(language, title, { name });
  const time = finding?.seal?.timestamp?.time.toISOString();
  element('checks').replaceChildren(
    ...(finding?.checks ?? []).map((check) => {
      const words = wordsOf(language, check, time);
      const line = document.createElement('li');
      line.dataset['ok'] = String(check.ok);
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
    const finding = await check(file);
    const verdict = finding.valid ? 'genuine' : 'forged';
    return { verdict, title: verdict, name, finding };
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
