const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Escapes a text for HTML. */
export const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

type ListPage = {
  title: string;
  /** The introduction, as safe markup. */
  lead: string;
  empty: string;
  items: readonly string[];
};

const MOST = 100;

/** Renders a sandbox's list as a self-reloading page without scripts. */
export function listPage({ title, lead, empty, items }: ListPage): string {
  const list =
    items.length === 0
      ? `<p class="empty">${escape(empty)}</p>`
      : `<ul>${items.slice(0, MOST).join('')}</ul>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="3">
<title>${escape(title)} (development)</title>
<link rel="stylesheet" href="/dev/sms.css">
</head>
<body><main>
<header><h1>${escape(title)}</h1>
<p>${lead}</p></header>
${list}
</main></body>
</html>
`;
}
