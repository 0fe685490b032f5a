/** A page of the court pack, which opens from any disk without network access or scripts. */
import { escapeHtml, fontFaces, SANS } from '@karaar/rendering';

export type PackFacts = {
  code: string;
  name: string;
  /** Of the sealed PDF, lower-case hex. */
  sha256: string;
  /** ISO 8601. */
  sealedAt: string;
  madeAt: string;
  /** The party who asked for the pack; null for an admin, who does not sign Part A. */
  person: string | null;
  /** The host at which Karaar runs. */
  host: string;
};

const INDIA = new Intl.DateTimeFormat('en-GB', {
  ...{ day: '2-digit', month: '2-digit', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  hourCycle: 'h23',
  timeZone: 'Asia/Kolkata',
});

/** Formats an ISO 8601 time as in the certificate's Schedule: 25/11/2026, 18:05:09 IST. */
export const indianTime = (iso: string): string => `${INDIA.format(new Date(iso))} IST`;

const STYLE = `@page{size:A4;margin:18mm}*{box-sizing:border-box}
body{margin:0 auto;max-width:820px;padding:24px 16px;background:#fff;color:#1b1a17;font:15px/1.6 '${SANS}',sans-serif}
h1{font-size:24px;line-height:1.25;margin:0 0 8px}h2{font-size:18px;margin:32px 0 8px}p{margin:0 0 12px}
.note{border:1px solid #e6e0d4;border-radius:8px;background:#faf8f4;padding:12px 16px}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13px}th,td{text-align:left;vertical-align:top;padding:6px 10px 6px 0;border-top:1px solid #e6e0d4}
th{color:#6b6557;font-weight:400;border-top:0}.hash{font-family:ui-monospace,monospace;font-size:12px;overflow-wrap:anywhere}
.open{font:inherit;border:0;border-bottom:1px solid #1b1a17;background:#fff3b8;padding:2px 4px;max-width:100%}
label{margin-right:14px;white-space:nowrap}label input{accent-color:#1f3a8a}.sign{margin-top:24px}
@media print{body{padding:0;max-width:none}tr{break-inside:avoid}.part{break-before:page}}`;

/** @param body HTML, while `title` is text */
export function packPage(language: 'en' | 'hi', title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}-IN">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${fontFaces(title + body)}${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
