import { escapeHtml } from '@karaar/rendering';
import type { PackSource } from '../evidence-files.ts';
import { indianTime, packPage, type PackFacts } from './page.ts';

/** The hash report, which is enclosed with a certificate under section 63(4). */
export function hashPage(facts: PackFacts, files: readonly PackSource[]): string {
  const title = `Hash report · हैश रिपोर्ट · ${facts.code}`;
  const rows = files.map(
    ({ name, bytes, sha256 }) =>
      `<tr><td>${escapeHtml(name)}</td><td>${bytes}</td><td class="hash">${sha256}</td></tr>`,
  );
  return packPage(
    'en',
    title,
    `<h1>${escapeHtml(title)}</h1>
<p>“${escapeHtml(facts.name)}” · ${indianTime(facts.madeAt)} · SHA-256 (FIPS 180-4)</p>
<div class="wide"><table>
<thead><tr><th>File · फ़ाइल</th><th>Bytes · बाइट</th><th>SHA-256</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>
<p class="note">The list LIST.txt of this pack holds the hash of every file in it and carries the signature of Karaar’s transparency log. To compute a hash yourself: <b>sha256sum FILE</b> (Linux), <b>shasum -a 256 FILE</b> (macOS), <b>certutil -hashfile FILE SHA256</b> (Windows).</p>
<p class="note" lang="hi">इस पैक की सूची LIST.txt में हर फ़ाइल का हैश है और उस पर करार के पारदर्शिता लॉग के हस्ताक्षर हैं। हैश स्वयं निकालने के आदेश ऊपर दिए गए हैं।</p>`,
  );
}
