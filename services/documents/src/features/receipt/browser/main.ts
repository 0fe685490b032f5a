/**
 * The receipt's script: verifies a PDF in the reader's browser with what the page itself holds. Bundled into
 * `../generated/checker.js` by `npm run receipt`.
 */
import { fromBase64 } from '@karaar/proof/bytes';
import { readCertificate } from '@karaar/proof/certificate';
import { checkDocument, type DocumentFinding, type StatedPlace } from '@karaar/proof/check';
import { fileOf } from '@karaar/proof/sealed-file';

/** What the page holds; base64 for DER. */
type Receipt = {
  place: StatedPlace;
  keys: { log: string; witnesses: string[] };
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

function show(
  verdict: 'genuine' | 'forged' | 'unknown',
  title: string,
  lines: DocumentFinding['checks'],
): void {
  const result = element('result');
  result.dataset['verdict'] = verdict;
  element('verdict').textContent = title;
  element('checks').replaceChildren(
    ...lines.map(({ ok, detail }) => {
      const line = document.createElement('li');
      line.dataset['ok'] = String(ok);
      line.textContent = `${ok ? '✓' : '✗'} ${detail}`;
      return line;
    }),
  );
  result.hidden = false;
}

async function take(file: File | undefined): Promise<void> {
  if (!file) return;
  element('result').hidden = true;
  if (!globalThis.crypto?.subtle) {
    show(
      'unknown',
      'This browser does not offer what the check needs. Please open the receipt in another.',
      [],
    );
    return;
  }
  try {
    const { valid, checks } = await check(file);
    show(
      valid ? 'genuine' : 'forged',
      valid ? `“${file.name}” is genuine` : `Do not rely on “${file.name}”`,
      checks,
    );
  } catch {
    show('unknown', 'The file could not be read. Please try again.', []);
  }
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
