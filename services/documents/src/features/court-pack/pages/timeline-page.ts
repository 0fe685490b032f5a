import { escapeHtml } from '@karaar/rendering';
import type { TimelineLine } from '../pack-record.ts';
import { indianTime, packPage } from './page.ts';

/** The readable history; `record.json` has the text from which each chain value is computed. */
export function timelinePage(code: string, lines: readonly TimelineLine[]): string {
  const title = `Timeline · घटनाक्रम · ${code}`;
  const rows = lines.map(
    ({ at, who, what, about, chain }) =>
      `<tr><td>${indianTime(at)}</td><td>${escapeHtml(who)}</td><td>${escapeHtml(what)}${
        about ? ` (${escapeHtml(about)})` : ''
      }</td><td class="hash">${chain}</td></tr>`,
  );
  return packPage(
    'en',
    title,
    `<h1>${escapeHtml(title)}</h1>
<p>Times are Indian Standard Time. Each chain value is the SHA-256 of the value before it and of this line as record.json has it, so that no line can be changed, added or left out without changing all that follow.</p>
<p lang="hi">समय भारतीय मानक समय में हैं। हर पंक्ति का चेन मान पिछले मान और इस पंक्ति का SHA-256 है, इसलिए कोई पंक्ति बदली, जोड़ी या हटाई नहीं जा सकती जब तक बाद के सभी मान न बदलें।</p>
<div class="wide"><table>
<thead><tr><th>Time · समय</th><th>Who · कौन</th><th>What · क्या</th><th>Chain · चेन</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>`,
  );
}
