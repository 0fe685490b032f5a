import type { FileKind } from '@karaar/contracts/kit';
import type { Fault } from '@karaar/base/errors';
import type { FileRules } from './spool.ts';
import type { SpooledFile } from '../types.ts';

const KIND_WORDS: Record<FileKind, string> = {
  image: 'an image (PNG, JPEG or WebP)',
  pdf: 'a PDF',
  doc: 'a Word document (DOC)',
  docx: 'a Word document (DOCX)',
  any: 'a file',
};

/** For example "a PDF, an image or a Word document". */
function oneOf(words: string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

const accepted = (kind: SpooledFile['kind'], accept: readonly FileKind[]) =>
  accept.includes('any') || (kind !== 'other' && accept.includes(kind));

/** Returns the faults of a form's files: missing files, and types that the field does not accept. */
export function fileFaults(files: Readonly<Record<string, SpooledFile[]>>, rules: FileRules): Fault[] {
  return Object.entries(rules).flatMap(([loc, rule]) => {
    const uploaded = files[loc] ?? [];
    if (rule.required && uploaded.length === 0) return [{ loc, msg: 'is required' }];
    const wrong = uploaded.find((file) => !accepted(file.kind, rule.accept));
    if (!wrong) return [];
    const requirement = `must be ${oneOf(rule.accept.map((kind) => KIND_WORDS[kind]))}`;
    return [{ loc, msg: (rule.maxCount ?? 1) > 1 ? `'${wrong.filename}' ${requirement}` : requirement }];
  });
}
