import type { Json, OpenApiDocument } from './openapi-document.ts';

type Tree = { [name: string]: Json };

/** Renders the OpenAPI document as one HTML page without scripts. */
export function docsPage(document: OpenApiDocument): string {
  const info = tree(document['info']);
  const operations = Object.entries(tree(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(tree(methods)).map(([method, operation]) => ({
      path,
      method,
      operation: tree(operation),
    })),
  );
  const tags = [...new Set(operations.map(({ operation }) => tagOf(operation)))];
  const sections = tags.map(
    (tag) => `<section id="${escape(tag)}"><h2>${escape(tag)}</h2>
${operations
  .filter(({ operation }) => tagOf(operation) === tag)
  .map(({ path, method, operation }) => operationHtml(path, method, operation))
  .join('\n')}</section>`,
  );
  const schemas = Object.entries(tree(tree(document['components'])['schemas'])).map(
    ([name, schema]) =>
      `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code></summary>${schemaHtml(schema)}</details>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(text(info['title']))} API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/style.css">
</head>
<body>
<header><h1>${escape(text(info['title']))} API</h1>
<p>${prose(text(info['description']))}</p>
<p><a href="/api/docs/openapi.json">openapi.json</a></p>
<nav>${tags.map((tag) => `<a href="#${escape(tag)}">${escape(tag)}</a>`).join(' ')} <a href="#schemas">schemas</a></nav></header>
<main>
${sections.join('\n')}
<section id="schemas"><h2>schemas</h2>
${schemas.join('\n')}</section>
</main>
</body>
</html>
`;
}

function operationHtml(path: string, method: string, operation: Tree): string {
  const security = list(operation['security']).flatMap((one) => Object.keys(tree(one)));
  const access = security[0] ?? 'public';
  return `<details><summary><span class="method ${method}">${method.toUpperCase()}</span>
<code>/api${escape(path)}</code> <span class="access">${escape(access)}</span>
<span class="summary">${escape(text(operation['summary']))}</span></summary>
${parametersHtml(list(operation['parameters']))}${contentHtml('Request', operation['requestBody'])}
${Object.entries(tree(operation['responses']))
  .map(([status, response]) => contentHtml(`${status} ${text(tree(response)['description'])}`, response))
  .join('\n')}</details>`;
}

function parametersHtml(parameters: readonly Json[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map((one) => {
    const { name = '', in: where = '', required, schema = null } = tree(one);
    return `<tr><td><code>${escape(text(name))}</code></td><td>${escape(text(where))}${required === true ? '' : ', optional'}</td><td>${schemaHtml(schema)}</td></tr>`;
  });
  return `<h3>Parameters</h3><table>${rows.join('')}</table>`;
}

function contentHtml(title: string, holder: Json | undefined): string {
  if (holder === undefined) return '';
  const contents = Object.entries(tree(tree(holder)['content']));
  return contents
    .map(
      ([type, content]) =>
        `<h3>${escape(title)} <small>${escape(type)}</small></h3>${schemaHtml(tree(content)['schema'] ?? null)}`,
    )
    .join('');
}

function schemaHtml(schema: Json): string {
  const ref = tree(schema)['$ref'];
  if (typeof ref === 'string') {
    const name = escape(ref.slice(ref.lastIndexOf('/') + 1));
    return `<p><a href="#schema-${name}"><code>${name}</code></a></p>`;
  }
  return `<pre>${escape(JSON.stringify(schema, null, 2))}</pre>`;
}

function tree(value: Json | undefined): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function tagOf(operation: Tree): string {
  return text(list(operation['tags'])[0]);
}

/** Renders text with its `code` spans. */
function prose(value: string): string {
  return escape(value).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(value: string): string {
  return value.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

export const DOCS_STYLE = `
:root { --paper: #faf8f4; --sheet: #fff; --ink: #1b1a17; --line: #e3dfd6; --blue: #1f3a8a; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --paper: #14130f; --sheet: #1e1c17; --ink: #ece8df; --line: #37342c; --blue: #9db4ff; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, main { max-width: 60rem; margin: 0 auto; padding: 16px; }
h1 { font-size: 28px; } h2 { font-size: 20px; text-transform: capitalize; } h3 { font-size: 14px; margin: 16px 0 4px; }
a { color: var(--blue); } nav a { margin-right: 8px; }
details { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; margin: 8px 0; padding: 8px 16px; }
summary { cursor: pointer; } code, pre { font-family: ui-monospace, monospace; font-size: 14px; }
pre { overflow: auto; background: var(--paper); border-radius: 10px; padding: 8px; margin: 4px 0; }
table { border-collapse: collapse; width: 100%; } td { border-top: 1px solid var(--line); padding: 4px 8px; vertical-align: top; }
.method { display: inline-block; min-width: 4.5em; font-weight: 600; } .access { border: 1px solid var(--line); border-radius: 10px; padding: 0 8px; font-size: 14px; }
.summary { display: block; }
`;
