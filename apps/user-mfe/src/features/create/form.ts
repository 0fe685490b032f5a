/** What the Create Agreement form accepts (spec §5 Create document); pure. */
import type { Document } from '@karaar/contracts/documents/http';
import { RAW_FILE_MAX_BYTES, RAW_FILES_MAX_COUNT } from '@karaar/contracts/limits';
import type { KeyOf, Message } from '@karaar/i18n';
import type en from './texts/en.json';

type Fault = Message<KeyOf<typeof en>>;

export type PageEntry = { page_no: number; description: string };

export type CreateForm = {
  name: string;
  location: string;
  start_date: string;
  end_date: string;
  description: string;
  target_user_char_id: string;
  page_details: PageEntry[];
};

export const emptyForm: CreateForm = {
  name: '',
  location: '',
  start_date: '',
  end_date: '',
  description: '',
  target_user_char_id: '',
  page_details: [],
};

/** What a draft holds, to go on with; the empty form for none. */
export function formOf(draft: Document | undefined): CreateForm {
  if (!draft) return emptyForm;
  return {
    name: draft.name,
    location: draft.location ?? '',
    start_date: draft.start_date ?? '',
    end_date: draft.end_date ?? '',
    description: draft.description ?? '',
    target_user_char_id: draft.target_user_char_id ?? '',
    page_details: draft.page_details.map((page) => ({ ...page })),
  };
}

/** The upload's accept list. */
export const ACCEPTED = '.pdf,.doc,.docx,.png,.jpg,.jpeg';

const extensions = new Set(ACCEPTED.split(','));
const extension = (name: string) => name.slice(name.lastIndexOf('.')).toLowerCase();

type FileLike = Pick<File, 'name' | 'size'>;

/** Why a file is not taken, or null. What its bytes really are is the server's to decide. */
export function fileFault(file: FileLike): Fault | null {
  const values = { name: file.name };
  if (!extensions.has(extension(file.name))) return { key: 'wrongType', values };
  if (file.size === 0) return { key: 'emptyFile', values };
  return file.size > RAW_FILE_MAX_BYTES ? { key: 'largeFile', values } : null;
}

/** Adds files to a list; returns the new list and why some were left out. */
export function addFiles<F extends FileLike>(
  list: readonly F[],
  added: readonly F[],
  /** How many the draft has already. */
  besides = 0,
): { files: F[]; faults: Fault[] } {
  const faults: Fault[] = added.flatMap((file) => fileFault(file) ?? []);
  const files = [...list, ...added.filter((file) => fileFault(file) === null)];
  const room = Math.max(0, RAW_FILES_MAX_COUNT - besides);
  if (files.length > room) faults.push({ key: 'tooMany', values: { count: RAW_FILES_MAX_COUNT } });
  return { files: files.slice(0, room), faults };
}

/** A page number is an integer of at least 1; what cannot be parsed becomes 1. */
export function parsePageNo(typed: string): number {
  const number = Number.parseInt(typed, 10);
  return Number.isSafeInteger(number) && number >= 1 ? number : 1;
}

/** The entry that Add Page adds: the page after the last one, from 1. */
export function nextPage(entries: readonly PageEntry[]): PageEntry {
  return { page_no: (entries.at(-1)?.page_no ?? 0) + 1, description: '' };
}

/** The first thing that keeps the form from being sent, or null. */
export function formFault(form: CreateForm, fileCount: number): Fault['key'] | null {
  if (!form.name.trim()) return 'nameMissing';
  if (!form.target_user_char_id.trim()) return 'targetMissing';
  return fileCount === 0 ? 'fileMissing' : null;
}
