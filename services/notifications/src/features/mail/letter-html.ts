/**
 * The HTML of an e-mail. It loads no image, script or other file, so that it is complete in programs that
 * block these. Tables and inline styles, because many mail programs support little else. Pure.
 */

import type { Language } from '@karaar/contracts/limits';

/** The parts of a letter, in the reader's language. */
export type LetterParts = {
  language: Language;
  title: string;
  greeting: string;
  line: string;
  reason: string | null;
  /** The lines of a digest, each with its link. */
  items?: readonly { line: string; href: string }[];
  /** Null if the letter opens nothing. */
  button: { label: string; href: string } | null;
  why: string;
  /** Null in an e-mail to an address without an account, which has no settings. */
  choose: { label: string; href: string } | null;
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** For mail programs that support colour schemes; all others use the light inline styles. */
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background: #14130f !important; }
  .sheet { background: #1e1c17 !important; border-color: #3a372e !important; }
  .ink { color: #efebe1 !important; }
  .dim { color: #aaa494 !important; }
  .quote { border-color: #6f6a5c !important; }
  .button { background: #9db2f5 !important; color: #14130f !important; }
}
@media (max-width: 480px) { .sheet { padding: 24px 20px !important; } }`;

const FONT = "font-family: 'Noto Sans', system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif;";

/** Returns the HTML of an e-mail. It escapes every text, because users write some of them. */
export function htmlLetter(parts: LetterParts): string {
  const e = escapeHtml;
  const { language, title, greeting, line, reason, items = [], button, why, choose } = parts;
  const quote = reason
    ? `<p class="ink quote" style="margin: 0 0 16px; padding-left: 12px; border-left: 3px solid #d8d3c7; color: #1b1a17; white-space: pre-line; overflow-wrap: anywhere;">${e(reason)}</p>`
    : '';
  const list = items
    .map(
      (item) =>
        `<p class="ink" style="margin: 0 0 12px; color: #1b1a17; overflow-wrap: anywhere;">${e(item.line)}<br><a class="ink" href="${e(item.href)}" style="color: #1f3a8a;">${e(item.href)}</a></p>`,
    )
    .join('\n');
  const open = button
    ? `<p style="margin: 24px 0 0;"><a class="button" href="${e(button.href)}" style="display: inline-block; padding: 12px 22px; border-radius: 8px; background: #1f3a8a; color: #ffffff; font-weight: 600; text-decoration: none;">${e(button.label)}</a></p>`
    : '';
  const settings = choose
    ? `<br><a class="dim" href="${e(choose.href)}" style="color: #5d5a52;">${e(choose.label)}</a>`
    : '';
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${e(title)}</title>
<style>${DARK}</style>
</head>
<body class="paper" style="margin: 0; background: #faf8f4;">
<table role="presentation" class="paper" width="100%" cellspacing="0" cellpadding="0" style="background: #faf8f4;"><tr><td align="center" style="padding: 24px 12px;">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width: 560px;">
<tr><td class="ink" style="${FONT} padding: 0 4px 16px; font-size: 20px; font-weight: 700; color: #1b1a17;">Karaar</td></tr>
<tr><td class="sheet" style="${FONT} padding: 32px; background: #ffffff; border: 1px solid #d8d3c7; border-radius: 12px; font-size: 16px; line-height: 1.6;">
<h1 class="ink" style="margin: 0 0 16px; font-size: 22px; line-height: 1.35; color: #1b1a17;">${e(title)}</h1>
<p class="ink" style="margin: 0 0 16px; color: #1b1a17;">${e(greeting)}</p>
<p class="ink" style="margin: 0 0 16px; color: #1b1a17; overflow-wrap: anywhere;">${e(line)}</p>
${quote}
${list}
${open}
</td></tr>
<tr><td class="dim" style="${FONT} padding: 16px 4px 0; font-size: 13px; line-height: 1.5; color: #5d5a52;">${e(why)}${settings}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}
