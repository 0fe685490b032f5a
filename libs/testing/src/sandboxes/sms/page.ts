import { escape, listPage } from '../list-page.ts';
import type { Sms } from './inbox.ts';

const clock = new Intl.DateTimeFormat('en-IN', {
  timeStyle: 'medium',
  dateStyle: 'medium',
  timeZone: 'Asia/Kolkata',
});

function item({ phone_no, text, code, sent_at }: Sms): string {
  return `<li>
<p class="to"><b>${escape(phone_no)}</b> <time datetime="${sent_at}">${escape(clock.format(new Date(sent_at)))}</time></p>
${code === null ? '' : `<p class="code">${escape(code)}</p>`}
<p class="text">${escape(text)}</p>
</li>`;
}

export const STYLE = `
:root { color-scheme: light dark; --paper: #faf8f4; --sheet: #fff; --ink: #1b1a17; --dim: #5d5a52; --line: #d8d3c7; --blue: #1f3a8a; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14130f; --sheet: #1e1c17; --ink: #efebe1; --dim: #aaa494; --line: #3a372e; --blue: #9db2f5; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 16px; }
h1 { font-size: 20px; margin: 0; }
header p, .to, .empty { color: var(--dim); margin: 4px 0; }
ul { list-style: none; padding: 0; }
li { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; margin: 12px 0; }
.to { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 8px; font-size: 14px; font-variant-numeric: tabular-nums; }
.to b { color: var(--ink); }
.code { font: 600 28px/1.3 ui-monospace, monospace; letter-spacing: 0.12em; color: var(--blue); margin: 4px 0; user-select: all; }
.text { margin: 4px 0; white-space: pre-line; overflow-wrap: anywhere; }
`;

/** Renders the inbox as a self-reloading page without scripts. */
export function inboxPage(texts: readonly Sms[], publicUrl: string, by: 'SMS' | 'WhatsApp'): string {
  const [first, then] =
    by === 'SMS'
      ? ['Ask for a code on the login page', 'it appears here']
      : ['Switch WhatsApp on in the notification settings', 'messages appear here'];
  return listPage({
    title: `${by} inbox`,
    lead: `Texts that ${escape(publicUrl)} sent, newest first. Development only: no phone gets them.`,
    empty: `No text has been sent yet. ${first}; ${then}.`,
    items: texts.map(item),
  });
}
