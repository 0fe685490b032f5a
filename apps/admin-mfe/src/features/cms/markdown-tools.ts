/** The editor's toolbar actions on a text field; each can be undone like typing. */
import { insertTextIntoField, wrapFieldSelection } from 'text-field-edit';

export type Mark = 'bold' | 'italic' | 'link';
export type LineMark = 'heading' | 'list' | 'numbers' | 'quote';

const PREFIXES: Readonly<Record<LineMark, (index: number) => string>> = {
  heading: () => '## ',
  list: () => '- ',
  numbers: (index) => `${index + 1}. `,
  quote: () => '> ',
};
const MARKED = /^(#{1,6} |[-*+] |\d+[.)] |> )/;

/** Returns the lines with the mark before each, or without it if all had it. */
export function markLines(lines: readonly string[], mark: LineMark): string[] {
  const prefix = PREFIXES[mark];
  const marked = lines.map((line, index) => line.startsWith(prefix(index)));
  if (marked.every(Boolean)) return lines.map((line, index) => line.slice(prefix(index).length));
  return lines.map((line, index) => prefix(index) + line.replace(MARKED, ''));
}

/** Marks the selection, or inserts a mark at the cursor. */
export function applyMark(field: HTMLTextAreaElement, mark: Mark): void {
  field.focus();
  if (mark === 'bold') return wrapFieldSelection(field, '**');
  if (mark === 'italic') return wrapFieldSelection(field, '_');
  wrapFieldSelection(field, '[', '](https://)');
  // The position for the URL.
  const end = field.selectionEnd + 2;
  field.setSelectionRange(end, end + 'https://'.length);
}

/** Marks every line of the selection. */
export function applyLineMark(field: HTMLTextAreaElement, mark: LineMark): void {
  field.focus();
  const { value, selectionStart, selectionEnd } = field;
  const from = value.lastIndexOf('\n', selectionStart - 1) + 1;
  const lineEnd = value.indexOf('\n', selectionEnd);
  const to = lineEnd === -1 ? value.length : lineEnd;
  field.setSelectionRange(from, to);
  const text = markLines(value.slice(from, to).split('\n'), mark).join('\n');
  insertTextIntoField(field, text);
  field.setSelectionRange(from, from + text.length);
}
